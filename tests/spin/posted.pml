/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The queue of posted collectives of a team in one PE (shmem/coll/posted.c). The program posts M,
 * and then a blocking collective of the same team, which waits until they have ended. The program
 * and a service lcore may both run the queue; one claims it at a time. A collective waits in the
 * middle, where whoever runs the queue may leave it to the other.
 *
 * COMPUTES   the program leaves the work to the lcore
 *
 * Faults: NOCLAIM    two run the queue at once
 *         NODRAIN    the blocking collective does not wait
 *         NORECHECK  the pending bit is cleared, and the inbox is not looked at again
 *         NOREVERSE  the inbox, which has the last one first, is taken as it is
 *         DONEFIRST  a request is called done before its collective has ended
 */
#ifndef M
#define M 3
#endif

byte inbox[M], inside;	/* pushed, the last one at inside - 1 */
byte queue[M], first, last;	/* the runner's: taken and not begun */
byte now;		/* the runner's: begun, plus 1; 0: none */
bool pending, running, busy;
byte finished, ended;	/* ended: for the order */
bool state[M], result[M];

inline push(r)
{
	atomic {
		inbox[inside] = r;
		inside++
	}
	pending = 1
}

/* All of the inbox at once. */
inline take()
{
	atomic {
		if
		:: first == last && inside > 0 ->
			first = 0;
			last = 0;
#ifdef NOREVERSE
			do
			:: inside > 0 -> inside--; queue[last] = inbox[inside]; last++
			:: inside == 0 -> break
			od
#else
			do
			:: last < inside -> queue[last] = inbox[last]; last++
			:: last == inside -> break
			od;
			inside = 0
#endif
		:: else
		fi;
		if
		:: first < last -> now = queue[first] + 1; first++
		:: else
		fi
	}
}

inline settle()
{
	pending = 0;
#ifndef NORECHECK
	if
	:: inside > 0 -> pending = 1
	:: else
	fi
#endif
}

/* The collective has the state of the team from its begin to its end. */
inline finish()
{
#ifdef DONEFIRST
	state[now - 1] = 1;
#endif
	assert(ended == now - 1);
	ended++;
	busy = 0;
	result[now - 1] = 1;
	finished++;
	state[now - 1] = 1;
	now = 0
}

inline run_queue()
{
	do
	:: now == 0 ->
		take();
		if
		:: now == 0 -> settle(); break
		:: else -> assert(!busy); busy = 1
		fi
	:: now != 0 -> break	/* it waits */
	:: now != 0 -> finish();
		if
		:: break	/* the one that it waits for has ended: the bit stays */
		:: true
		fi
	od
}

inline turn()
{
#ifdef NOCLAIM
	mine = 1;
#else
	atomic {
		mine = !running;
		running = 1
	}
#endif
	if
	:: mine -> run_queue(); running = 0
	:: else
	fi
}

proctype program()
{
	byte i;
	bool mine;

	for (i : 0 .. M - 1) {
		push(i);
#ifndef COMPUTES
		if
		:: turn()
		:: true
		fi
#endif
	}
#ifndef NODRAIN
	do
	:: finished == M -> break
#ifndef COMPUTES
	:: finished < M -> turn()
#endif
	od;
#endif
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
	bool mine;

end:	do
	:: pending -> turn()
	od
}

/* Reads a result as soon as its request is done, as another thread of the program may. */
proctype reader()
{
	state[0] == 1;
	assert(result[0])
}

init {
	atomic {
		run program();
		run lcore();
		run reader()
	}
}
