#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# expect.sh STATUS TEXT COMMAND...: run COMMAND; it must end with STATUS and print TEXT (may be
# empty) on its standard output.
status=$1
text=$2
shift 2
out=$("$@")
got=$?
if [ $got -ne "$status" ]; then
	echo "status is $got, not $status: $*" >&2
	exit 1
fi
case $out in
*"$text"*) exit 0 ;;
esac
echo "output is '$out', without '$text': $*" >&2
exit 1
