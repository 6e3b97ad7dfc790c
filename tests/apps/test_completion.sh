#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# What bash offers for programs of Ringbell. Usage: test_completion.sh SCRIPT OSHRUN SHMEM-PERF
# RINGBELL-EEPROM RINGBELL-DOCTOR RINGBELL-PORT
set -u

# shellcheck disable=SC1090 # an argument
. "$1" || exit 1
oshrun=$2
perf=$3
eeprom=$4
doctor=$5
port=$6
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
offer _ringbell_oshrun "$oshrun" --fault 'cut 0-1 at 1s' --hos
want --hosts
offer _ringbell_oshrun "$oshrun" --hosts 3 ./prog --
refuse --hosts
offer _ringbell_perf "$perf" --
want --against
offer _ringbell_perf "$perf" --buffers ''
want heap
want static

offer _ringbell_eeprom "$eeprom" ''
for command in make show diff check read write loaded; do
	want $command
done
offer _ringbell_eeprom "$eeprom" make --chip ''
want 8749
want 8712
offer _ringbell_eeprom "$eeprom" make -o new.bin ''
for setting in upstream nt0 nt1 bar0 bar2 bar4 alut dma crc; do
	want $setting=
done
offer _ringbell_eeprom "$eeprom" make nt0 = ''
refuse nt1=
offer _ringbell_eeprom "$eeprom" show /bin/s
want /bin/sh
offer _ringbell_eeprom "$eeprom" make --base /bin/s
want /bin/sh

# each option of --help is offered
all_options() {
	local option

	offer "$1" "$2" ${3:+"$3"} -
	for option in $("$2" ${4:+"$4"} --help | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
		want "$option"
	done
}

all_options _ringbell_eeprom "$eeprom" make
all_options _ringbell_port "$doctor"
for command in test order speed selftest dump; do
	all_options _ringbell_port "$port" $command $command
	offer _ringbell_port "$port" ''
	want $command
done
offer _ringbell_port "$port" test --checks order
want order-flag
refuse up
offer _ringbell_port "$port" test --cable /bin/s
want /bin/sh
offer _ringbell_port "$doctor" --root /bin/s
want /bin/sh
offer _ringbell_port "$port" order --json /bin/s
want /bin/sh
offer _ringbell_port "$doctor" --json --li
want --listen
exit $bad
