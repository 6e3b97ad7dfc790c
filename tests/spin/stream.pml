/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Streams between N leaders round a ring (shmem/coll/stream.c): D buffers each way between
 * neighbours, of which the release of every (D/2)th is posted, and collectives on them, K in a row,
 * the same for all members. With TEAMS=2 they are on two teams in turn, the second in reverse order,
 * each with streams of its own. Kinds, of which A, B and C choose:
 *   COLLECT  neighbour exchange of R blocks a member; sends and takes go on in any order
 *   TURNS    neighbour exchange of one block, send then take (fold_all() in reduce.c)
 *   CAST     broadcast from the root k mod N
 *   SCAN     R pieces from rank 0 to the last; buffers are released after they were sent on
 *   REDUCE   R pieces inwards to rank N/2 and their results outwards, both in buffers, at most W
 *            ahead
 *   PAIR     of two members: R pieces each, W by one way and W by the other in turn, at most 2W ahead
 *            of those that came (fold_two())
 *   ANY      any of COLLECT, TURNS, CAST and SCAN
 *
 * Options: UNEVEN  in a collect rank 0 has R blocks, rank 1 none, the others one
 *          HALVES  a buffer is filled in two steps and posted in a third
 *          ORDER   of what can go on in a collect the first does: sends, takes, up, down
 *
 * Bounds: N=3 D=4 R=2 W=4 TEAMS=1 A=COLLECT B=0 C=0
 * Known bad:
 * ALLFIRST  a collect sends all blocks of a step before it takes any
 * UNPOSTED  the last release of a run of D is never posted
 * EARLY     a buffer is filled again one too early
 * HASTY     a buffer is given back before it was read
 * MARKFIRST the word goes before the data
 * ONESLOT   both teams use the streams of one
 * W=...     a window that the buffers do not hold
 */
#include "model.inc"

#define COLLECT 1
#define TURNS 2
#define CAST 3
#define SCAN 4
#define REDUCE 5
#define ANY 6
#define PAIR 7

#define K (1 + (B != 0) + (C != 0))
#define UP 0
#define DOWN 1
#define MIDDLE (N / 2)
#define BELOW (N / 2)		/* blocks that come from below */
#define ABOVE (N - 1 - BELOW)	/* and from above */
#define RUNS(rank) ((rank) == 0 || !given(UNEVEN) -> R : ((rank) == 1 -> 0 : 1))

#define TEAM (given(ONESLOT) -> 0 : k % TEAMS)
/* PE of a rank, and back */
#define WHO(rank) (k % TEAMS == 1 -> N - 1 - (rank) : (rank))
#define NEXT(dir) ((dir) == UP -> (rank + 1) % N : (rank + N - 1) % N)
#define PREV(dir) NEXT(1 - (dir))
/* words and buffers of @who */
#define AT(who, dir) ((TEAM * N + (who)) * 2 + (dir))
#define MINE(dir) AT(me, dir)
/* data: of which collective, from whom, which piece; never 0 */
#define DATA(from, i) (1 + (k * N + (from)) * 10 + (i))

#define KEEP (D + given(EARLY))

byte kind[3];
byte sent[TEAMS * N * 2];	/* written by the previous member */
byte freed[TEAMS * N * 2];	/* written by the next one */
byte buf[TEAMS * N * 2 * D];
/* a member's own counts */
byte filled[TEAMS * N * 2];
byte got[TEAMS * N * 2];
byte gone[TEAMS * N * 2];
byte posted[TEAMS * N * 2];

#define MAY_SEND(dir) (filled[MINE(dir)] < KEEP || freed[MINE(dir)] >= filled[MINE(dir)] - KEEP + 1)
#define ARRIVED(dir) (sent[MINE(dir)] > got[MINE(dir)])
#define SLOT(who, dir, count) buf[AT(who, dir) * D + (count) % D]

/* What the next lines are about: direction, data, the neighbours there and behind. */
#define AIM(dir, data) \
	d_step { \
		d = dir; \
		v = data; \
		to = WHO(NEXT(d)); \
		back = WHO(PREV(d)) \
	}
#define SEND(dir, data) AIM(dir, data); send()
#define RECEIVE(dir, data) AIM(dir, data); receive()
#define RELEASE(dir, data) AIM(dir, data); release()
#define TAKE(dir, data) AIM(dir, data); receive(); release()

inline put()
{
	SLOT(to, d, filled[MINE(d)]) = 0;	/* half of it */
	SLOT(to, d, filled[MINE(d)]) = v
}

inline send()
{
	MAY_SEND(d);
	with(MARKFIRST, sent[AT(to, d)] = filled[MINE(d)] + 1; put();)
	with(HALVES, put();)
	d_step {
		SLOT(to, d, filled[MINE(d)]) = v;
		filled[MINE(d)]++;
		sent[AT(to, d)] = filled[MINE(d)]
	}
}

/* Wait for the next buffer. */
inline receive()
{
	atomic {
		ARRIVED(d);
		assert(SLOT(me, d, got[MINE(d)]) == v);
		got[MINE(d)]++
	}
}

#define POSTS \
	(gone[MINE(d)] - posted[MINE(d)] == D / 2 && (gone[MINE(d)] % D != 0 || !given(UNPOSTED)))

/* It has stayed as it was all the time. */
inline release()
{
	atomic {
		assert(SLOT(me, d, gone[MINE(d)]) == v || given(HASTY));
		gone[MINE(d)]++;
		if
		:: POSTS ->
			posted[MINE(d)] = gone[MINE(d)];
			freed[AT(back, d)] = gone[MINE(d)]
		:: else
		fi
	}
	with(HASTY, assert(SLOT(me, d, gone[MINE(d)] - 1) == v))
}

/* Block of the rank @s below (UP) or above (DOWN). */
#define FROM(dir, s) ((dir) == UP -> (rank + N - (s)) % N : (rank + (s)) % N)

#define PASS_UP (o0 < RUNS(FROM(UP, s - 1)) && MAY_SEND(UP))
#define PASS_DOWN (s <= ABOVE && o1 < RUNS(FROM(DOWN, s - 1)) && MAY_SEND(DOWN))
#define TAKE_UP (i0 < RUNS(FROM(UP, s)) && ARRIVED(UP))
#define TAKE_DOWN (s <= ABOVE && i1 < RUNS(FROM(DOWN, s)) && ARRIVED(DOWN))
#define FREE(others) ((others) || !given(ORDER))

inline collect()
{
	for (s : 1 .. BELOW) {
#ifdef ALLFIRST
		for (o0 : 0 .. RUNS(FROM(UP, s - 1)) - 1) { SEND(UP, DATA(FROM(UP, s - 1), o0)) }
		if
		:: s <= ABOVE ->
			for (o1 : 0 .. RUNS(FROM(DOWN, s - 1)) - 1) { SEND(DOWN, DATA(FROM(DOWN, s - 1), o1)) }
		:: else
		fi;
#endif
		do
		:: PASS_UP -> SEND(UP, DATA(FROM(UP, s - 1), o0)); o0++
		:: FREE(!PASS_UP) && PASS_DOWN -> SEND(DOWN, DATA(FROM(DOWN, s - 1), o1)); o1++
		:: FREE(!PASS_UP && !PASS_DOWN) && TAKE_UP -> TAKE(UP, DATA(FROM(UP, s), i0)); i0++
		:: FREE(!PASS_UP && !PASS_DOWN && !TAKE_UP) && TAKE_DOWN ->
			TAKE(DOWN, DATA(FROM(DOWN, s), i1));
			i1++
		:: o0 >= RUNS(FROM(UP, s - 1)) && i0 == RUNS(FROM(UP, s)) &&
		   (s > ABOVE || (o1 >= RUNS(FROM(DOWN, s - 1)) && i1 == RUNS(FROM(DOWN, s)))) ->
			break
		od;
		atomic { o0 = 0; o1 = 0; i0 = 0; i1 = 0 }
	}
}

inline turns()
{
	for (s : 1 .. BELOW) {
		SEND(UP, DATA(FROM(UP, s - 1), 0));
		if :: s <= ABOVE -> SEND(DOWN, DATA(FROM(DOWN, s - 1), 0)) :: else fi;
		TAKE(UP, DATA(FROM(UP, s), 0));
		if :: s <= ABOVE -> TAKE(DOWN, DATA(FROM(DOWN, s), 0)) :: else fi
	}
}

/* Members at distances 1 .. N/2 above the root stand in the upper chain. */
inline cast()
{
	s = (rank + N - k % N) % N;
	if
	:: s == 0 ->
		SEND(UP, DATA(0, 0));
		if :: N > 2 -> SEND(DOWN, DATA(0, 0)) :: else fi
	:: s > 0 && s <= N / 2 ->
		RECEIVE(UP, DATA(0, 0));
		if :: s < N / 2 -> SEND(UP, DATA(0, 0)) :: else fi;
		RELEASE(UP, DATA(0, 0))
	:: s > N / 2 ->
		RECEIVE(DOWN, DATA(0, 0));
		if :: s > N / 2 + 1 -> SEND(DOWN, DATA(0, 0)) :: else fi;
		RELEASE(DOWN, DATA(0, 0))
	fi
}

inline scan()
{
	for (s : 0 .. R - 1) {
		if :: rank > 0 -> RECEIVE(UP, DATA(0, s)) :: else fi;
		if :: rank < N - 1 -> SEND(UP, DATA(0, s)) :: else fi;
		if :: rank > 0 -> RELEASE(UP, DATA(0, s)) :: else fi
	}
}

/* i0 pieces have gone inwards, o0 results outwards. */
#define IN (rank < MIDDLE -> UP : DOWN)
#define OUT (1 - IN)

inline reduce()
{
	do
	:: o0 == R -> break
	:: o0 < R && rank == MIDDLE ->
		RECEIVE(UP, DATA(0, o0));
		if
		:: MIDDLE < N - 1 ->
			RECEIVE(DOWN, DATA(0, o0));
			RELEASE(DOWN, DATA(0, o0));
			SEND(UP, DATA(1, o0))
		:: else
		fi;
		RELEASE(UP, DATA(0, o0));
		SEND(DOWN, DATA(1, o0));
		o0++
	:: o0 < R && rank != MIDDLE && i0 < R && i0 - o0 < W ->
		if
		:: rank == 0 || rank == N - 1 -> SEND(IN, DATA(0, i0))
		:: else ->
			RECEIVE(IN, DATA(0, i0));
			SEND(IN, DATA(0, i0));
			RELEASE(IN, DATA(0, i0))
		fi;
		i0++
	:: o0 < R && rank != MIDDLE && !(i0 < R && i0 - o0 < W) ->
		TAKE(OUT, DATA(1, o0));
		if :: rank != 0 && rank != N - 1 -> SEND(OUT, DATA(1, o0)) :: else fi;
		o0++
	od;
	atomic { o0 = 0; i0 = 0 }
}

#define WAY(piece) ((piece) / W % 2 == 0 -> UP : DOWN)

inline pair()
{
	do
	:: o0 == R -> break
	:: o0 < R && i0 < R && i0 - o0 < 2 * W -> SEND(WAY(i0), DATA(rank, i0)); i0++
	:: o0 < R && !(i0 < R && i0 - o0 < 2 * W) -> TAKE(WAY(o0), DATA(1 - rank, o0)); o0++
	od;
	atomic { o0 = 0; i0 = 0 }
}

proctype member(byte me)
{
	byte k, rank, s, o0, o1, i0, i1, d, v, to, back;

	for (k : 0 .. K - 1) {
		rank = WHO(me);
		if
		:: kind[k] == COLLECT -> collect()
		:: kind[k] == TURNS -> turns()
		:: kind[k] == CAST -> cast()
		:: kind[k] == SCAN -> scan()
		:: kind[k] == REDUCE -> reduce()
		:: kind[k] == PAIR -> pair()
		fi;
		s = 0
	}
}

inline choose(which, what)
{
	if
	:: what != ANY -> kind[which] = what
	:: what == ANY -> kind[which] = COLLECT
	:: what == ANY -> kind[which] = TURNS
	:: what == ANY -> kind[which] = CAST
	:: what == ANY -> kind[which] = SCAN
	fi
}

init {
	byte m;

	atomic {
		choose(0, A);
		choose(1, B);
		choose(2, C);
		for (m : 0 .. N - 1) { run member(m) }
	}
}
