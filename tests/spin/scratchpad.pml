/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Notify mode scratchpad: H hosts ask those HOPS further, M times each; requests go to the right,
 * answers to the left. doc/protocols.md, section 1.
 *
 * Each direction of a link has one set of scratchpads, one doorbell that says SENT, and one back
 * that says TAKEN. A relay takes a frame into a queue, and sends it on when its link is free.
 * Checked: each request is executed once and answered; no queue ever holds more than H frames; a
 * frame is not overwritten before it was read. One that hangs is an invalid end state.
 * Bounds: H=4 HOPS=2 M=2
 * Known bad:
 * HASTY     a sender does not wait for TAKEN
 * EARLY     a receiver says TAKEN before it has read the scratchpads
 * MANY      a host does not wait for the answer before it asks again
 */
#include "model.inc"

#define REQUEST 0
#define ANSWER 1
#define PLACES (H + 1)

#define at(k, d) (2 * (k) + (d))
#define right(k) ((k + 1) % H)
#define left(k) ((k + H - 1) % H)
#define next(k, d) (d == REQUEST -> right(k) : left(k))
#define before(k, d) (d == REQUEST -> left(k) : right(k))
#define target(f) ((f + HOPS) % H)

chan queue[2 * H] = [PLACES] of { byte };	/* frames are known by who asked */
byte spads[2 * H];
bool unread[2 * H];	/* ghost */
bool sent[2 * H], taken[2 * H], busy[2 * H];
byte executed[H], answered[H];

inline send_on(d)
{
	busy[at(k, d)] = true;
	queue[at(k, d)]?f;
	assert(!unread[at(next(k, d), d)]);
	unread[at(next(k, d), d)] = true;
	spads[at(next(k, d), d)] = f;
	sent[at(next(k, d), d)] = true;
	f = 0
}

inline say_taken(d)
{
	taken[at(before(k, d), d)] = true
}

inline read(d)
{
	f = spads[at(k, d)];
	unread[at(k, d)] = false
}

#define free(d) (!busy[at(k, d)] || given(HASTY))
#define room(d) nfull(queue[at(k, d)])
/* one step, but for the fault that needs two */
#ifdef EARLY
bool late[2 * H];
#define comes(d) late[at(k, d)]
#define came(d) late[at(k, d)] = false
#else
#define comes(d) sent[at(k, d)]
#define came(d) sent[at(k, d)] = false; say_taken(d)
#endif

proctype service(byte k)
{
	byte f;

end:
	do
	:: atomic { taken[at(k, REQUEST)] -> taken[at(k, REQUEST)] = false; busy[at(k, REQUEST)] = false }
	:: atomic { taken[at(k, ANSWER)] -> taken[at(k, ANSWER)] = false; busy[at(k, ANSWER)] = false }
	:: atomic { free(REQUEST) && nempty(queue[at(k, REQUEST)]) -> send_on(REQUEST) }
	:: atomic { free(ANSWER) && nempty(queue[at(k, ANSWER)]) -> send_on(ANSWER) }
	:: atomic { comes(REQUEST) && room(REQUEST) && room(ANSWER) ->
		came(REQUEST);
		read(REQUEST);
		if
		:: target(f) == k -> executed[f]++; queue[at(k, ANSWER)]!f
		:: else -> queue[at(k, REQUEST)]!f
		fi;
		assert(len(queue[at(k, REQUEST)]) <= H && len(queue[at(k, ANSWER)]) <= H);
		f = 0
	}
	:: atomic { comes(ANSWER) && room(ANSWER) ->
		came(ANSWER);
		read(ANSWER);
		if
		:: f == k -> answered[f]++
		:: else -> queue[at(k, ANSWER)]!f
		fi;
		f = 0
	}
#ifdef EARLY
	:: atomic { sent[at(k, REQUEST)] -> sent[at(k, REQUEST)] = false; say_taken(REQUEST); late[at(k, REQUEST)] = true }
	:: atomic { sent[at(k, ANSWER)] -> sent[at(k, ANSWER)] = false; say_taken(ANSWER); late[at(k, ANSWER)] = true }
#endif
	od
}

proctype app(byte k)
{
	byte n;

	for (n : 1 .. M) {
		queue[at(k, REQUEST)]!k;
		without(MANY, answered[k] == n; assert(executed[k] == n))
	}
	answered[k] == M
}

start(H, run service(k); run app(k))
