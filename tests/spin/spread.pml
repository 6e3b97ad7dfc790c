/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The barrier of a job that survives lost cables: doc/protocols.md, section 9.
 *
 * H hosts, with a cable between any two. Each knows the last epoch in which each host has arrived,
 * and tells its neighbours, word by word. Cables break at any time while those that are left join all
 * hosts: what is stored over them later is lost. E epochs.
 * Checked: a host leaves an epoch when all have arrived in it; all leave the last one.
 *
 * Bounds: H=3 E=2
 * Known bad:
 * LEAVEFIRST a host leaves before it has told what it knows
 * ANYEPOCH   the word of an earlier epoch counts
 */
#include "model.inc"

byte word[H * H * H];	/* at host a, from host b, about host c */
byte arrived[H];
bool news[H];		/* a word has changed: a look before finds nothing */
byte out[H * H];	/* cables that broke */
byte broken;

#define at(a, b, c) word[((a) * H + (b)) * H + (c)]
#define cable(a, b) out[(a) * H + (b)]

proctype host(byte k)
{
	byte heard[H], epoch, i, j;
	bool all_here;

	do
	:: epoch == E -> break
	:: epoch < E ->
		epoch++;
		arrived[k] = epoch;
		heard[k] = epoch;
		news[k] = true;
		do
		:: atomic { news[k] ->
			news[k] = false;
			for (i : 0 .. H - 1) {
				for (j : 0 .. H - 1) {
					if
					:: at(k, i, j) > heard[j] -> heard[j] = at(k, i, j)
					:: else
					fi
				}
			}
			all_here = true;
			for (j : 0 .. H - 1) {
				all_here = all_here && heard[j] >= epoch - given(ANYEPOCH)
			}
			i = 0; j = 0 };
			if
			:: given(LEAVEFIRST) && all_here -> break
			:: else
			fi;
			i = 0;
			do
			:: i == H -> break
			:: i < H ->
				d_step {
					for (j : 0 .. H - 1) {
						if
						:: i != k && !cable(k, i) && heard[j] > at(i, k, j) ->
							at(i, k, j) = heard[j]; news[i] = true
						:: else
						fi
					}
					j = 0;
					i++
				}
			od;
			i = 0;
			if
			:: all_here -> break
			:: else
			fi
		od;
		skip;
		d_step {
			for (j : 0 .. H - 1) { assert(arrived[j] >= epoch) }
			j = 0;
			all_here = false
		}
	od
}

/* The cables that are left join all: with one cable between any two of three hosts, one may break;
 * of four, the three that make a triangle, or a path. */
active proctype breaks()
{
end:
	do
	:: atomic { broken < H - 2 -> broken++; cable(0, broken) = 1; cable(broken, 0) = 1 }
	od
}

start(H, run host(k))
