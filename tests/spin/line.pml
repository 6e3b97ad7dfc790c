/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Room in the reply rings while a ring of H hosts becomes a line: doc/protocols.md, section 9.
 *
 * Only how full each ring is counts here, so the number of frames is not bounded: a frame may
 * enter any ring, and may be at its destination wherever it is at a head, until `stop`. From then
 * on none enters and none is consumed, which is the worst that can happen: all have to go on, and
 * a state in which none can is an invalid end state.
 *
 * The lost cable joins host H-1, its right side, and host 0. r[k] and l[k] are the rings of N slots
 * at host k, of frames that go to the right and to the left. r[0] and l[H-1] lead over the lost
 * cable. The two end hosts put their mirrors, of S slots, in place independently, at any time; what
 * is in a lost ring has landed and is taken from there, but no credit goes back.
 * HEAL: the cable is back. Once both lost rings are empty, each end host takes it into use: first its
 * mirror's frames enter (ENTER), then, when the other one has come as far, it sends over it again.
 * Known bad:
 * NOMIRROR  a frame goes from the ring of one direction into that of the other, without a mirror
 * LOSTPASS  a frame from a lost ring needs one free slot only, as if it gave one
 * ORDERED   the mirror waits until the lost ring is empty
 * NOPOLL    the far end does not take what has landed
 * LATEENTER with HEAL: frames of a mirror go on passing with one free slot
 */
#ifndef H
#define H 3
#endif
#ifndef N
#define N 2
#endif
#ifndef S
#define S N
#endif
#define A (H - 1)

byte r[H], l[H];	/* frames in each ring */
byte ma, mb;		/* in the mirrors of hosts A and 0 */
byte kept_r, kept_l;	/* slots of the lost rings that were taken, and never come back */
bool cut_a, cut_b;	/* mirrors are in place */
bool enter_a, enter_b;	/* the cable is back */
bool open_a, open_b;
bool stop;

#define lost_a (cut_a && !open_a)
#define lost_b (cut_b && !open_b)
#ifdef LATEENTER
#define of_mirror(enters) 1
#else
#define of_mirror(enters) (enters -> 2 : 1)
#endif

#ifdef NOMIRROR
#define from_a(room) (cut_a -> N - l[A - 1] >= room : N - r[0] - kept_r >= room)
#define from_b(room) (cut_b -> N - r[1] >= room : N - l[A] - kept_l >= room)
#else
#define from_a(room) (lost_a -> S - ma >= room : N - r[0] - kept_r >= room)
#define from_b(room) (lost_b -> S - mb >= room : N - l[A] - kept_l >= room)
#endif

inline out_of_a()
{
	if
#ifdef NOMIRROR
	:: cut_a -> l[A - 1]++
#else
	:: lost_a -> ma++
#endif
	:: else -> r[0]++
	fi
}

inline out_of_b()
{
	if
#ifdef NOMIRROR
	:: cut_b -> r[1]++
#else
	:: lost_b -> mb++
#endif
	:: else -> l[A]++
	fi
}

#ifdef LOSTPASS
#define lost_room(cut) 1
#else
#define lost_room(cut) (cut -> 2 : 1)
#endif
#ifdef ORDERED
#define waits(lost) (lost > 0)
#else
#define waits(lost) false
#endif
#ifdef NOPOLL
#define polls(cut) (!cut)
#else
#define polls(cut) true
#endif

proctype rightward(byte k)
{
end:
	do
	/* the ring at k, from the host before it */
	:: atomic { !stop && k > 0 && N - r[k] >= 2 -> r[k]++ }
	:: atomic { !stop && r[k] > 0 && (k > 0 || polls(cut_b)) ->
		r[k]--;
		if
		:: k == 0 && cut_b && !enter_b -> kept_r++
		:: else
		fi
	}
	:: atomic { k > 0 && k < A && r[k] > 0 && N - r[k + 1] >= 1 -> r[k]--; r[k + 1]++ }
	:: atomic { k == A && r[A] > 0 && from_a(1) -> r[A]--; out_of_a() }
	:: atomic { k == A && !stop && from_a(2) -> out_of_a() }
	:: atomic { k == 0 && polls(cut_b) && r[0] > 0 && N - r[1] >= lost_room((cut_b && !enter_b)) ->
		r[0]--;
		r[1]++;
		if
		:: cut_b && !enter_b -> kept_r++
		:: else
		fi
	}
	od
}

proctype leftward(byte k)
{
end:
	do
	:: atomic { !stop && k < A && N - l[k] >= 2 -> l[k]++ }
	:: atomic { !stop && l[k] > 0 && (k < A || polls(cut_a)) ->
		l[k]--;
		if
		:: k == A && cut_a && !enter_a -> kept_l++
		:: else
		fi
	}
	:: atomic { k > 0 && k < A && l[k] > 0 && N - l[k - 1] >= 1 -> l[k]--; l[k - 1]++ }
	:: atomic { k == 0 && l[0] > 0 && from_b(1) -> l[0]--; out_of_b() }
	:: atomic { k == 0 && !stop && from_b(2) -> out_of_b() }
	:: atomic { k == A && polls(cut_a) && l[A] > 0 && N - l[A - 1] >= lost_room((cut_a && !enter_a)) ->
		l[A]--;
		l[A - 1]++;
		if
		:: cut_a && !enter_a -> kept_l++
		:: else
		fi
	}
	od
}

active proctype mirrors()
{
end:
	do
	:: atomic { ma > 0 && !waits(l[A]) && N - l[A - 1] >= of_mirror(enter_a) -> ma--; l[A - 1]++ }
	:: atomic { mb > 0 && !waits(r[0]) && N - r[1] >= of_mirror(enter_b) -> mb--; r[1]++ }
	:: atomic { !stop && ma > 0 && !waits(l[A]) -> ma-- }
	:: atomic { !stop && mb > 0 && !waits(r[0]) -> mb-- }
	od
}

active proctype hand()
{
	do
	:: atomic { !cut_a -> cut_a = true }
	:: atomic { !cut_b -> cut_b = true }
#ifdef HEAL
	:: atomic { cut_a && cut_b && !enter_b && (enter_a || (r[0] == 0 && l[A] == 0)) ->
		enter_b = true; kept_r = 0 }
	:: atomic { cut_a && cut_b && !enter_a && (enter_b || (r[0] == 0 && l[A] == 0)) ->
		enter_a = true; kept_l = 0 }
	:: atomic { enter_a && enter_b && !open_a -> open_a = true }
	:: atomic { enter_a && enter_b && !open_b -> open_b = true }
	:: atomic { cut_a && cut_b && !stop -> stop = true }
	:: stop && open_a && open_b -> break
	od
#else
	:: cut_a && cut_b -> break
	od;
	stop = true
#endif
}

/* a state in which no frame can go on is an end state, and valid only if there is none */
active proctype judge()
{
	byte k, n;

	atomic { stop ->
		do
		:: k < H -> n = n + r[k] + l[k]; k++
		:: else -> break
		od;
		n = n + ma + mb;
		k = 0
	}
	n == 0
}

init {
	byte k;

	atomic {
		do
		:: k < H -> run rightward(k); run leftward(k); k++
		:: else -> break
		od
	}
}
