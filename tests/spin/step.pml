/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Steps of the collectives of one host (shmem/coll/step.c). N members enter S steps, each with a
 * line of its own for D steps in turn. In each step a member reads the lines of any of the others,
 * as it would in a broadcast, a reduction or a sync. At the end they part and reset their lines.
 * With CASTS each step is a broadcast, by the members in turn: the others pass, and only the root's
 * line is read.
 *
 * Bounds: N=3 D=2 S=4
 * Known bad:
 * LOOSE  a line is filled again one step too early
 * EARLY  the mark is set before the data
 * NOPART lines are reset after the last sync, without telling
 * EMPTY  (CASTS) a member that passes fills its line
 */
#include "model.inc"

#define SLACK given(LOOSE)
#define ROOT(s) ((s) % N)
#define LINE(m, s) ((m) * D + (s) % D)

byte mark[N * D];
byte data[N * D];
byte gone[N];

inline fill(s)
{
	data[LINE(me, s)] = 0;	/* half of it */
	data[LINE(me, s)] = s;
}

inline enter(s)
{
	if
	:: s >= D + SLACK ->
		for (i : 0 .. N - 1) {
			mark[LINE(i, s - D + 1 - SLACK)] >= s - D + 1 - SLACK
		}
	:: else
	fi;
	swapped(EARLY, fill(s), mark[LINE(me, s)] = s)
}

proctype member(byte me)
{
	byte s, i;

	for (s : 1 .. S) {
		if
		:: given(CASTS) && me != ROOT(s) && s < S ->
			if
			:: given(EMPTY) -> data[LINE(me, s)] = 0
			:: else
			fi;
			mark[LINE(me, s)] = s;
			mark[LINE(ROOT(s), s)] >= s;
			assert(data[LINE(ROOT(s), s)] == s)
		:: else -> enter(s)
		fi;
		for (i : 0 .. N - 1) {
			if
			:: given(CASTS) && s < S
			:: else ->
			if
			:: s == S || i != me ->	/* the last one is a sync */
				mark[LINE(i, s)] >= s;
				assert(mark[LINE(i, s)] == s && data[LINE(i, s)] == s)
			:: s < S	/* this one is not read */
			fi
			fi
		}
	}
	for (i : 0 .. N - 1) {
		gone[i]++
	}
	gone[me] == N || given(NOPART);
	for (i : 0 .. D - 1) {
		mark[LINE(me, i)] = 0
	}
}

start(N, run member(k))
