#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Programs as others would have written them: compiled by the wrapper, run on a few hosts.
# Usage: run.sh OSHRUN WRAPPER FLAGS SOURCE HOSTS...
set -eu

oshrun=$(realpath "$1") wrapper=$2 flags=$3 source=$(realpath "$4")
shift 4
case $wrapper in
*++)
	compiler=$("$wrapper" -show | cut -d ' ' -f 1)
	command -v "$compiler" >/dev/null || {
		echo "skipped: no C++ compiler, $compiler"
		exit 77
	}
	;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
case $flags in
*-fmodules-ts*)
	# compiled modules are kept in the working folder
	# shellcheck disable=SC2086 # several flags
	"$wrapper" $flags -x c++-system-header -c cstddef 2>/dev/null || {
		echo "skipped: $compiler compiles no header units"
		exit 77
	}
	# shellcheck disable=SC2086 # several flags
	"$wrapper" $flags -x c++-system-header -c shmemx.h
	;;
esac
# shellcheck disable=SC2086 # several flags
"$wrapper" $flags "$source" -o "$dir/program"
for hosts in "$@"; do
	SHMEM_SYMMETRIC_SIZE=48m "$oshrun" --hosts "$hosts" --timeout 50 "$dir/program" >"$dir/out" || {
		echo "on $hosts hosts: failed" >&2
		exit 1
	}
	passed=$(grep -c passed "$dir/out" || true)
	[ "$passed" -eq "$hosts" ] || {
		echo "on $hosts hosts: $passed of $hosts PEs passed" >&2
		exit 1
	}
done
