/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Requests of one source, target and channel on two ways, in which they are executed in turn:
 * doc/protocols.md, section 9.
 *
 * THREADS threads share a count and send M requests in all, each on either way, the first one
 * under the lock of that way. Every second one is not counted: it goes behind all that were counted
 * before, and nothing waits for it. Ways have room for W and lose nothing. The target takes from
 * them in any order, and keeps what comes before its turn.
 * Checked: a request is executed once, and after all counted ones of its thread before it; all are
 * executed in the end.
 *
 * Bounds: M=4 W=2 THREADS=2
 * Known bad:
 * NOTURN    the target executes what comes
 * NOCOUNT   requests that are not counted do not look at their turn
 * LATECOUNT the count is read again after it was raised
 * ONCE      a request that was kept stays there when it is executed
 */
#include "model.inc"

chan way[2] = [W] of { byte, byte, bit, byte };	/* those before it, number, counted, what they are */
chan early = [M] of { byte, byte, bit, byte };	/* sorted by the first */
bool lock[2];
byte sent, issued, total;
byte done;

inline execute()
{
	assert(!(done & 1 << number) && (done & own) == own && (!counted || before == total));
	done = done | 1 << number;
	total = total + counted
}

proctype sender()
{
	byte number, before, own;
	bit w, counted;

	do
	:: atomic { sent < M -> number = sent; sent++; counted = 1 - number % 2 };
		if :: w = 0 :: w = 1 fi;
		atomic { !lock[w] -> lock[w] = true };
		nfull(way[w]);
		atomic { before = issued; issued = issued + counted };
		with(LATECOUNT, before = issued - counted;)
		atomic { way[w]!before,number,counted,own; own = own | counted << number };
		lock[w] = false
	:: atomic { sent == M -> break }
	od
}

#define look(c) \
	:: atomic { nempty(c) -> \
		c?before,number,counted,own; \
		if \
		:: before <= total || given(NOTURN) || given(NOCOUNT) && !counted -> execute() \
		:: else -> early!!before,number,counted,own \
		fi; \
		over }
#define over \
	lowest = M; \
	if \
	:: nempty(early) -> early?<lowest,number,counted,own> \
	:: else \
	fi; \
	number = 0; before = 0; counted = 0; own = 0

active proctype target()
{
	byte number, before, own, lowest = M;
	bit counted;

	do
	look(way[0])
	look(way[1])
	:: atomic { lowest <= total && nempty(early) ->
		early?before,number,counted,own;
		execute();
		with(ONCE, early!!before,number,counted,own;)
		over }
	:: atomic { sent == M && done == (1 << M) - 1 -> break }
	od
}

start(THREADS, run sender())
