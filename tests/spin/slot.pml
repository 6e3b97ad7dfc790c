/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * One ring of descriptors between two hosts: doc/protocols.md, section 2.
 *
 * N slots, M messages. The sender's stores travel one by one, in order, through a link of DEPTH
 * places into the receiver's memory; the consumer position travels back likewise. The mark that is
 * stored last, the position + 1, says "full". The sender waits for NEED free slots, and reads the
 * consumer's position again only where it knows of fewer. The receiver returns a credit for each
 * BATCH messages, and whatever it owes when it finds the ring empty.
 * Checked: every message is seen once, in order, whole; both sides come to an end.
 * Bounds: N=2 M=6 DEPTH=3 NEED=1 BATCH=1
 * Known bad:
 * EARLY     the mark is stored before the payload
 * LOOSE     payload and descriptor are not kept in order on the way (no store fence, or a link
 *           that reorders posted writes)
 * EAGER     the credit is returned before the payload is read
 * OVERRUN   the sender counts one slot too many
 * CONSTANT  the mark is the same in every lap
 * LAST      the sender reads the position again only where it knows of no free slot
 * HOARD     owed credits are kept back until the batch is full
 */
#include "model.inc"

#define SLOTS (N + given(OVERRUN))
#define mark(pos) (given(CONSTANT) -> 1 : (pos) + 1)

#define free (SLOTS - (pos - known))

#define HEAD 0	/* first word of the payload */
#define TAIL 1	/* last word of the payload */
#define BODY 2	/* descriptor without the mark */
#define MARK 3

#define store(what, pos, value) up!what,((pos) % N),value
#ifdef LOOSE
#define store_payload side!HEAD,(pos % N),pos + 1; side!TAIL,(pos % N),pos + 1
#else
#define store_payload store(HEAD, pos, pos + 1); store(TAIL, pos, pos + 1)
#endif
#define store_frame store(BODY, pos, pos + 1); store(MARK, pos, mark(pos))

/* memory of the receiver */
byte head[N], tail[N], body[N], marks[N];
/* memory of the sender */
byte credit;

chan up = [DEPTH] of { byte, byte, byte };
chan side = [DEPTH] of { byte, byte, byte };
chan down = [DEPTH] of { byte };

inline land(link)
{
	atomic {
		link?what,slot,value;
		if
		:: what == HEAD -> head[slot] = value
		:: what == TAIL -> tail[slot] = value
		:: what == BODY -> body[slot] = value
		:: what == MARK -> marks[slot] = value
		fi;
		what = 0;
		slot = 0;
		value = 0
	}
}

active proctype link_up()
{
	byte what, slot, value;

end:
	do
	:: land(up)
	:: land(side)
	od
}

active proctype link_down()
{
end:
	do
	:: down?credit
	od
}

active proctype sender()
{
	byte pos, known;

	do
	:: pos == M -> break
	:: pos < M && free < (given(LAST) -> 1 : NEED) && known != credit -> known = credit
	:: pos < M && free >= NEED ->
		swapped(EARLY, store_payload, store_frame);
		pos++
	od;
	/* nothing of it is left on its way, and all slots are free again */
	(credit == M)
}

active proctype receiver()
{
	byte pos, owed;

	do
	:: pos == M -> break
	:: atomic { pos < M && marks[pos % N] == mark(pos) -> owed++ };
		with(EAGER, down!(pos + 1);)
		pos++;
		assert(body[(pos - 1) % N] == pos && head[(pos - 1) % N] == pos && tail[(pos - 1) % N] == pos);
		if
		:: owed >= BATCH && !given(EAGER) -> down!pos; owed = 0
		:: else
		fi
	:: owed > 0 && !given(HOARD) && marks[pos % N] != mark(pos) -> down!pos; owed = 0
	od;
	if
	:: owed > 0 && !given(HOARD) -> down!pos
	:: else
	fi
}
