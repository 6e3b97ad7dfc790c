/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * One ring over a link that loses stores, and comes back: doc/protocols.md, section 9. kept.pml has
 * its loss, heal.pml how the stages of its ends are told; here each end sees the other's stage.
 *
 * Host a sends M frames of two words, body and mark, in order: over the ring of N slots, or by the
 * other way, which loses nothing, where the link is lost. A thread of a sends, between the choice
 * of the way and the last store with a lock. Stores travel one by one through a link of DEPTH
 * places, where both ports are open; a break shuts both, and loses what is under way. It breaks
 * BREAKS times, at any time. A port opens again by itself, unless it was told not to.
 * Checked: each frame is taken once, in order, and whole; the link is in use again in the end.
 * Bounds: N=2 M=4 DEPTH=2 BREAKS=2
 * Known bad:
 * NOCLEAR   the consumer's ring has the marks of old frames as it begins anew
 * OLDPOS    the rings go on where they stopped
 * NOPART    an end parts while a thread may still store over the link
 * NOFLUSH   an end parts while its last stores may still land, where a loss is told of a link
 *           that has come up again since it broke
 * NOARM     the ports open the link again also where it is in use
 * STUCK     an end that is READY does not open its port again
 * OLDCREDIT the producer's credit is that of the old frames
 */
#include "model.inc"

#define LEFT 0
#define STOPPED 1
#define PARTED 2
#define READY 3
#define ENTER 4
#define OPEN 5
#define BACK 6

#define BODY 0
#define MARK 1
#define NOTHING 255

/* memory of the consumer, b */
byte body[N] = NOTHING, marks[N];
byte rx;
/* memory of the producer, a */
byte kept[N], credit, tx;
bool held;		/* the lock of its ring */
bool over = true;	/* its way leads over the link */
bool moved;
byte next, end_;	/* positions of frames that go the other way */
bool knows;		/* what b has taken */

chan up = [DEPTH] of { bit, byte, byte };
chan down = [DEPTH] of { byte };
chan round = [M + N] of { byte };

byte breaks;
bool a_open = true, b_open = true;
bool a_once = true, b_once = true;

/* what each end knows: losses so far, stage, breaks as it took the link into use */
byte a_n, b_n, a_stage = BACK, b_stage = BACK, a_base, b_base;
byte told;
bool tells;

byte issued, seen;

#define a_beyond (b_n == a_n -> b_stage : LEFT)
#define b_beyond (a_n == b_n -> a_stage : LEFT)
#define is_up (a_open && b_open)
#define complete (seen == issued)
#define may_part (((!held && complete) || given(NOPART)) && (empty(up) || given(NOFLUSH)))
#define ARMED (!given(NOARM))
#define asks(stage) (stage < READY || !given(STUCK))

active proctype link()
{
	bit what;
	byte slot, value;

end:
	do
	:: atomic { nempty(up) ->
		up?what,slot,value;
		if
		:: b_open && what == BODY -> body[slot] = value
		:: b_open && what == MARK -> marks[slot] = value
		:: else
		fi;
		what = 0; slot = 0; value = 0 }
	:: atomic { nempty(down) ->
		down?value;
		if
		:: a_open -> credit = value
		:: else
		fi;
		value = 0 }
	:: atomic { breaks < BREAKS ->
		breaks++;
		a_open = false;
		b_open = false;
		do
		:: nempty(up) -> up?what,slot,value
		:: nempty(down) -> down?value
		:: empty(up) && empty(down) -> break
		od;
		what = 0; slot = 0; value = 0 }
	od
}

#define post(what, slot, value) \
	if \
	:: atomic { a_open && nfull(up) -> up!what,slot,value } \
	:: !a_open \
	fi

active proctype sender()
{
	byte n;
	bool mine;	/* the way that it has chosen leads over the link */

	do
	:: n == M -> break
	:: n < M ->
		atomic { !held && (!moved || complete) -> moved = false; held = true; mine = over };
		if
		:: atomic { !mine && !moved && nfull(round) ->
			round!n; issued++; n++; held = false }
		:: mine && N - (tx - credit) >= 1 ->
			atomic { issued++; kept[tx % N] = n };
			post(BODY, tx % N, n);
			post(MARK, tx % N, tx + 1);
			atomic { tx++; n++; held = false }
		/* the way has changed meanwhile */
		:: atomic { moved -> held = false }
		fi
	od
}

inline a_loses()
{
	a_n++;
	a_stage = LEFT;
	over = false;
	moved = true
}

active proctype a()
{
end:
	do
	:: atomic { !a_open && !a_once && asks(a_stage) -> a_open = true }
	:: atomic { a_stage == BACK && b_n > a_n -> a_loses() }
	:: atomic { a_stage == BACK && b_n == a_n && b_stage == BACK && breaks != a_base -> a_loses() }
	:: atomic { a_stage == LEFT -> a_stage = STOPPED }
	:: atomic { a_stage >= STOPPED && a_stage < READY && b_n == a_n && tells && !knows && !held ->
		next = told; end_ = tx; knows = true }
	:: atomic { knows && next < end_ -> round!kept[next % N]; next++ }
	:: atomic { a_stage == STOPPED && may_part -> a_stage = PARTED }
	:: atomic { a_once && a_stage == PARTED && a_beyond >= PARTED -> a_once = false }
	:: atomic { a_stage == PARTED && a_beyond >= PARTED && knows && next == end_ && !a_once && is_up ->
		a_base = breaks;
		a_stage = READY }
	:: atomic { a_stage == READY && a_beyond >= READY -> a_once = ARMED; a_stage = ENTER }
	:: atomic { a_stage == ENTER && a_beyond >= ENTER && !held ->
		tx = (given(OLDPOS) -> tx : 0);
		credit = (given(OLDPOS) -> tx : (given(OLDCREDIT) -> credit : 0));
		knows = false;
		a_stage = OPEN }
	:: atomic { a_stage == OPEN && a_beyond >= OPEN -> over = true; moved = true; a_stage = BACK }
	od
}

inline take(value)
{
	assert(value == seen);
	seen++
}

inline b_loses()
{
	b_n++;
	b_stage = LEFT;
	tells = false
}

active proctype b()
{
	byte value;

end:
	do
	:: atomic { !b_open && !b_once && asks(b_stage) -> b_open = true }
	:: atomic { b_stage >= READY && marks[rx % N] == rx + 1 ->
		take(body[rx % N]);
		body[rx % N] = NOTHING;
		rx++;
		if
		:: b_open && nfull(down) -> down!rx
		:: !b_open
		fi }
	:: atomic { round?value -> take(value); value = 0 }
	:: atomic { b_stage == BACK && a_n > b_n -> b_loses() }
	:: atomic { b_stage == BACK && a_n == b_n && a_stage == BACK && breaks != b_base -> b_loses() }
	:: atomic { b_stage == LEFT -> b_stage = STOPPED }
	:: atomic { b_stage == STOPPED && b_beyond >= STOPPED && empty(down) ->
		told = rx; tells = true; b_stage = PARTED }
	:: atomic { b_once && b_stage == PARTED && b_beyond >= PARTED -> b_once = false }
	:: atomic { b_stage == PARTED && b_beyond >= PARTED && !b_once && is_up ->
		b_base = breaks;
		without(OLDPOS, without(NOCLEAR, for (value : 0 .. N - 1) { marks[value] = 0 } value = 0;) rx = 0;)
		b_stage = READY }
	:: atomic { b_stage == READY && b_beyond >= READY -> b_once = ARMED; b_stage = ENTER }
	:: atomic { b_stage == ENTER && b_beyond >= ENTER -> b_stage = OPEN }
	:: atomic { b_stage == OPEN && b_beyond >= OPEN -> b_stage = BACK }
	od
}

active proctype judge()
{
	seen == M && a_n == b_n && a_stage == BACK && b_stage == BACK && a_base == breaks &&
		b_base == breaks
}
