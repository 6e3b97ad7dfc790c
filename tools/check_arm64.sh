#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Builds the committed files for arm64, with Debian's cross compiler and packages in a root of its own,
# and runs tests under QEMU's user mode there. As root.
# Usage: tools/check_arm64.sh [ARG OF MESON TEST]...
#   (default: --suite unit --suite model --suite runtime --suite shmem --suite multi)
# While it runs, the kernel knows by binfmt_misc how to start programs of arm64.
# ARM64_ROOT names a root that is kept, with the build in it, and used again.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tools/debian_root.sh
. "$top/tools/debian_root.sh"

[ $# -gt 0 ] || set -- --suite unit --suite model --suite runtime --suite shmem --suite multi
need_packages busybox-static git mmdebstrap debian-archive-keyring uidmap
work=
root=${ARM64_ROOT:-}
if [ -z "$root" ]; then
	work=$(mktemp -d)
	chmod 755 "$work"
	root=$work/root
fi
tidy() {
	[ -z "$work" ] || rm -rf "$work"
}
trap tidy EXIT
trap 'exit 1' HUP INT TERM

packages=git,make,gcc,gcc-aarch64-linux-gnu,libc6-dev-arm64-cross,meson,ninja-build,pkg-config
packages=$packages,python3,mount,qemu-user-static,xz-utils,ca-certificates,libc6-dev:arm64
for p in libdpdk-dev libnuma-dev libcunit1-dev libjansson-dev libpmix-dev libdw-dev; do
	packages=$packages,$p:arm64
done
[ -d "$root" ] || make_root bookworm "$root" "$packages" --architectures=amd64,arm64
rm -rf "$root/root/ringbell"
git clone -q "$top" "$root/root/ringbell"

# A name of QEMU's own kind: the first 20 bytes of a 64-bit little-endian program for arm64. F: the
# kernel holds QEMU open, so that it is found whatever the root is.
cat >"$root/try" <<'SCRIPT'
set -eu
misc=/proc/sys/fs/binfmt_misc
mount -t binfmt_misc binfmt_misc $misc 2>/dev/null || true
grep -ls '^enabled' $misc/*aarch64* >/dev/null || {
	magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
	mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
	echo ":ringbell-aarch64:M::$magic:$mask:/usr/bin/qemu-aarch64-static:F" >$misc/register
	trap 'echo -1 >$misc/ringbell-aarch64' EXIT
}
cd /root/ringbell
PKG_CONFIG=aarch64-linux-gnu-pkg-config tools/setup.sh --headers /root/driver-headers
build=/root/build
[ -f $build/build.ninja ] || meson setup $build --cross-file tools/arm64.ini -Dman=disabled \
	-Ddriver_headers=/root/driver-headers
ninja -C $build
status=0
meson test -C $build --no-rebuild --timeout-multiplier 6 "$@" || status=$?
tools/test_summary.py $build/meson-logs/testlog.json || status=1
exit $status
SCRIPT
enter_root "$root" sh /try "$@"
