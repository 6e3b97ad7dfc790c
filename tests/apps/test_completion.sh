#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# What bash offers for oshrun and shmem-perf. Usage: test_completion.sh SCRIPT OSHRUN SHMEM-PERF
set -u

# shellcheck disable=SC1090 # an argument
. "$1" || exit 1
oshrun=$2
perf=$3
bad=0

compopt() { :; } # bash has it only while it completes

# offer FUNCTION WORD...: fills COMPREPLY for the last word
offer() {
	local function=$1

	shift
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	"$function" "$1"
}

# want WORD: it is offered
want() {
	local reply

	for reply in "${COMPREPLY[@]}"; do
		[ "$reply" = "$1" ] && echo "ok ${COMP_WORDS[*]} -> $1" && return
	done
	echo "not ok ${COMP_WORDS[*]}: no $1 among: ${COMPREPLY[*]}"
	bad=1
}

# refuse WORD: it is not offered
refuse() {
	local reply

	for reply in "${COMPREPLY[@]}"; do
		[ "$reply" = "$1" ] && echo "not ok ${COMP_WORDS[*]}: offers $1" && bad=1
	done
}

offer _ringbell_oshrun "$oshrun" --
want --hosts
want --tag-output
want --help-env
offer _ringbell_oshrun "$oshrun" --hosts 3 -x RINGBELL_CH
want RINGBELL_CHUNK=
refuse RINGBELL_WAIT=
offer _ringbell_oshrun "$oshrun" --hosts 3 /bin/s
want /bin/sh
offer _ringbell_oshrun "$oshrun" --hosts 3 ./prog --
refuse --hosts
offer _ringbell_perf "$perf" --
want --against
offer _ringbell_perf "$perf" --buffers ''
want heap
want static
exit $bad
