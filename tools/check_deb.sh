#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Builds the Debian packages from the committed files, in a clean root of the Debian they are for,
# asks lintian, installs them in another one and compiles and runs the README's first program there.
# As root. Usage: tools/check_deb.sh [OPTION]... [SUITE]...   (default: bookworm trixie)
#   -d SUITE=DIR  driver headers for that suite, where its mirror has no source package of DPDK
#   -o FOLDER     keeps the packages, in FOLDER/SUITE (default: they are removed)
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tools/debian_root.sh
. "$top/tools/debian_root.sh"

given='' folder=''
while getopts d:o: option; do
	case $option in
	d) given="$given $(headers_given "$OPTARG")" || exit 2 ;;
	o) folder=$(realpath -m "$OPTARG") ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- bookworm trixie

need_packages busybox-static git mmdebstrap debian-archive-keyring uidmap
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$work"

write_build() {
	cat >"$work/build/build" <<-'SCRIPT'
		set -eu
		export DEBIAN_FRONTEND=noninteractive
		cd /work/ringbell
		# the headers come from a source package: the clean target asks pkg-config and apt
		{ apt-get -q update && apt-get -q -y build-dep .; } >/work/log 2>&1 ||
			{ tail -20 /work/log; exit 1; }
		dpkg-buildpackage -us -uc >/work/log 2>&1 || { tail -40 /work/log; exit 1; }
		cd /work
		ls -- *.deb *.dsc
		echo "lintian"
		useradd -m lintian
		su lintian -c 'lintian --fail-on error --tag-display-limit 0 /work/*.changes'
	SCRIPT
}

write_try() {
	awk '/^```c$/ { on = 1; next } /^```/ { if (on) exit } on' "$top/README.md" >"$work/try/tmp/hello.c"
	cat >"$work/try/try" <<-'SCRIPT'
		set -e
		cd /tmp
		export DEBIAN_FRONTEND=noninteractive
		{ apt-get -q update &&
			apt-get -q -y --no-install-recommends install /debs/*.deb; } >/tmp/apt.log 2>&1 ||
			{ cat /tmp/apt.log; exit 1; }
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
}

check_suite() {
	echo "check_deb: packages for $1"
	rm -rf "$work/build" "$work/try"
	make_root "$1" "$work/build" git,build-essential,debhelper,lintian,ca-certificates
	mkdir "$work/build/work"
	git clone -q "$top" "$work/build/work/ringbell"
	for d in $given; do
		[ "${d%%=*}" != "$1" ] || cp -r "${d#*=}" "$work/build/work/ringbell/debian/driver-headers"
	done
	write_build
	enter_root "$work/build" sh /build || die "$1: no packages"
	[ -z "$folder" ] || {
		mkdir -p "$folder/$1"
		cp -- "$work"/build/work/*.deb "$work"/build/work/*.dsc "$work"/build/work/*.tar.* "$folder/$1"
	}

	echo "check_deb: a clean $1"
	make_root "$1" "$work/try" gcc,libc6-dev,dpdk,pciutils,iproute2,man-db,passwd,ca-certificates
	mkdir "$work/try/debs"
	cp "$work"/build/work/*.deb "$work/try/debs"
	write_try
	enter_root "$work/try" sh /try || die "the packages do not work in a clean $1"
}

for suite in "$@"; do
	check_suite "$suite"
done
echo "check_deb: packages build, install and run on: $*"
