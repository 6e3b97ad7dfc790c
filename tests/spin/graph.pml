/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Transit rings of two slots in graphs that are more than a ring: doc/protocols.md, section 1.
 *
 * Hosts issue M requests, each for one other host. With -DWEB hosts 0 to 3 are a cycle in which each
 * sends to the opposite one, and host 4 is joined to host 0 and sends to host 2. Without it there
 * is a torus of two columns and Y rows, whose links lead to the right and up only, which loads them
 * most. Each host sends one to the right and Y - 1 up; in three rows those of the first column alone.
 * A ring has a process that moves its head, and ends where it is for its own host. A request enters
 * its first ring on two free slots.
 * Bounds: M=2 Y=3
 * Known bad:
 * NOTREE   WEB: the shortest way round the cycle, which goes up again after it went down
 * NOTURN   a frame turns into a column while one slot is free there
 * EITHER   two rows: hosts 1 and 2 send up their column first
 */
#include "model.inc"

/* A ring has a number, and is in the memory of a host. next() is the one into which the head of
 * ring e goes on from host k to host d; a request of k comes from OWN. */
#define OWN 255
#ifdef WEB
#define H 5
#define RINGS 25
#define sends(k) true
#define from_to(a, b) ((a) * H + (b))
#define host_of(e) ((e) % H)
#define target(k) (k == 4 -> 2 : (k + 2) % 4)
#ifdef NOTREE
#define step(k, d) (k == 4 -> 0 : (k + 1) % 4)
#else	/* host 0 is above 1, 3 and 4, these are above 2: hosts 1 and 3 meet at 0, never at 2 */
#define step(k, d) \
	(k == 1 && d == 2 -> 2 : (k == 2 || k == 0 && d == 2 -> 1 : (k == 0 -> d : 0)))
#endif
#define next(e, k, d) from_to(k, step(k, d))
#define turns(e, out) false
#else
#define H (2 * Y)
#define sends(k) (Y == 2 || k % 2 == 0)
#define RINGS (4 * Y)
#define host_of(e) ((e) / 2)
#define is_column(e) ((e) % 2)
#define right(k) (2 * ((k) / 2 * 2 + ((k) + 1) % 2))
#define up(k) (2 * (((k) + 2) % H) + 1)
#define same_row(k, d) ((k) / 2 == (d) / 2)
#define same_column(k, d) ((k) % 2 == (d) % 2)
#define target(k) ((right(k) / 2 + H - 2) % H)
#define upright(e, k) (e == OWN && given(EITHER) && (k == 1 || k == 2) || e != OWN && is_column(e))
#define goes_up(e, k, d) (upright(e, k) && !same_row(k, d) || !upright(e, k) && same_column(k, d))
#define next(e, k, d) (goes_up(e, k, d) -> up(k) : right(k))
#define turns(e, out) (is_column(e) != is_column(out) && !given(NOTURN))
#endif

/* what is in each ring, by destination; the head is first */
byte used[25], slot[50];
byte unsent[6], sent, arrived;

#define head(e) slot[2 * (e)]
#define room(e) (2 - used[e])

inline put(e, d)
{
	slot[2 * (e) + used[e]] = d;
	used[e]++
}

inline take(e)
{
	head(e) = slot[2 * (e) + 1];
	slot[2 * (e) + 1] = 0;
	used[e]--
}

proctype move(byte e, k)
{
	byte d, out;

end:
	do
	:: d_step { used[e] > 0 && head(e) == k -> take(e); arrived++ }
	:: d_step { used[e] > 0 && head(e) != k &&
		room(next(e, k, head(e))) >= 1 + turns(e, next(e, k, head(e))) ->
		d = head(e);
		out = next(e, k, d);
		take(e);
		put(out, d);
		d = 0;
		out = 0
	}
	od
}

proctype issue(byte k)
{
	byte d, first;

	d_step {
		d = target(k);
		first = next(OWN, k, d)
	}
	do
	:: d_step { unsent[k] > 0 && room(first) == 2 -> put(first, d); unsent[k]-- }
	:: unsent[k] == 0 -> break
	od
}

init {
	byte k;

	atomic {
		for (k : 0 .. RINGS - 1) { run move(k, host_of(k)) }
		for (k : 0 .. H - 1) {
			unsent[k] = (sends(k) -> M : 0);
			sent = sent + unsent[k];
			run issue(k)
		}
		k = 0
	}
	arrived == sent
}
