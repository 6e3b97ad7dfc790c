#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Runs the tests of a build folder; the last line counts them. Usage: tools/check.sh BUILD [ARG]...
set -eu

build=$1
shift
status=0
# where no test matches, Meson writes no log, and the log of the last run would be counted
rm -f "$build/meson-logs/testlog.json"
meson test -C "$build" --no-rebuild --print-errorlogs "$@" </dev/null || status=$?
"$(dirname "$0")/test_summary.py" "$build/meson-logs/testlog.json" || status=1
exit "$status"
