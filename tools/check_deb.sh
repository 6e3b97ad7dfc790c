#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Builds the Debian packages from what is committed, asks lintian, installs them in a clean Debian
# and compiles and runs the README's first program there. As root. Usage: tools/check_deb.sh [FOLDER]
# FOLDER keeps the packages (default: they are removed).
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org}
suite=${DEBIAN_SUITE:-bookworm}

die() {
	echo "check_deb: $*" >&2
	exit 1
}

[ "$(id -u)" -eq 0 ] || die "building a clean root needs root"
missing=
for p in debhelper devscripts dpkg-dev lintian mmdebstrap; do
	dpkg-query -W "$p" >/dev/null 2>&1 || missing="$missing $p"
done
if [ -n "$missing" ]; then
	# shellcheck disable=SC2086 # one word a package
	DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing \
		</dev/null || die "apt-get could not install:$missing"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# mmdebstrap's apt reads as user _apt
chmod 755 "$work"
git clone -q "$top" "$work/ringbell"
cd "$work/ringbell"
echo "check_deb: dpkg-buildpackage -us -uc"
dpkg-buildpackage -us -uc >"$work/build.log" 2>&1 || {
	tail -40 "$work/build.log"
	die "dpkg-buildpackage failed"
}
cd "$work"
ls -- *.deb *.dsc

echo "check_deb: lintian"
lintian --fail-on error --tag-display-limit 0 ./*.changes || die "lintian found errors"

awk '/^```c$/ { on = 1; next } /^```/ { if (on) exit } on' "$top/README.md" >"$work/hello.c"
cat >"$work/try" <<-'SCRIPT'
	set -e
	cd /tmp
	useradd -m user
	su user -c 'cd /tmp && oshcc -Wall hello.c -o hello && oshrun --timeout 60 --hosts 3 ./hello' >out
	cat out
	for pe in 0 1 2; do
		grep -qx "PE $pe of 3 heard from PE $(((pe + 2) % 3))" out
	done
	su user -c 'oshrun -n 2 shmem-perf --samples 1 --time 1 --sizes 8 put_lat' >/dev/null
	su user -c 'ringbell-devbind --help' | grep -q -- --bind
	man -w oshrun ringbell >/dev/null
SCRIPT
echo "check_deb: a clean $suite"
mmdebstrap --quiet --variant=apt --include=gcc,libc6-dev,dpdk,pciutils,iproute2,man-db \
	--customize-hook="mkdir -p \"\$1/tmp/debs\" && cp $work/*.deb \"\$1/tmp/debs\"" \
	--customize-hook="cp $work/hello.c $work/try \"\$1/tmp\"" \
	--customize-hook='chroot "$1" sh -c "apt-get -q -y --no-install-recommends install /tmp/debs/*.deb >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; exit 1; }"' \
	--customize-hook='chroot "$1" sh /tmp/try' \
	"$suite" /dev/null "$mirror/debian" || die "the packages do not work in a clean $suite"

[ $# -eq 0 ] || { mkdir -p "$1" && cp -- *.deb *.dsc *.tar.* "$1"; }
echo "check_deb: packages build, install and run"
