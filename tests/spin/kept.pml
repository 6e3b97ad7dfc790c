/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * One ring over a link that loses stores: doc/protocols.md, section 9. Its producer keeps each
 * frame in memory of its own until its slot is free again.
 *
 * N slots, M frames of two words, body and mark. Stores travel one by one, in order, through a link
 * of DEPTH places; the credit travels back likewise. The link breaks at any time: what is under
 * way is lost, in both directions, and so is what is stored later, because the ports do not open
 * the link again. The receiver finds the break at any time. It then takes nothing more, and says
 * by the other way what it has taken. So does the producer, independently; it then sends by the
 * other way, which loses nothing: first what was not taken, then all later frames.
 * Checked: each frame is taken once, in order, and whole; both come to an end.
 * Bounds: N=2 M=4 DEPTH=4
 * Known bad:
 * NOKEPT    what was not taken is not sent again
 * MORE      the receiver says one frame more than it has taken
 * LESS      or one less
 * TWICE     what was not taken is sent again twice
 * REOPEN    stores may land again, behind those that were lost
 * OVERRUN   a slot is filled again before its credit has come
 * THAW      the receiver goes on taking after it has said what it has taken
 */
#include "model.inc"

#define SLOTS (N + given(OVERRUN))
#define BODY 0
#define MARK 1
#define NOTHING 255

/* memory of the receiver */
byte body[N] = NOTHING, marks[N];
/* memory of the producer */
byte kept[N], credit;

chan up = [DEPTH] of { bit, byte, byte };
chan down = [DEPTH] of { byte };
chan told = [1] of { byte };
chan round = [M + N] of { byte };

bool broken;	/* stores are lost */
bool broke;	/* and were */
bool found;	/* by the receiver */
byte seen;	/* so many, */
short taken;	/* these */

active proctype link()
{
	bit what;
	byte slot, value;

end:
	do
	:: atomic { nempty(up) ->
		up?what,slot,value;
		if
		:: what == BODY -> body[slot] = value
		:: else -> marks[slot] = value
		fi;
		what = 0; slot = 0; value = 0 }
	:: atomic { nempty(down) -> down?credit }
	:: atomic { !broke ->
		broke = true;
		broken = true;
		do
		:: nempty(up) -> up?what,slot,value
		:: nempty(down) -> down?value
		:: empty(up) && empty(down) -> break
		od;
		what = 0; slot = 0; value = 0 }
	od
}

/* any thread of the receiver */
active proctype looker()
{
end:
	broke;
	with(REOPEN, broken = false;)
	found = true
}

#define post(what, slot, value) \
	if \
	:: atomic { !broken && nfull(up) -> up!what,slot,value } \
	:: broken \
	fi

active proctype producer()
{
	byte pos, next;

	do
	:: pos == M && !broke -> break	/* the ring stays as it is, or breaks later */
	:: pos < M && SLOTS - (pos - credit) >= 1 ->
		kept[pos % N] = pos;
		post(BODY, pos % N, pos);
		post(MARK, pos % N, pos + 1);
		pos++
	:: broke -> break
	od;
	/* nothing is told where all were taken */
end:
	told?next;
	do
	:: next < pos && !given(NOKEPT) ->
		round!kept[next % N];
		with(TWICE, round!kept[next % N];)
		next++
	:: else -> break
	od;
	do
	:: pos < M -> round!pos; pos++
	:: else -> break
	od
}

inline take(value)
{
	assert(value < M && !(taken & 1 << value));
	taken = taken | 1 << value;
	seen++
}

active proctype receiver()
{
	byte pos, value;

	do
	:: atomic { !found && marks[pos % N] == pos + 1 ->
		take(body[pos % N]);
		body[pos % N] = NOTHING;
		pos++;
		if
		:: !broken && nfull(down) -> down!pos
		:: broken
		fi }
	:: found -> break
	:: seen == M -> goto over
	od;
	told!(given(LESS) && pos > 0 -> pos - 1 : pos + given(MORE));
	do
	:: round?value -> take(value)
	:: atomic { given(THAW) && marks[pos % N] == pos + 1 && body[pos % N] != NOTHING ->
		take(body[pos % N]);
		pos++ }
	:: seen == M && empty(round) -> break
	od;
over:
	skip
}
