/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Senders while the way to a host changes: doc/protocols.md, section 9.
 *
 * THREADS threads send M requests each to one host on one channel, and another thread changes the
 * way, once, at any time. What is on a way is completed at any time, in any order with the other
 * way. Each load, store and change of a counter is a step.
 * Checked: a request goes out on the new way only while none is under way on the old one; no
 * deadlock.
 * Known bad:
 * NODRAIN  nobody waits for the old way
 * NOLOCK   the thread that waits does not take the lock of the old ring first
 * ONCE     the way is not looked at again under the lock
 * EARLY    the mark "moved" is taken away before the wait
 * LATEMARK the mark is set after the way
 * SPLIT    way and mark are loaded separately, and the mark may be younger than the way
 */
#ifndef THREADS
#define THREADS 2
#endif
#ifndef M
#define M 2
#endif

bit way;			/* 0: old */
bool moved;
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
#ifdef SPLIT
		mine = way;
		wait = moved;
#else
		atomic { mine = way; wait = moved };
#endif
#ifndef NODRAIN
		if
		:: wait ->
#ifdef EARLY
			moved = false;
#endif
#ifndef NOLOCK
			atomic { !lock[1 - mine] -> lock[1 - mine] = true };
			lock[1 - mine] = false;
#endif
			seen = issued;
			acked >= seen;
			seen = 0;
			moved = false
		:: else
		fi;
#endif
		wait = false;
		atomic { !lock[mine] -> lock[mine] = true };
		if
#ifndef ONCE
		:: mine != way -> skip
#endif
		:: else ->
			issued++;
			assert(mine == 0 || under_way[0] == 0);
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

active proctype change()
{
#ifdef LATEMARK
	way = 1;
	moved = true
#else
	atomic { way = 1; moved = true }
#endif
}

init {
	byte k;

	atomic {
		do
		:: k < THREADS -> run sender(); k++
		:: else -> break
		od
	}
}
