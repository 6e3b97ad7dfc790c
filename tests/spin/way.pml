/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Senders while the way to a host changes: doc/protocols.md, section 9.
 *
 * THREADS threads send M requests each to one host on one channel, and another thread changes the
 * way, CHANGES times, at any time: a cable is lost, is back, and so on. What is on a way is completed
 * at any time, in any order with the other way. Each load, store and change of a counter is a step.
 * Checked: a request goes out on one way only while none is under way on the other one; no
 * deadlock.
 * Bounds: THREADS=2 M=2 CHANGES=1
 * Known bad:
 * NODRAIN  nobody waits for the old way
 * NOLOCK   the thread that waits does not take the lock of the old ring first
 * ONCE     the way is not looked at again under the lock
 * EARLY    the mark "moved" is taken away before the wait
 * LATEMARK the mark is set after the way
 * SPLIT    the way is loaded by itself, and mark and change may be younger
 * ANYMARK  a thread that has waited takes the mark of a later change away
 * SAMESIDE under the lock only the side is looked at, and not whether it has changed twice
 */
#include "model.inc"

bit way;
bool moved;
byte change;			/* which one, in one word with these two */
bool lock[2];
byte issued, acked;		/* of both ways, as the source counts */
byte under_way[2];

proctype sender()
{
	byte i, seen, mine_of;
	bit mine;
	bool wait;

	do
	:: i == M -> break
	:: i < M ->
		with(SPLIT, mine = way;)
		atomic { mine = (given(SPLIT) -> mine : way); wait = moved; mine_of = change };
		if
		:: wait ->
			with(EARLY, moved = false;)
			without(NOLOCK, atomic { !lock[1 - mine] -> lock[1 - mine] = true };
				lock[1 - mine] = false;)
			seen = issued;
			acked >= seen || given(NODRAIN);
			seen = 0;
			atomic {
				if
				:: change == mine_of || given(ANYMARK) -> moved = false
				:: else
				fi
			}
		:: else
		fi;
		wait = false;
		atomic { !lock[mine] -> lock[mine] = true };
		if
		:: !given(ONCE) && (given(SAMESIDE) -> mine != way : change != mine_of || moved)
		:: else ->
			issued++;
			assert(under_way[1 - mine] == 0);
			under_way[mine]++;
			i++
		fi;
		lock[mine] = false;
		mine = 0;
		mine_of = 0
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
	do
	:: change == CHANGES -> break
	:: change < CHANGES ->
		atomic { way = 1 - way; moved = (moved || !given(LATEMARK)); change++ };
		with(LATEMARK, moved = true)
	od
}

start(THREADS, run sender())
