# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Completion for bash: the options that --help of a program lists, and files, by the function that
# bash-completion has for such programs. It loads this file by the name of the program.
complete -F _longopt oshrun ringbell-doctor ringbell-eeprom ringbell-port ringbell-report ringbell-sim \
	ringbell-top shmem-litmus shmem-perf
