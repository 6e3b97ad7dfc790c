/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Atomics that gather in one frame: doc/protocols.md, section 5.
 *
 * THREADS threads of one context issue M atomics each to one host: fetches, which gather, and
 * additions to two words, the first of which behind a fence goes alone. A frame has PARTS parts, the
 * ring SLOTS frames. A thread may call a fence and store into that host, or call quiet, at any time, and
 * need not at its end. The lcore sleeps where a turn behind an answer has left nothing to do.
 * Checked: each atomic takes effect, once, those of a thread in order; behind a fence and quiet all
 * earlier ones have.
 * Bounds: THREADS=2 M=2 SLOTS=1 PARTS=2
 * Known bad:
 * LOOKFIRST  a thread looks whether answers are to come, then counts what it holds
 * HELDFIRST  the lcore looks for what is held, then counts the answer that it took
 * UNHELD     what leaves counts as held no more before it has left
 * STAYS      a fence does not send what has gathered
 * OVERTAKES  nor does one that goes alone
 * ANYPART    an addition joins the first part for its word, not the last one alone
 * NOLOCK     the lcore sends without the lock
 * LOST       what found no room in the ring counts as sent
 */
#include "model.inc"

#define FETCH 2	/* beside the words 0 and 1 */

/* part, thread, number: in order of parts */
chan gathered = [THREADS * M] of { byte, byte, byte };
byte kind[PARTS], count;
bool lock, counted, streams;
byte held, under_way, issued;
/* thread, number, last of its frame, which wants an answer */
chan ring = [THREADS * M] of { byte, byte, bool, bool };
chan answers = [THREADS * M] of { bool };
byte frames, acked, done[THREADS];

active proctype target()
{
	byte who, number;
	bool last, wanted;

end:
	do
	:: atomic { ring?who,number,last,wanted ->
		assert(number == done[who]);
		done[who]++;
		who = 0;
		number = 0;
		if :: last -> frames--; acked++ :: else fi;
		if :: last && wanted -> answers!true :: else fi }
	od
}

#define is_room (frames < SLOTS)
#define unhold held = held - counted; counted = false
#define locked atomic { !lock -> lock = true }

inline move_all()
{
	do
	:: gathered?_,who,number -> ring!who,number,len(gathered) == 0,true
	:: empty(gathered) -> break
	od;
	frames++;
	issued++;
	count = 0;
	who = 0;
	number = 0
}

inline send_gathered(waits)
{
	under_way++;
	with(UNHELD, unhold;)
	if
	:: atomic { is_room -> move_all() };
		without(UNHELD, unhold)
	:: !waits && !is_room ->
		under_way--;
		stalled = true;
		with(LOST, unhold; count = 0)
	fi
}

inline flush()
{
	streams = false;
	if
	:: held != 0 ->
		locked;
		if :: count != 0 -> send_gathered(true) :: else fi;
		lock = false
	:: else
	fi
}

#define joins(part) (count > 0 && what != FETCH && kind[part] == what)
#define hold if :: !counted && under_way != 0 -> counted = true; held++ :: else fi

inline gather()
{
	locked;
	d_step {
		if
		:: joins(count - 1) -> gathered!!count - 1,t,n
		:: given(ANYPART) && joins(0) -> gathered!!0,t,n
		:: else -> gathered!!count,t,n; kind[count] = what; count++
		fi
	}
	without(LOOKFIRST, hold;)
	if
	:: count == PARTS || under_way == 0 -> send_gathered(true)
	:: else -> with(LOOKFIRST, hold) without(LOOKFIRST, skip)
	fi;
	lock = false
}

inline go_alone()
{
	without(OVERTAKES, flush();)
	atomic { is_room -> ring!t,n,true,false; frames++; issued++ };
	streams = true
}

#define wait_for_all sent = issued; atomic { acked >= sent -> assert(done[t] == n); sent = 0 }

proctype thread(byte t)
{
	byte n, what, sent, who, number;
	bool stalled;

	do
	:: n < M ->
		if :: what = 0 :: what = 1 :: what = FETCH fi;
		if
		:: what == FETCH || streams -> gather()
		:: else -> go_alone()
		fi;
		atomic { n++; what = 0 }
	:: n > 0 -> /* a fence, and a store; or quiet */
		without(STAYS, flush();)
		wait_for_all
	:: n == M -> break
	od
}

inline turn()
{
	stalled = false;
	if
	:: held != 0 && count != 0 && under_way == 0 ->
		if
		:: atomic { !lock || given(NOLOCK) -> lock = true };
			if :: count != 0 && under_way == 0 -> send_gathered(false) :: else fi;
			lock = false
		:: lock && !given(NOLOCK) -> stalled = true
		fi
	:: else
	fi
}

active proctype lcore()
{
	byte who, number;
	bool stalled;

end:
	do
	:: answers?_ -> swapped(HELDFIRST, under_way--, turn())
	:: stalled -> turn()
	od
}

init {
	byte k;

	atomic { for (k : 0 .. THREADS - 1) { run thread(k) } }
	done[0] == M && done[THREADS - 1] == M
}
