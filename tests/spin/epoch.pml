/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Routes change while rings of slots are full: doc/protocols.md, section 9.
 *
 * H hosts; host k has a ring of N slots at host k + 1. By the old routes no frame goes from the ring
 * of the last host into that of host 0, so that a frame enters a ring on one free slot. By the new
 * ones frames go all the way round, and enter on two. Only how full rings are counts, so the number
 * of frames is not bounded: a frame may enter any ring, and may be at its destination wherever it is
 * at a head, until `stop`. From then on none enters and none is consumed, which is the worst that
 * can happen but for old frames at host 0, which go no further. A host takes the new routes at any
 * time. A head of the other routes leaves for memory of the host, and enters anew.
 * Checked: in each ring old frames are before new ones; while there are frames in rings one of them
 * can move.
 *
 * Bounds: H=3 N=2
 * Known bad:
 * STAY      a head of the old routes waits for its turn by those
 * ONESLOT   frames enter on one free slot by the new routes too
 */
#include "model.inc"

#define nxt(k) (((k) + 1) % H)
#define before(k) (((k) + H - 1) % H)

/* at host k + 1, from the head on: old frames, then new ones */
byte old[H], new[H];
bool knows[H];
bool stop;

#define room(k) (N - old[k] - new[k])
#define in before(k)
#define strays (old[in] > 0 && knows[k] || old[in] == 0 && new[in] > 0 && !knows[k])
#define enters (2 - given(ONESLOT))
#if H > 3
#define empty_3 (old[3] + new[3] == 0)
#else
#define empty_3 true
#endif
#define all_empty (old[0] + new[0] + old[1] + new[1] + old[2] + new[2] == 0 && empty_3)

proctype host(byte k)
{
	do
	:: atomic { !knows[k] -> knows[k] = true }
	/* own frames, and those in memory */
	:: atomic { !stop && !knows[k] && room(k) >= 1 ->
		assert(new[k] == 0);
		old[k]++ }
	:: atomic { !stop && knows[k] && room(k) >= enters -> new[k]++ }
	/* at their destination */
	:: atomic { (!stop || k == 0 && (!knows[k] || given(STAY))) && old[in] > 0 -> old[in]-- }
	:: atomic { !stop && old[in] == 0 && new[in] > 0 -> new[in]-- }
	/* to memory */
	:: atomic { strays && !(given(STAY) && knows[k]) ->
		if
		:: old[in] > 0 -> old[in]--
		:: else -> new[in]--
		fi }
	/* into the next ring */
	:: atomic { old[in] > 0 && (!knows[k] || given(STAY)) && k != 0 && room(k) >= 1 &&
		(new[k] == 0 || given(STAY)) ->
		old[in]--;
		old[k]++ }
	:: atomic { old[in] == 0 && new[in] > 0 && knows[k] && room(k) >= 1 ->
		new[in]--;
		new[k]++ }
	:: stop && all_empty -> break
	od
}

active proctype ends()
{
	stop = true
}

start(H, run host(k))
