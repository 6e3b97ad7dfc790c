/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * One ring of descriptors between two hosts: doc/protocols.md, section 2.
 *
 * N slots, M messages. The sender's stores travel one by one, in order, through a link of DEPTH
 * places into the receiver's memory; the consumer position travels back likewise. The mark that is
 * stored last says "full": one phase bit that turns over with every lap, or with TURN the
 * position + 1. The sender may discard a slot that it claimed. It waits for NEED free slots.
 * The receiver returns a credit for each BATCH messages, and whatever it owes when it finds the
 * ring empty.
 * Checked: every message is seen once, in order, whole; both sides come to an end.
 * Known bad:
 * EARLY     the mark is stored before the payload
 * LOOSE     payload and descriptor are not kept in order on the way (no store fence, or a link
 *           that reorders posted writes)
 * EAGER     the credit is returned before the payload is read
 * OVERRUN   the sender counts one slot too many
 * CONSTANT  the mark is the same in every lap
 * ABANDON   a claimed slot that is not used is left without a mark
 * HOARD     owed credits are kept back until the batch is full
 */
#ifndef N
#define N 2
#endif
#ifndef M
#define M 6
#endif
#ifndef DEPTH
#define DEPTH 3
#endif
#ifndef NEED
#define NEED 1
#endif
#ifndef BATCH
#define BATCH 1
#endif

#ifdef OVERRUN
#define SLOTS (N + 1)
#else
#define SLOTS N
#endif

#ifdef CONSTANT
#define mark(pos) 1
#else
#ifdef TURN
#define mark(pos) ((pos) + 1)
#else
#define mark(pos) (1 - ((pos) / N) % 2)
#endif
#endif

#define HEAD 0	/* first word of the payload */
#define TAIL 1	/* last word of the payload */
#define BODY 2	/* descriptor without the mark */
#define MARK 3
#define NOP 255

#define store(what, pos, value) up!what,((pos) % N),value

/* memory of the receiver */
byte head[N], tail[N], body[N], marks[N];
/* memory of the sender */
byte credit;

chan up = [DEPTH] of { byte, byte, byte };
chan side = [DEPTH] of { byte, byte, byte };
chan down = [DEPTH] of { byte };

byte sent, seen;

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
#ifdef LOOSE
	:: land(side)
#endif
	od
}

active proctype link_down()
{
end:
	do
	:: atomic { nempty(down) -> down?credit }
	od
}

active proctype sender()
{
	byte pos;

	do
	:: pos == M -> break
	:: pos < M && SLOTS - (pos - credit) >= NEED ->
		if
		:: /* a message */
			sent++;
#ifdef EARLY
			store(BODY, pos, sent);
			store(MARK, pos, mark(pos));
			store(HEAD, pos, sent);
			store(TAIL, pos, sent)
#else
#ifdef LOOSE
			side!HEAD,(pos % N),sent;
			side!TAIL,(pos % N),sent;
#else
			store(HEAD, pos, sent);
			store(TAIL, pos, sent);
#endif
			store(BODY, pos, sent);
			store(MARK, pos, mark(pos))
#endif
		:: /* a claim that fails: the slot is published all the same */
#ifdef ABANDON
			skip
#else
			store(BODY, pos, NOP);
			store(MARK, pos, mark(pos))
#endif
		fi;
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
#ifdef EAGER
		down!(pos + 1);
#endif
		if
		:: body[pos % N] == NOP
		:: else ->
			assert(body[pos % N] == seen + 1);
			assert(head[pos % N] == seen + 1);
			assert(tail[pos % N] == seen + 1);
			seen++
		fi;
		pos++;
#ifndef EAGER
		if
		:: owed >= BATCH -> down!pos; owed = 0
		:: else
		fi
#endif
#ifndef HOARD
	:: owed > 0 && marks[pos % N] != mark(pos) -> down!pos; owed = 0
#endif
	od;
#ifndef HOARD
	if
	:: owed > 0 -> down!pos; owed = 0
	:: else
	fi;
#endif
	assert(seen == sent)
}
