/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A service lcore that sleeps, and a program that posts work (runtime/host/beside.h). The program
 * sets the bit of the work, then calls the lcore where it finds it asleep. The lcore reads its call
 * word, says that it sleeps, looks once more, and sleeps until the word changes. The program
 * computes: nobody else does the work.
 *
 * Faults: LOOKFIRST  the last look comes before the lcore says that it sleeps
 *         LATEBIT    the program looks whether the lcore sleeps before it sets the bit
 *         READLATE   the lcore reads the call word after its last look
 */
#ifndef M
#define M 3
#endif

byte pending, sleeps, call, served;

proctype program()
{
	byte i, seen;

	for (i : 1 .. M) {
#ifdef LATEBIT
		seen = sleeps;
		pending = 1;
#else
		pending = 1;
		seen = sleeps;
#endif
		if
		:: seen -> call++
		:: else
		fi;
		pending == 0	/* computes until its request is complete */
	}
}

proctype lcore()
{
	byte seen, left;

	do
	:: served == M -> break
	:: served < M && pending -> served++; pending = 0
	:: served < M && !pending ->
#ifndef READLATE
		seen = call;
#endif
#ifdef LOOKFIRST
		left = pending;
		sleeps = 1;
#else
		sleeps = 1;
		left = pending;
#endif
#ifdef READLATE
		seen = call;
#endif
		if
		:: left
		:: else -> call != seen
		fi;
		sleeps = 0
	od
}

init {
	atomic {
		run program();
		run lcore()
	}
}
