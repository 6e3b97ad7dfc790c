#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# expect.sh STATUS TEXT COMMAND...: run COMMAND; it must end with STATUS and print TEXT (may be
# empty). A COMMAND that skips (77) is a skip. One that prints WRONG DATA is wrong whatever it ends with.
status=$1
text=$2
shift 2
out=$("$@" 2>&1)
got=$?
printf '%s\n' "$out"
if [ $got -eq 77 ]; then
	exit 77
fi
if [ $got -ne "$status" ]; then
	echo "status is $got, not $status: $*" >&2
	exit 1
fi
case $out in
*"WRONG DATA"*) echo "wrong data: $*" >&2; exit 1 ;;
*"$text"*) exit 0 ;;
esac
echo "no '$text' in that: $*" >&2
exit 1
