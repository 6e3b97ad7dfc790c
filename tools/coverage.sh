#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Lines and branches that tests ran, by room; for "make coverage". Each file is in BUILD/coverage/index.html.
# Processes that are killed write no counts: the figures are lower bounds (tools/coverage.h).
# Usage: tools/coverage.sh BUILD [OPTION OF MESON TEST]...
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "$1")
shift
command -v gcovr >/dev/null 2>&1 || {
	echo "coverage: no gcovr here: Debian's package gcovr" >&2
	exit 1
}
find "$build" -name '*.gcda' -delete
status=0
meson test -C "$build" --no-rebuild "$@" || status=$?
mkdir -p "$build/coverage"
# branches of assertions and of exceptions are none of ours; a line of a header counts once
gcovr --root "$top" --object-directory "$build" --exclude-unreachable-branches --gcov-ignore-parse-errors \
	--filter "$top/(runtime|shmem|drivers|apps|lab)/" --html-details "$build/coverage/index.html" \
	--json-summary "$build/coverage/summary.json" "$build"
python3 - "$build/coverage/summary.json" <<-'END'
	import collections, json, sys
	rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
	with open(sys.argv[1], encoding="utf-8") as f:
	    for file in json.load(f)["files"]:
	        for room in (file["filename"].split("/")[0], "all"):
	            for i, key in enumerate(("line_covered", "line_total", "branch_covered", "branch_total")):
	                rooms[room][i] += file[key]
	print("| room | lines | of | % | branches | of | % |\n|---|---:|---:|---:|---:|---:|---:|")
	for room, (lines, of, branches, all_branches) in sorted(rooms.items(), key=lambda kept: kept[0] == "all"):
	    print(f"| {room} | {lines} | {of} | {100 * lines / of:.1f} | {branches} | {all_branches} | "
	          f"{100 * branches / all_branches:.1f} |")
END
exit $status
