/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Reductions in parts (shmem/coll/meet.c): G hosts, two members on each, K reductions. Members
 * enter; one that sees that both have entered claims the number and sends the host's part into the
 * area of this number at each other host, then its number. Its puts may land later, in their order,
 * while those of the other member pass them. Members take the parts from the areas of their own
 * host when the numbers say so.
 * BUNDLES   of an alltoall (shmem/coll/alltoall.c): member 0, the leader, sends, and it alone waits for the
 *           other one first; with ONEWORD, since its puts land in their order
 *
 * Bounds: G=2 K=4 AREAS=2
 * Known bad:
 * AREAS=1  one area instead of two in turn
 * ONEWORD  one number for both areas
 * HASTY    a member sends before the other one has entered
 * TWICE    both members send
 */
#include "model.inc"

#define WORDS (given(ONEWORD) -> 1 : AREAS)

#define AREA(to, from, k) (((to) * G + (from)) * AREAS + (k) % AREAS)
#define WORD(to, from, k) (((to) * G + (from)) * WORDS + (k) % WORDS)

byte entered[G * 2];
byte sent[G];
byte area[G * G * AREAS];
byte word[G * G * AREAS];
chan put[G * 2] = [1] of { byte }; /* sent by this member, not yet on its way */

active [G * 2] proctype way()
{
	byte host = _pid / 2, k, i;
	byte me = _pid;

end:
	do
	:: put[me] ? k ->
		for (i : 0 .. G - 1) {
			if
			:: i != host ->
				area[AREA(i, host, k)] = 0;	/* half of it */
				area[AREA(i, host, k)] = k
			:: else
			fi
		}
		for (i : 0 .. G - 1) {
			if
			:: i != host -> word[WORD(i, host, k)] = k
			:: else
			fi
		}
	od
}

proctype member(byte host, me)
{
	byte k, i;

	for (k : 1 .. K) {
		entered[host * 2 + me] = k;
		entered[host * 2 + 1 - me] >= k || given(HASTY) || (me == 1 && given(BUNDLES));
		atomic {
			if
			:: (sent[host] < k || given(TWICE)) && !(me == 1 && given(BUNDLES)) ->
				sent[host] = k;
				put[host * 2 + me] ! k
			:: else
			fi
		}
		for (i : 0 .. G - 1) {
			if
			:: i != host ->
				word[WORD(host, i, k)] >= k;
				assert(area[AREA(host, i, k)] == k)
			:: else
			fi
		}
	}
}

start(G, run member(k, 0); run member(k, 1))
