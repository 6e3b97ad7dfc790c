/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Requests of one context to one host, of which words go by rings of their own: doc/protocols.md,
 * section 1.
 *
 * The source sends M requests, with a fence behind each: they are to be executed in turn. A put is
 * counted, and acknowledged some time after it was executed; a fetch has an answer, which the
 * source awaits (WORD) or not (FETCH). The rings of either kind are a queue of W here: both come to
 * the target in order, and as late as it likes. That rings of words cannot lock up is what
 * relay.pml says with GETS, as they follow the same rules.
 * Checked: requests are executed once and in turn, and all are in the end.
 *
 * Bounds: M=5 W=2
 * Known bad:
 * OVERTAKES a word goes by its own rings while puts before it are not acknowledged
 * UNANSWERED the same while fetches before it have no answer
 * HURRIES   the source goes on while a word has no answer
 */
#include "model.inc"

#define PUT 0
#define FETCH 1
#define WORD 2

chan transit = [W] of { byte, byte };
chan words = [W] of { byte, byte };
byte issued, acked, pending, waits;
byte executed[3];	/* what the source was not told yet */
byte done;

#define none_counted (acked == issued || given(OVERTAKES))
#define none_pending (pending == 0 || given(UNANSWERED))

active proctype source()
{
	byte i, kind;

	do
	:: i < M ->
		if :: kind = PUT :: kind = FETCH :: kind = WORD fi;
		if
		:: atomic { kind == PUT -> issued++ }
		:: atomic { kind == FETCH -> pending++ }
		:: atomic { kind == WORD -> waits++ }
		fi;
		if
		:: atomic { kind == WORD && none_counted && none_pending -> words!i,kind }
		:: atomic { kind != WORD || !none_counted || !none_pending -> transit!i,kind }
		fi;
		waits == 0 || given(HURRIES);
		i++
	:: i == M && acked == issued && pending == 0 && waits == 0 -> break
	od;
	assert(done == M)
}

#define execute(ring) \
	:: atomic { nempty(ring) -> \
		ring?i,kind; \
		assert(i == done); \
		done++; \
		executed[kind]++; \
		i = 0; kind = 0 }

active proctype target()
{
	byte i, kind;

end:
	do
	execute(transit)
	execute(words)
	/* an acknowledgement is of all until then */
	:: atomic { executed[PUT] > 0 -> acked = acked + executed[PUT]; executed[PUT] = 0 }
	:: atomic { executed[FETCH] > 0 -> executed[FETCH]--; pending-- }
	:: atomic { executed[WORD] > 0 -> executed[WORD]--; waits-- }
	od
}
