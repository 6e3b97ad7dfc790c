#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Explore one model completely and compare the verdict with the expected one.
#
#   run-spin.sh EXPECT MODEL.pml [-DNAME[=VALUE]]...
#
# What is not given comes from the line "Bounds:" at the head of the model.
#
# EXPECT  pass      no error in the whole state space
#         deadlock  an invalid end state is reachable; assertions are ignored
#         assert    an assertion can be violated
# The last two prove that a model can see the fault that it is there for: the search has to find
# that very kind of error, so a model that does not even compile never counts as "fails as it
# should". Exit status: 0 as expected, 1 not, 77 skipped (no spin), 99 cannot run.
#
# Limits: SPIN_DEPTH steps, SPIN_MEM MiB, SPIN_SECONDS. A search that meets one is a failure. The table of
# states begins small and grows: most models have few states, and to clear pan's own table of 128 MiB and a
# stack of 200,000 steps took ten times longer than to search them.
# SPIN_SPEED is how the compiler optimises; without it a model is compiled by tcc where there is one, as
# most have few states, and take gcc ten times longer than they are searched. Those with it have many: a table
# that is large from the start, and states that are packed, which costs time and saves half of the memory.
set -u

say() {
	printf '%s\n' "$*"
}

if [ $# -lt 2 ]; then
	say "usage: run-spin.sh pass|deadlock|assert MODEL.pml [-DNAME[=VALUE]]..." >&2
	exit 99
fi
expect=$1
model=$2
shift 2
depth=${SPIN_DEPTH:-10000}
mem=${SPIN_MEM:-1024}
seconds=${SPIN_SECONDS:-240}

for tool in spin cc timeout; do
	if ! command -v "$tool" >/dev/null 2>&1; then
		say "skipped: no $tool on this machine"
		exit 77
	fi
done
case $model in
/*) ;;
*) model=$PWD/$model ;;
esac

run="$(basename "$model") $*"
for bound in $(sed -n 's/^ \* Bounds: //p' "$model"); do
	case " $* " in
	*" -D${bound%%=*}="*) ;;
	*) set -- "$@" "-D$bound" ;;
	esac
done

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99
# spin and the compiler too: a model whose text expands without end must not take all memory
ulimit -v $(((mem + 2048) * 1024))

if ! spin -a "$@" "$model" >spin.log 2>&1 || [ ! -f pan.c ]; then
	cat spin.log
	exit 99
fi
compiler="cc ${SPIN_SPEED:--O0}"
many=
[ -n "${SPIN_SPEED:-}" ] && many=-DCOLLAPSE
[ -z "$many" ] && command -v tcc >/dev/null && compiler=tcc
# shellcheck disable=SC2086 # a command and its options
if ! $compiler -w -DSAFETY $many -DMEMLIM="$mem" -o pan pan.c >cc.log 2>&1; then
	cat cc.log
	exit 99
fi
flags="-n -m$depth -w18"
[ -n "$many" ] && flags="-n -m$depth -w23"
[ "$expect" = deadlock ] && flags="$flags -A"
# shellcheck disable=SC2086 # a list of flags
timeout "$seconds" ./pan $flags >pan.log 2>&1
status=$?

states=$(awk '/states, stored/ { print $1; exit }' pan.log)
reached=$(awk '/depth reached/ { sub(",", "", $6); print $6; exit }' pan.log)
took=$(awk '/elapsed time/ { print $4; exit }' pan.log)
limit=
[ $status -eq 124 ] && limit="stopped after $seconds s"
grep -q 'max search depth too small' pan.log && limit="depth $depth is too small"
grep -q 'out of memory\|reached -DMEMLIM' pan.log && limit="$mem MiB are too few"
if grep -q 'assertion violated' pan.log; then
	found=assert
elif grep -q '^pan:[0-9]*: invalid end state' pan.log; then
	found=deadlock
elif grep -q 'errors: 0' pan.log && [ -z "$limit" ]; then
	found=pass
else
	found="no verdict${limit:+, $limit}"
fi

say "$run: $found, ${states:-?} states, depth ${reached:-?}, ${took:-?} s"
[ "$found" = "$expect" ] && exit 0
say "expected: $expect"
grep 'pan:' pan.log | head -5
if ls ./*.trail >/dev/null 2>&1; then
	cp "$model" "$(dirname "$model")"/*.inc .
	spin -t -p -g "$@" "$(basename "$model")" 2>&1 | tail -n "${SPIN_TRAIL:-60}"
elif [ "$found" != pass ] && [ "$found" != assert ] && [ "$found" != deadlock ]; then
	tail -20 pan.log
fi
exit 1
