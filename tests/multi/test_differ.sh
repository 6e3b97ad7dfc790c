#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# test_differ.sh OSHRUN PROGRAM OTHER ARGUMENT...: a setting in which PEs differ ends the job before
# it starts, and is named. ARGUMENTs of oshrun say how the PEs are laid out.
oshrun=$1 program=$2 other=$3
shift 3

# differ TEXT CHANGE ARGUMENT...: PE 1 does CHANGE, and TEXT must be printed. Prints what is wrong.
differ() {
	text=$1 change=$2
	shift 2
	out=$("$oshrun" "$@" --timeout 60 \
		sh -c "test \$RINGBELL_PE = 1 && $change; exec '$program'" 2>&1)
	status=$?
	case $status:$out in
	1:*"$text"*) ;;
	*) echo "$change: status $status, no '$text' in: $out" ;;
	esac
}

# A host's region shows static data, its neighbour's does not: puts to it were lost. All at once, as
# they wait for each other most of the time.
failed=$(
	differ 'RINGBELL_STATIC=' 'export RINGBELL_STATIC=none' "$@" &
	differ 'RINGBELL_NOTIFY=' 'export RINGBELL_NOTIFY=doorbell' "$@" &
	differ 'RINGBELL_SLOTS=' 'export RINGBELL_SLOTS=8' "$@" &
	differ 'give all the same SHMEM_SYMMETRIC_SIZE' 'export SHMEM_SYMMETRIC_SIZE=9M' "$@" &
	differ 'SHMEM_CHECK is set for PE 1 and not for PE 0' 'export SHMEM_CHECK=1' "$@" &
	differ 'another program or build' "exec '$other'" "$@" &
	differ 'set RINGBELL_STATIC=none for all' "exec '$other'" "$@" &
	# which allows just that
	"$oshrun" "$@" --timeout 60 -x RINGBELL_STATIC=none \
		sh -c "test \$RINGBELL_PE = 1 && exec '$other'; exec '$program'" ||
		echo "different programs fail with RINGBELL_STATIC=none"
	wait
)
echo "$failed" >&2
test -z "$failed"
