#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Runs the tests of a build folder; the last line counts them. Usage: tools/check.sh BUILD NAME [ARG]...
# The log is BUILD/meson-logs/NAME.json, the ARGs go to Meson.
set -eu

# drivers of DPDK's that tests name, and those that Ringbell itself needs
DRIVERS="bus_pci bus_vdev dma_skeleton mempool_ring net_af_packet net_memif net_tap net_virtio raw_ntb"

# Runs a command. The EAL loads every driver that is installed, some 180, which is half of the CPU time of a
# start. So root's tests see few of them: for the command, and for what it starts, another folder is mounted
# over that of the drivers. An ordinary user's tests see all of them, as in the bare Debian of .ci/run.
with_few_drivers()
{
	from=$(pkg-config --variable=libdir libdpdk)/librte_bus_vdev.so
	from=$(dirname "$(readlink -f "$from")")
	to=$(cd "$build" && pwd)/few-drivers
	rm -rf "$to"
	mkdir "$to"
	# not every DPDK has each of them
	for driver in $DRIVERS; do
		cp -a "$from/librte_$driver".so* "$to/" 2>/dev/null || true
	done
	case $from in
	*/dpdk/pmds-*)
		# shellcheck disable=SC2016 # for the shell inside
		if unshare --mount mount --bind "$to" "$from" 2>/dev/null; then
			set -- unshare --mount sh -c 'mount --bind "$0" "$1" && shift && exec "$@"' "$to" "$from" "$@"
		fi
		;;
	esac
	"$@"
}

build=$1 name=$2
shift 2
status=0
# programs are started by "env python3": the same one as apps/meson.build has, for the same reason
if [ -x /usr/bin/python3 ]; then
	mkdir -p "$build/python"
	ln -sf /usr/bin/python3 "$build/python/python3"
	PATH=$(cd "$build/python" && pwd):$PATH
	export PATH
fi
# where no test matches, Meson writes no log, and the log of the last run would be counted
rm -f "$build/meson-logs/$name.json"
with_few_drivers meson test -C "$build" --no-rebuild --logbase "$name" "$@" </dev/null || status=$?
"$(dirname "$0")/test_summary.py" "$build/meson-logs/$name.json" || status=1
exit "$status"
