#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Runs the tests of a build folder; the last line counts them. Usage: tools/check.sh BUILD NAME [ARG]...
# The log is BUILD/meson-logs/NAME.json, the ARGs go to Meson.
set -eu

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
meson test -C "$build" --no-rebuild --logbase "$name" "$@" </dev/null || status=$?
"$(dirname "$0")/test_summary.py" "$build/meson-logs/$name.json" || status=1
exit "$status"
