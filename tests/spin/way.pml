/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Senders while the way to a host changes: doc/protocols.md, section 9.
 *
 * THREADS threads send M requests each to one host on one channel, and another thread changes the
 * way, once, at any time: a cable is lost. What is on a way is completed at any time, in any order
 * with the other way. Each load, store and change of a counter is a step.
 * Checked: a request goes out on one way only while none is under way on the other one; no
 * deadlock.
 * Bounds: THREADS=2 M=2
 * Known bad:
 * NODRAIN  nobody waits for the old way
 * NOLOCK   the thread that waits does not take the lock of the old ring first
 * ONCE     the way is not looked at again under the lock
 * EARLY    the mark "moved" is taken away before the wait
 * LATEMARK the mark is set after the way
 * SPLIT    the way is loaded by itself, and the mark may be younger
 */
#include "model.inc"

bit way;
bool moved;			/* in one word with it */
bool lock[2];
byte issued, acked;		/* of both ways, as the source counts */
byte under_way[2];

proctype sender()
{
	byte i, seen;
	bit mine;
	bool wait;

	do
	:: i == M -> break
	:: i < M ->
		with(SPLIT, mine = way;)
		atomic { mine = (given(SPLIT) -> mine : way); wait = moved };
		if
		:: wait ->
			with(EARLY, moved = false;)
			without(NOLOCK, atomic { !lock[1 - mine] -> lock[1 - mine] = true };
				lock[1 - mine] = false;)
			seen = issued;
			acked >= seen || given(NODRAIN);
			seen = 0;
			moved = false
		:: else
		fi;
		wait = false;
		atomic { !lock[mine] -> lock[mine] = true };
		if
		:: !given(ONCE) && mine != way
		:: else ->
			issued++;
			assert(under_way[1 - mine] == 0);
			under_way[mine]++;
			i++
		fi;
		lock[mine] = false;
		mine = 0
	od
}

active proctype target()
{
end:
	do
	:: atomic { under_way[0] > 0 -> under_way[0]--; acked++ }
	:: atomic { under_way[1] > 0 -> under_way[1]--; acked++ }
	od
}

active proctype changes()
{
	atomic { way = 1 - way; moved = !given(LATEMARK) };
	with(LATEMARK, moved = true)
}

start(THREADS, run sender())
