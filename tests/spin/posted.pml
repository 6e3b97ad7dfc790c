/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The queue of posted collectives of a team in one PE (shmem/coll/posted.c). The program posts M,
 * and then a blocking collective of the same team, which waits until they have ended. The program
 * and a service lcore may both run the queue; one claims it at a time. A collective waits in the
 * middle, where whoever runs the queue may leave it to the other.
 *
 * COMPUTES   the program leaves the work to the lcore
 * UNTIL      the program waits for the first request, and keeps the queue meanwhile. The last
 *            collective waits for a PE that goes on only when the program does
 *
 * Bounds: M=3
 * Known bad:
 * NOCLAIM    two run the queue at once
 * NODRAIN    the blocking collective does not wait
 * NORECHECK  the pending bit is cleared, and the inbox is not looked at again
 * NOREVERSE  the inbox, which has the last one first, is taken as it is
 * DONEFIRST  a request is called done before its collective has ended
 * SPLITTAKE  the lcore looks into the inbox and empties it in two steps
 * NOLOOK     whoever waits for a request does not look again when it has claimed the queue
 */
#include "model.inc"

byte inbox[M], inside;	/* pushed, the last one at inside - 1 */
byte queue[M], first, last;	/* the runner's: taken and not begun */
byte now;		/* the runner's: begun, plus 1; 0: none */
bool pending, running, busy;
bool went = !given(UNTIL);	/* the program has waited for the first request */
byte finished, ended;	/* ended: for the order */
bool state[M], result[M];

/* Nobody else pushes: an empty inbox stays so. Else by compare and swap. */
inline push(r)
{
	bare = inside == 0;
	if
	:: bare -> atomic { assert(inside == 0); inbox[0] = r; inside = 1 }
	:: else -> atomic { inbox[inside] = r; inside++ }
	fi;
	pending = 1
}

/* What was seen of the inbox, the first one first. */
inline move(seen)
{
	first = 0;
	last = 0;
	do
	:: last < seen -> queue[last] = inbox[(given(NOREVERSE) -> seen - 1 - last : last)]; last++
	:: else -> break
	od
	inside = 0
}

/* All of the inbox at once, or in two steps: the program, which pushes itself. */
inline take(split)
{
	if
	:: first == last && split -> seen = inside;
		d_step { if :: seen > 0 -> move(seen) :: else fi }
	:: first == last && !split ->
		d_step { seen = inside; if :: seen > 0 -> move(seen) :: else fi }
	:: else
	fi;
	d_step {
		if
		:: first < last -> now = queue[first] + 1; first++
		:: else
		fi
	}
}

inline settle()
{
	pending = 0;
	if
	:: inside > 0 && !given(NORECHECK) -> pending = 1
	:: else
	fi
}

/* The collective has the state of the team from its begin to its end. */
inline finish()
{
	with(DONEFIRST, state[now - 1] = 1;)
	assert(ended == now - 1);
	ended++;
	busy = 0;
	result[now - 1] = 1;
	finished++;
	state[now - 1] = 1;
	now = 0
}

#define MAY_END (now != M || went)

inline begin(split)
{
	take(split);
	if
	:: now == 0 -> settle(); break
	:: else -> assert(!busy); busy = 1
	fi
}

inline run_queue(split)
{
	do
	:: now == 0 -> begin(split)
	:: now != 0 -> break	/* it waits */
	:: now != 0 && MAY_END -> finish()
	od
}

/* Keeps the thread until the first one has ended. */
inline run_until()
{
	do
	:: state[0] && !given(NOLOOK) -> break
	:: (!state[0] || given(NOLOOK)) && now == 0 -> begin(1)
	:: (!state[0] || given(NOLOOK)) && now != 0 -> MAY_END -> finish();
		if :: given(NOLOOK) && state[0] -> break :: else fi
	od
}

inline claim()
{
	atomic {
		mine = !running || given(NOCLAIM);
		running = 1
	}
}

inline turn(split)
{
	claim();
	if
	:: mine -> run_queue(split); running = 0
	:: else
	fi
}

proctype program()
{
	byte i, seen;
	bool mine, bare;

	for (i : 0 .. M - 1) {
		push(i);
		if
		:: !given(COMPUTES) -> turn(1)
		:: true
		fi
	}
#ifdef UNTIL
	do
	:: state[0] -> break
	:: !state[0] ->
		claim();
		if
		:: mine -> run_until(); running = 0
		:: else
		fi
	od;
	went = 1;
#endif
	do
	:: finished == M || given(NODRAIN) -> break
	:: finished < M && !given(COMPUTES) -> turn(1)
	od;
	assert(!busy);
	busy = 1;
	assert(ended == M);
	busy = 0;
	for (i : 0 .. M - 1) {
		state[i] == 1;
		assert(result[i])
	}
}

proctype lcore()
{
	byte seen;
	bool mine;

end:	do
	:: pending && !running -> turn(given(SPLITTAKE))
	od
}

/* Reads a result as soon as its request is done, as another thread of the program may. */
proctype reader()
{
	state[0] == 1;
	assert(result[0])
}

start(1, run program(); run lcore(); run reader())
