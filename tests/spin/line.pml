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
 * The lost cable joins host H-1, its right side, and host 0. Direction 0 is to the right; a ring has N
 * slots. The two end hosts put their loops, of S slots, in place independently, at any time, and take
 * nothing more from the rings over the cable. What is in those goes the other way, from the buffer of
 * the end host that sent it, when both have stopped.
 *
 * Bounds: H=3 N=2 S=2
 * Known bad:
 * NOLOOP    a frame goes from the ring of one direction into that of the other, without a loop
 * LOSTPASS  a frame that was not taken needs one free slot only, as if it gave one
 * ORDERED   the loop waits until all that was not taken has gone
 */
#include "model.inc"

#define nxt(k, d) ((d) == 0 -> ((k) + 1) % H : ((k) + H - 1) % H)
/* the ring into which host k sends in direction d, and from which it takes */
#define to(k, d) ring[(d) * H + nxt(k, d)]
#define from(k, d) ring[(d) * H + (k)]
/* the end host from which a frame in direction d would cross the cable */
#define end_of(d) ((d) == 0 -> H - 1 : 0)

byte ring[2 * H];	/* frames in each */
byte loop[2];		/* at the end host of direction d; what leaves it goes in direction 1-d */
bool cut[2];		/* that end host has stopped */
bool stop;

#define lost_out (k == end_of(d) && cut[d])
#define lost_in (k == end_of(1 - d) && cut[1 - d])
#define room (!lost_out -> N - to(k, d) : (given(NOLOOP) -> N - to(k, 1 - d) : S - loop[d]))
/* at the end host which sends in direction d what cannot go on in the other one */
#define back (k == end_of(1 - d))
#define kept to(k, 1 - d)
#define serves_loop (back && loop[1 - d] > 0 && !(given(ORDERED) && kept > 0))

inline put()
{
	if
	:: lost_out && given(NOLOOP) -> to(k, 1 - d)++
	:: lost_out && !given(NOLOOP) -> loop[d]++
	:: else -> to(k, d)++
	fi
}

proctype service(byte k; bit d)
{
end:
	do
	:: atomic { !stop && room >= 2 -> put() }
	:: atomic { !stop && !lost_in && from(k, d) > 0 -> from(k, d)-- }
	:: atomic { !lost_in && from(k, d) > 0 && room >= 1 -> from(k, d)--; put() }
	/* what was not taken */
	:: atomic { back && cut[0] && cut[1] && kept > 0 && room >= 2 - given(LOSTPASS) ->
		kept--; put() }
	:: atomic { !stop && serves_loop -> loop[1 - d]-- }
	:: atomic { serves_loop && room >= 1 ->
		loop[1 - d]--; put() }
	od
}

active proctype hand()
{
	do
	:: atomic { !cut[0] -> cut[0] = true }
	:: atomic { !cut[1] -> cut[1] = true }
	:: atomic { cut[0] && cut[1] && !stop -> stop = true }
	:: stop -> break
	od
}

/* a state in which no frame can go on is an end state, and valid only if there is none */
active proctype judge()
{
	byte i, n;

	atomic { stop ->
		for (i : 0 .. 2 * H - 1) { n = n + ring[i] }
		n = n + loop[0] + loop[1];
		i = 0
	}
	n == 0
}

start(H, run service(k, 0); run service(k, 1))
