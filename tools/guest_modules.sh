#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Compiles kernel modules that Debian's kernels are built without, for the guests of tests/vm: Linux's
# drivers of NTBs, from Debian's package of the kernel's source, and igb_uio, from Debian's package
# of DPDK's modules. They go to BUILD/guest-kernel, where "make setup SETUP_ARGS=--tests" has unpacked
# the kernel. Nothing is installed. Some 160 MB are downloaded, and gone afterwards.
# Usage: tools/guest_modules.sh [BUILD]
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
guests=$(realpath -m "${1:-$top/build}")/guest-kernel
module=$(find "$guests" -name uio.ko 2>/dev/null | head -n 1)
[ -n "$module" ] || {
	echo "guest_modules: no kernel in $guests (make setup SETUP_ARGS=--tests)" >&2
	exit 1
}
drivers=$(dirname "$(dirname "$module")")
[ ! -e "$drivers/ntb/version" ] || exit 0
echo "guest_modules: compiling Linux's NTB drivers for guests, from Debian's packages"
version=$(basename "$(dirname "$(dirname "$drivers")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"

fetch() {
	apt-get -q -o APT::Sandbox::User=root download "$@" >log 2>&1 || {
		cat log >&2
		exit 1
	}
}

# without BTF, which Debian 13's kernels have and which needs pahole
compile() {
	make -s -C "headers/usr/src/$headers" M="$work/$1" CONFIG_DEBUG_INFO_BTF_MODULES= \
		modules >log 2>&1 || {
		cat log >&2
		exit 1
	}
	mkdir -p "$drivers/ntb"
	for ko in "$1"/*.ko; do
		strip -g -o "$drivers/ntb/$(basename "$ko")" "$ko"
	done
}

depends_of() {
	apt-cache show --no-all-versions "$1" | awk -F '[,|]' '
		sub(/^Depends: */, "") { for (i = 1; i <= NF; i++) { split($i, p, " "); print p[1] }; exit }'
}

# The headers, by the name of the kernel, and the parts of them that are the same for all kernels. Their
# Makefile names the place where they would be installed.
headers=linux-headers-$version
fetch "$headers"
# shellcheck disable=SC2046 # a word a package
fetch $(depends_of "$headers" | grep -E '^linux-(headers|kbuild)-')
for p in ./*.deb; do
	dpkg -x "$p" headers
done
rm ./*.deb
sed -i "s,/usr/src/,$work/headers/usr/src/," "headers/usr/src/$headers/Makefile"

fetch dpdk-kmods-dkms
dpkg -x ./dpdk-kmods-dkms*.deb igb
mv igb/usr/src/dpdk-kmods-* igb_uio
compile igb_uio

source=linux-source-$(echo "$version" | sed 's/^\([0-9]*\.[0-9]*\).*/\1/')
fetch "$source"
mkdir ntb
dpkg --fsys-tarfile ./"$source"_*.deb | tar -x -O --wildcards './usr/src/linux-source-*.tar.xz' |
	tar -x -J -C ntb --strip-components=1 --wildcards '*/drivers/ntb/*'
cat >ntb/Kbuild <<-'END'
	obj-m := ntb.o ntb_hw_intel.o ntb_perf.o ntb_pingpong.o ntb_tool.o
	ntb-y := drivers/ntb/core.o
	ntb_hw_intel-y := $(addprefix drivers/ntb/hw/intel/, ntb_hw_gen1.o ntb_hw_gen3.o ntb_hw_gen4.o)
	ntb_perf-y := drivers/ntb/test/ntb_perf.o
	ntb_pingpong-y := drivers/ntb/test/ntb_pingpong.o
	ntb_tool-y := drivers/ntb/test/ntb_tool.o
END
compile ntb
echo "$version" >"$drivers/ntb/version"
