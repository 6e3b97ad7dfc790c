# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Completion for bash: options come from --help of the program itself, so none is forgotten here.

# values that an option takes, from "word, word" or "a|b" lists would be guesswork: named here
_ringbell_values()
{
	case $1 in
	--map-by) echo "slot host" ;; # or numbers
	--wiring) echo "ring chain double mesh torus=" ;; # or cables
	--bind-to) echo "none core numa" ;;
	--notify) echo "memory doorbell" ;;
	-b | --buffers) echo "heap static" ;;
	-H | --hops) echo "all" ;;
	esac
}

_ringbell_options()
{
	"$1" ${2:+"$2"} --help 2>/dev/null | sed -n 's/^ *\(-.*\)/\1/p' | grep -oE -- '(^|[ ,])--?[a-z][a-z-]*' |
		tr -d ' ,'
}

# NAME=VALUE for -x: the variables that the launcher lists, and those of this shell
_ringbell_variables()
{
	"$1" --help-env 2>/dev/null | sed -n 's/^  \([A-Z_]*\) .*/\1=/p'
	compgen -v
}

# Is there a program among the words before this one? Then its own arguments are files.
_ringbell_has_program()
{
	local i

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-n | -np | -x | --hosts | --timeout | --eal | --map-by | --bind-to | --cpus | --notify | \
			--trace | --wiring | --host-id | --cable | --hello-timeout | --dma | --fault) ((i++)) ;;
		-*) ;;
		*) return 0 ;;
		esac
	done
	return 1
}

_ringbell_oshrun()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words

	if _ringbell_has_program; then
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
	fi
	case $prev in
	-x) words=$(_ringbell_variables "$1") && compopt -o nospace ;;
	--trace)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	*) words=$(_ringbell_values "$prev") ;;
	esac
	if [ -z "$words" ]; then
		case $cur in
		-*) words=$(_ringbell_options "$1") ;;
		*)
			mapfile -t COMPREPLY < <(compgen -c -- "$cur"; compgen -f -- "$cur")
			return
			;;
		esac
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

_ringbell_perf()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words

	words=$(_ringbell_values "$prev")
	case $prev in
	-j | --json | -a | --against)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	esac
	case $cur in
	-*) [ -n "$words" ] || words=$(_ringbell_options "$1") ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

# The first word is a command. Settings come from --help, too: words of the form name=value.
_ringbell_eeprom()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=

	[[ $cur != = && $prev != = ]] || return # bash splits nt0=8
	if [ "$COMP_CWORD" = 1 ]; then
		words=$("$1" --help 2>/dev/null | sed -n 's/^.* ringbell-eeprom \([a-z]*\) .*/\1/p')
	elif [[ $prev == -c || $prev == --chip ]]; then
		words=$("$1" --help 2>/dev/null | grep -oE '\<87[0-9]{2}\>')
	elif [[ $cur == -* ]]; then
		words=$(_ringbell_options "$1")
	elif [[ ${COMP_WORDS[1]} == make && $prev != -* ]]; then
		words=$("$1" --help 2>/dev/null | grep -oE '\<[a-z]+[0-9]?=' | sort -u)
		compopt -o nospace
	fi
	if [ -n "$words" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

# Options, files, and PCI addresses of the machine's NT ports.
_ringbell_port()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words= command=

	[[ $cur != : && $prev != : ]] || return # bash splits addresses
	[[ $1 != *port ]] || command=${COMP_WORDS[1]}
	if [[ $1 == *port && $COMP_CWORD == 1 ]]; then
		words=$("$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return
	fi
	case $prev in
	-j | --root)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--json | --cable) # of ringbell-port a file or a command follows, of ringbell-doctor none
		if [[ $1 == *port ]]; then
			[[ $prev == --json ]] || words=-c
			mapfile -t COMPREPLY < <(compgen -f $words -- "$cur")
			return
		fi
		;;
	-n | --rounds | -r | --region | -e | --eal | --listen) return ;;
	-c | --checks) words=$("$1" test --list 2>/dev/null | cut -d ' ' -f 1) ;;
	--rsh)
		mapfile -t COMPREPLY < <(compgen -c -- "$cur"; compgen -f -- "$cur")
		return
		;;
	esac
	case $cur in
	-*) words=$(_ringbell_options "$1" "$command") ;;
	*) [[ -n $words || $1 == *doctor && $prev != --with-peer ]] || words=$(_ringbell_nt_ports) ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

_ringbell_nt_ports()
{
	local device

	for device in /sys/bus/pci/devices/*; do
		case $(cat "$device/vendor" "$device/device" 2>/dev/null | tr '\n' :) in
		0x10b5:0x87b[01]: | 0x8086:0x201c: | 0x8086:0x347e:) echo "${device##*/}" ;;
		esac
	done
}

complete -o filenames -F _ringbell_oshrun oshrun
complete -o filenames -F _ringbell_eeprom ringbell-eeprom
complete -o filenames -F _ringbell_port ringbell-doctor ringbell-port
complete -o default -F _ringbell_perf ringbell-report
complete -F _ringbell_perf shmem-litmus shmem-perf ringbell-sim ringbell-top
