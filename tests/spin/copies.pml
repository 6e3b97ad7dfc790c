/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Frames that one thread copies for others, on CPUs that order neither stores nor loads by
 * themselves: doc/protocols.md, section 5. put(data); fence; put(flag) become two frames, which the
 * last relay or the target copies one after the other by plain stores. M rounds; the program at the
 * target gets the flag until it has changed, and then the data.
 *
 * Each CPU has a buffer from which stores land in any order, but for those that a release fence
 * separates; stores to one word stay in order. A load may be done early, but for an acquire.
 * Checked: the data are at least as new as the flag.
 * Bounds: M=3
 * Known bad:
 * NOFENCE   no release fence between the copies of two frames
 * NOACQUIRE the data may be loaded before the flag
 */
#include "model.inc"

#define DATA 0
#define FLAG 1

byte memory[2];
byte late[2];  /* a store that has not landed: its value, 0: none */
bool after[2]; /* a fence puts it after the other one */

active proctype stores_land()
{
end:
	do
	:: atomic { late[DATA] != 0 && !after[DATA] ->
		memory[DATA] = late[DATA]; late[DATA] = 0; after[FLAG] = false }
	:: atomic { late[FLAG] != 0 && !after[FLAG] ->
		memory[FLAG] = late[FLAG]; late[FLAG] = 0; after[DATA] = false }
	od
}

/* A fence stands between this store and those before it. */
inline store(word, v)
{
	atomic {
		late[word] == 0 -> late[word] = v;
		after[word] = (late[1 - word] != 0 && !given(NOFENCE))
	}
}

active proctype copier()
{
	byte i;

	for (i : 1 .. M) {
		store(DATA, i);
		store(FLAG, i)
	}
}

active proctype program()
{
	byte flag, data, seen;

	do
	:: seen == M -> break
	:: else ->
		swapped(NOACQUIRE, flag = memory[FLAG], data = memory[DATA]);
		assert(data >= flag);
		if
		:: flag > seen -> seen = flag
		:: else -> memory[FLAG] > seen
		fi
	od
}
