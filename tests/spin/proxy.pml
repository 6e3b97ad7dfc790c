/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * How PEs without ports hand operations to their lead: doc/protocols.md, section 4.
 *
 * PES PEs hand over M operations each, each through a ring of its own, and set their bits in posts.
 * The lead's service lcore moves bits to due, looks at the rings that are due, and sleeps when it
 * finds no bit. With HELPER an application thread of the lead serves as well, for a while. Stores
 * wait in store buffers (TSO); an atomic read-modify-write and a fence wait until they are empty.
 * Checked: everything is done; a lost wake-up is an invalid end state. With STUCK the first PE
 * stops for good between the two halves of an enqueue: all others are served nevertheless. With
 * FETCH operations may need a reply, which another thread of the lead takes (a service lcore of
 * other channels, a waiter): the lead goes on with other PEs, and with this one after the reply;
 * checked besides: the operations of a PE are done one after the other.
 * Bounds: PES=2 M=2
 * Known bad:
 * NOFENCE_P  no fence between the enqueue and the look at posts
 * NOFENCE_B  no fence between setting the bit and the look at asleep
 * NOFENCE_L  no fence between setting asleep and the last look
 * LATECLEAR  the bit of posts is cleared after the look at the ring
 * BITFIRST   the bit is set before the enqueue
 * NODUE      (HELPER) the bit leaves posts before it is in due
 * DUEFIRST   (HELPER) the last look reads due before posts
 * SHARED     (STUCK) one ring for all: who comes later waits for the one before
 * NOBELL_R   (FETCH) who takes the reply does not look whether the lead sleeps
 * NOFENCE_R  (FETCH) no fence between "none under way" and that look
 * STAYDUE    (FETCH) a PE with one under way is left out for good once its ring was looked at
 * HURRY      (FETCH) the next operation of a PE is taken while one is under way
 */
#include "model.inc"

#define ALL ((PES - given(STUCK)) * M)

byte tail[PES], head[PES]; /* of the rings */
bool post[PES], due[PES];
bool asleep, busy, half;
byte bell, done;
bool flight[PES]; /* one of its operations is under way */

/* store buffers: of a PE its tail; of the service lcore, asleep */
bool tail_late[PES];
byte asleep_late; /* 0: none, else the value + 1 */
bool landed_late[PES]; /* of the thread that takes replies: flight = false */

proctype store_buffer(byte p)
{
end:
	do
	:: atomic { tail_late[p] -> tail[p]++; tail_late[p] = false }
	od
}

active proctype store_buffer_lead()
{
end:
	do
	:: atomic { asleep_late != 0 -> asleep = asleep_late - 1; asleep_late = 0 }
	od
}

#ifdef FETCH
proctype store_buffer_reply(byte p)
{
end:
	do
	:: atomic { landed_late[p] -> flight[p] = false; landed_late[p] = false }
	od
}

proctype replier(byte p)
{
	bool ring;

end:
	do
	:: atomic { flight[p] && !landed_late[p] -> done++; landed_late[p] = true };
		!landed_late[p] || given(NOFENCE_R);
		ring = asleep;
		if
		:: ring && !given(NOBELL_R) -> bell++
		:: else
		fi;
		ring = false;
		/* a reply that is late otherwise stays so for this PE's next one */
		!landed_late[p]
	od
}
#endif

inline enqueue()
{
	atomic { !tail_late[p] && !(half && given(SHARED)) -> tail_late[p] = true }
}

inline set_bit()
{
	if
	:: post[p]
	:: !post[p] ->
		/* an implementation whose read-modify-write is no fence: late as a store */
		with(NOFENCE_B, late = true)
		without(NOFENCE_B, atomic { !tail_late[p] -> post[p] = true })
	fi
}

proctype pe(byte p)
{
	byte i;
	bool late, ring;

	if
	:: p == 0 && given(STUCK) -> half = true; post[p] = true; goto stopped
	:: else
	fi;
	for (i : 1 .. M) {
		with(BITFIRST, set_bit();)
		enqueue();
		!tail_late[p] || given(NOFENCE_P);
		without(BITFIRST, set_bit();)
		ring = asleep;
		if
		:: late -> post[p] = true; late = false
		:: else
		fi;
		if
		:: ring -> bell++
		:: else
		fi;
		ring = false
	}
stopped:
	skip
}

#define FREE(k) (!flight[k] || given(HURRY))

inline issue(k)
{
	assert(!flight[k]);
	if
	:: given(FETCH) -> flight[k] = true
	:: done++
	fi
}

/* One thing, if there is any; one server at a time. */
inline serve()
{
	atomic { !busy -> busy = true };
	k = 0;
	do
	:: k == PES -> break
	:: k < PES ->
		if
		:: post[k] && !due[k] ->
			with(LATECLEAR, due[k] = true)
			without(LATECLEAR, swapped(NODUE, due[k] = true, post[k] = false))
		:: else
		fi;
		if
		:: due[k] && FREE(k) ->
			if
			:: atomic { tail[k] > head[k] -> head[k]++; issue(k) }
			:: tail[k] == head[k] ->
				due[k] = false;
				with(LATECLEAR, post[k] = false)
			fi
		:: due[k] && !FREE(k) && given(STAYDUE) -> due[k] = false
		:: else
		fi;
		k++
	od;
	k = 0;
	busy = false
}

#ifdef HELPER
active proctype helper()
{
	byte k, n;

	do
	:: n < HELPER -> serve(); n++
	:: break
	od
}
#endif

#define look(bits) \
	do \
	:: k == PES -> k = 0; break \
	:: k < PES -> found = found || (bits[k] && FREE(k)); k++ \
	od

active proctype lead()
{
	byte k, word;
	bool found;

	do
	:: done == ALL -> break
	:: else ->
		if
		:: !busy -> serve()
		:: busy
		fi;
		word = bell;
		atomic { asleep_late == 0 -> asleep_late = 2 };
		asleep_late == 0 || given(NOFENCE_L);
		found = false;
		swapped(DUEFIRST, look(post), look(due));
		if
		:: found
		:: else -> bell != word || done == ALL
		fi;
		atomic { asleep_late == 0 -> asleep_late = 1 };
		asleep_late == 0;
		word = 0;
		found = false
	od
}

start(PES, run store_buffer(k); with(FETCH, run store_buffer_reply(k); run replier(k);) run pe(k))
