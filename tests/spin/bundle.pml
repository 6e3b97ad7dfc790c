/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Bundles of an alltoall between G hosts (shmem/coll/alltoall.c), two members on each. Members
 * enter; the leader, member 0, waits for its host's, sends its bundle of this number into each other host's area and posts the number. Members take from the area of their own host when its word says so.
 *
 * Faults: AREAS=1  one area instead of two in turn
 *         HASTY    the leader sends before its host's members have entered
 */
#ifndef G
#define G 2
#endif
#ifndef K
#define K 4
#endif
#ifndef AREAS
#define AREAS 2
#endif

#define AREA(to, from, k) (((to) * G + (from)) * AREAS + (k) % AREAS)

byte entered[G * 2];
byte word[G * G];	/* [host][from] */
byte area[G * G * AREAS];

proctype member(byte host, me)
{
	byte k, i;

	for (k : 1 .. K) {
		entered[host * 2 + me] = k;
		if
		:: me == 0 ->
#ifndef HASTY
			entered[host * 2 + 1] >= k;
#endif
			for (i : 0 .. G - 1) {
				if
				:: i != host ->
					area[AREA(i, host, k)] = 0;	/* half of it */
					area[AREA(i, host, k)] = k;
					word[i * G + host] = k
				:: else
				fi
			}
		:: else
		fi;
		for (i : 0 .. G - 1) {
			if
			:: i != host ->
				word[host * G + i] >= k;
				assert(area[AREA(host, i, k)] == k)
			:: else
			fi
		}
	}
}

init {
	byte h;

	atomic {
		for (h : 0 .. G - 1) {
			run member(h, 0);
			run member(h, 1)
		}
	}
}
