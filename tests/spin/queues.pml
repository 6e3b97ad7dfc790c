/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Posted collectives of two teams with the same two PEs (shmem/coll/posted.c). PE 0 posts on team 0
 * first, PE 1 on team 1; each waits first for the one that it has posted last, then for the other.
 * In between PE 0 sets a word that PE 1 waits for before its waits. A collective ends when both PEs
 * have begun it. Nothing runs a queue but the PE's own waits.
 *
 * Known bad:
 * ONEQUEUE  a PE runs what it has posted in the order of its posts, whatever the team
 * OWNONLY   a wait for a request advances only that one's team; without the word
 * NOHOOK    the wait for the word advances nothing
 */
#include "model.inc"

byte begun[2];		/* by team: PEs that have */
bool in[4], over[4];	/* by PE and team: has this PE begun, ended it */
bool word;

#define AT(t) (2 * me + (t))

/* One turn for team t. */
inline advance(t)
{
	if
	:: !in[AT(t)] -> atomic { in[AT(t)] = 1; begun[t]++ }
	:: in[AT(t)] && begun[t] == 2 -> over[AT(t)] = 1
	:: else
	fi
}

/* All that this PE has posted; its first post is on team me. */
inline advance_all()
{
	advance(me);
	if
	:: over[AT(me)] || !given(ONEQUEUE) -> advance(1 - me)
	:: else
	fi
}

/* Can a turn do anything? A wait whose turns cannot is one that spin reports. */
#define MAY(t) (!in[AT(t)] || (begun[t] == 2 && !over[AT(t)]))
#define MAY_ALL (MAY(me) || ((over[AT(me)] || !given(ONEQUEUE)) && MAY(1 - me)))

proctype pe(byte me)
{
	if
	:: me == 1 && !given(OWNONLY) ->
		do
		:: word -> break
		:: !word && MAY_ALL && !given(NOHOOK) -> advance_all()
		od
	:: else
	fi;
	do
	:: over[AT(1 - me)] -> break
	:: !over[AT(1 - me)] && MAY(1 - me) && given(OWNONLY) -> advance(1 - me)
	:: !over[AT(1 - me)] && MAY_ALL && !given(OWNONLY) -> advance_all()
	od;
	if
	:: me == 0 -> word = 1
	:: else
	fi;
	do
	:: over[AT(me)] -> break
	:: !over[AT(me)] && MAY(me) -> advance(me)
	od
}

start(2, run pe(k))
