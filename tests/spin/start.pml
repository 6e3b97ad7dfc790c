/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * How the hosts of a ring agree that one cable is out while they start: doc/protocols.md, section 9.
 *
 * Cable c joins the right side of host c and the left side of the next one. Hosts start at any time.
 * Cable OUT is out at first, or goes out and comes back, MOVES times in all; its link is there where
 * it is in and both hosts have started, and either end sees it up at any time after that. A host
 * whose cable on one side is not up is the end of a line; it tells its neighbour on the other side,
 * over a cable that is up, and hosts whose cables are up pass on what they are told.
 * An end gives its cable up where the link is down, and where the line that it is told of ends at
 * the far end of this cable; or where that end has given it up (the word of tell.pml).
 * Checked: all hosts have started when a cable is given up because of what the line says; only one
 * cable is given up; every host gets through, with both cables up or with one of them given up.
 * Known bad:
 * ALONE     an end gives its cable up when it sees no link
 * ANYEND    and when a line ends anywhere
 * DEAF      an end does not hear that the far end has given the cable up
 * PASS      a host whose cable is not up passes on what it was told from there
 */
#ifndef H
#define H 3
#endif
#ifndef MOVES
#define MOVES 2
#endif
#define OUT (H - 1)

#define LEFT 0
#define RIGHT 1
#define nxt(k) (((k) + 1) % H)
#define prv(k) (((k) + H - 1) % H)
#define beyond(k, s) ((s) == RIGHT -> nxt(k) : prv(k))
#define cable(k, s) ((s) == RIGHT -> (k) : prv(k))
#define at(k, s) (2 * (k) + (s))

bool is_out;			/* cable OUT */
bool started[H];
bool up[2 * H];			/* by host and side */
byte told[2 * H];		/* by host and side: the end of the line there, plus 1; stored by the
				 * neighbour */
byte given_up[H];		/* by host: its cable plus 1 */
bool lost[H];			/* by cable: some host has given it up */

#define link(k, s) (started[k] && started[beyond(k, s)] && (cable(k, s) != OUT || !is_out))
#ifdef PASS
#define end_on(k, s) (up[at(k, s)] || told[at(k, s)] != 0 -> told[at(k, s)] : (k) + 1)
#else
#define end_on(k, s) (up[at(k, s)] -> told[at(k, s)] : (k) + 1)
#endif
#if defined(ALONE)
#define whole(k, s) true
#elif defined(ANYEND)
#define whole(k, s) (told[at(k, 1 - (s))] != 0)
#else
#define whole(k, s) (told[at(k, 1 - (s))] == beyond(k, s) + 1)
#endif
#ifdef DEAF
#define hears(k, s) false
#else
#define hears(k, s) lost[cable(k, s)]
#endif
#define through(k) ((up[at(k, LEFT)] || given_up[k] != 0) && (up[at(k, RIGHT)] || given_up[k] != 0))

inline give_up(k, s, all)
{
	atomic {
		lost[cable(k, s)] = true;
		given_up[k] = cable(k, s) + 1;
		i = 0;
		do
		:: i < H ->
			assert(started[i] || !all);
			assert(!lost[i] || i == cable(k, s));
			i++
		:: else -> break
		od;
		i = 0
	}
}

/* One side of a host, while it waits and afterwards: any of its steps at any time. */
inline side_step(k, s)
{
	if
	/* the handshake */
	:: atomic { !up[at(k, s)] && given_up[k] == 0 && link(k, s) -> up[at(k, s)] = true }
	/* tell the neighbour on this side of the end on the other one */
	:: atomic { up[at(k, s)] && told[at(beyond(k, s), 1 - (s))] != end_on(k, 1 - (s)) ->
		told[at(beyond(k, s), 1 - (s))] = end_on(k, 1 - (s)) }
	:: !up[at(k, s)] && given_up[k] == 0 && up[at(k, 1 - (s))] && !link(k, s) && whole(k, s) ->
		give_up(k, s, true)
	:: !up[at(k, s)] && given_up[k] == 0 && up[at(k, 1 - (s))] && hears(k, s) ->
		give_up(k, s, false)
	/* it breaks: begin again, or lose it where the other one is up, too */
	:: atomic { up[at(k, s)] && !link(k, s) && !up[at(k, 1 - (s))] && given_up[k] == 0 ->
		up[at(k, s)] = false }
	:: up[at(k, s)] && !link(k, s) && up[at(k, 1 - (s))] && given_up[k] == 0 ->
		give_up(k, s, false)
	fi
}

proctype host(byte k)
{
	byte i;

	started[k] = true;
end_host:
	do
	:: side_step(k, LEFT)
	:: side_step(k, RIGHT)
	od
}

/* All hosts have to get through. */
proctype judge()
{
	byte i;

	do
	:: i < H -> through(i); i++
	:: else -> break
	od
}

proctype hand()
{
	byte n;

	do
	:: n < MOVES -> atomic { is_out = !is_out; n++ }
	:: break
	od
}

init {
	byte k;

	atomic {
		if
		:: is_out = true
		:: skip
		fi;
		do
		:: k < H -> run host(k); k++
		:: else -> break
		od;
		run hand();
		run judge()
	}
}
