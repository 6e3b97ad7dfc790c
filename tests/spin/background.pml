/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A service lcore that sleeps, and a program that posts work (runtime/host/background.h). The program
 * sets the bit of the work, then calls the lcore where it finds it asleep and nobody has called it.
 * The lcore reads its call word, says that it sleeps, looks once more, and sleeps until the word
 * changes, or something else wakes it. The program computes, or posts on: nobody else does the work.
 *
 * Bounds: M=3
 * Known bad:
 * LOOKFIRST  the last look comes before the lcore says that it sleeps
 * LATEBIT    the program looks whether the lcore sleeps before it sets the bit
 * READLATE   the lcore reads the call word after its last look
 * LATENOTE   the program calls the lcore before it notes that it has
 */
#include "model.inc"

#define SLEEPS 1
#define CALLED 2

byte pending, sleeps, call, posted, served;
byte others = 1;	/* times that something else wakes the lcore */

proctype program()
{
	byte i, seen;

	for (i : 1 .. M) {
		swapped(LATEBIT, atomic { posted++; pending = 1 }, seen = sleeps);
		if
		:: seen == SLEEPS ->
			with(LATENOTE, call++;)
			atomic { seen = sleeps; if :: seen == SLEEPS -> sleeps = CALLED :: else fi };
			without(LATENOTE, if :: seen == SLEEPS -> call++ :: else fi)
		:: else
		fi;
		if
		:: pending == 0	/* computes until its request is complete */
		:: skip		/* posts the next one at once */
		fi
	}
}

proctype lcore()
{
	byte seen, left;

	do
	:: served == M -> break
	:: served < M && pending -> atomic { served = posted; pending = 0 }
	:: served < M && !pending ->
		without(READLATE, seen = call;)
		swapped(LOOKFIRST, sleeps = SLEEPS, left = pending);
		with(READLATE, seen = call;)
		if
		:: left
		:: !left && call != seen
		:: !left && others > 0 -> others--
		fi;
		sleeps = 0
	od
}

start(1, run program(); run lcore())
