/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Store-and-forward on a ring of H hosts with rings of N slots: doc/protocols.md, section 1.
 *
 * Every host issues M requests to the host HOPS to its right. Replies and acks go on to the right,
 * which loads that direction most, or with BACK home to the left. Links are in order. One step
 * takes one frame; the slot it leaves comes free at once, or with LAG at any later time, as a
 * credit that is still on its way. A ring of own requests stands here as the number of requests
 * that have not left it: an application that waits for a slot holds nothing that others wait for,
 * and when a request enters it is up to the step that takes it out.
 *
 * KINDS says what host k may issue as its request i: any(PUT, EXEC, GET) unless given otherwise.
 * Checked: no deadlock (requests that are never completed are an invalid end state), and every
 * request and every reply is delivered once and in order.
 * NEED free slots let a request enter. FAIR: none goes on into the slots that an own request waits
 * for: not into the last of two, and for PATIENCE steps not into the only one.
 * Bounds: H=4 N=2 M=2 HOPS=2 NEED=2 PATIENCE=1
 * Known bad:
 * NOBUBBLE  an own request may take the last free slot of a transit ring
 * HOLD      FAIR without end
 * NORESERVE a new reply may take the last free slot of a reply ring
 * ONECLASS  replies and acks share the transit rings
 * STUBBORN  a host that has to answer a get serves nothing else until there is room to
 */
#include "model.inc"

#define PUT 0	/* stored in the target's memory by the last relay, which acks it */
#define EXEC 1	/* executed by the target, which acks it */
#define GET 2	/* executed by the target, which replies */
#define ACKP 3	/* so many PUTs are stored */
#define ACKX 4	/* so many EXECs are done */
#define DATA 5

#define may_issue(kind, i) \
	(given(GETS) -> kind == GET : (given(MIX) -> kind == 1 + i % 2 : true))

/* rings in the memory of host k: kind, source of the request, number */
chan transit[H] = [N] of { byte, byte, byte };
chan reply[H] = [N] of { byte, byte, byte };

byte issued[H];				/* requests of k that have left the ring of own requests */
byte puts[H], execs[H], gets[H];	/* the same by kind */
byte acked_p[H], acked_x[H], answered[H];	/* acknowledgements that source k has received */
byte held[H];				/* steps in which k left its only slot to an own request */
byte owed_t[H], owed_r[H];		/* with LAG: slots emptied whose credit is not back yet */
#define free_t(k) (N - len(transit[k]) - owed_t[k])
#define free_r(k) (N - len(reply[k]) - owed_r[k])

#define right(k) ((k + 1) % H)
#define left(k) ((k + H - 1) % H)
#define source(k) ((k + 2 * H - HOPS) % H)	/* whose target is k */
#define stored_for(k) right(source(k))		/* whose last relay is k */
#define onward(k) (given(BACK) -> left(k) : right(k))

#define may_enter(k) (free_t(right(k)) >= NEED - given(NOBUBBLE))
#define waits(k) ((given(FAIR) || given(HOLD)) && issued[left(k)] < M)
#define yields(k) (waits(k) && (free_t(right(k)) == 2 || given(HOLD) || held[k] < PATIENCE))
#ifdef ONECLASS
#define answers transit
#define may_answer(k) (free_t(right(k)) >= 2)
#define home(k) (transit[k]?[ACKP,eval(k),_] || transit[k]?[ACKX,eval(k),_] || \
		 transit[k]?[DATA,eval(k),_])
#else
#define answers reply
#define home(k) false
#define may_answer(k) (free_r(onward(k)) >= 2 - given(NORESERVE))
#endif

#define exec_here(k) (transit[k]?[EXEC,eval(source(k)),_])
#define get_here(k) (transit[k]?[GET,eval(source(k)),_])
#define put_here(k) (transit[k]?[PUT,eval(stored_for(k)),_])
#define passes(k) (nempty(transit[k]) && !exec_here(k) && !get_here(k) && !put_here(k) && !home(k))

#define forget n = 0; src = 0; kind = 0
#define take_t transit[k]?kind,src,n; with(LAG, owed_t[k]++;)
#define take_r reply[k]?kind,src,n; with(LAG, owed_r[k]++;)
#define issue(counts) counts[left(k)]++; issued[left(k)]++
#define issues(kind) (issued[left(k)] < M && may_issue(kind, issued[left(k)]))
#define enter(kind, counts) held[k] = 0; transit[right(k)]!kind,left(k),counts[left(k)]; issue(counts)

/* a reply or ack has come home */
inline take_reply()
{
	if
	:: kind == ACKP -> assert(n > acked_p[k]); acked_p[k] = n
	:: kind == ACKX -> assert(n > acked_x[k]); acked_x[k] = n
	:: kind == DATA -> assert(n == answered[k]); answered[k]++
	fi
}

/* the service of host k; it relays and executes for one source each, since all send HOPS far */
proctype service(byte k)
{
	byte stored, stored_acked, execd, execd_acked, got;
	byte kind, src, n;

end:
	do
	/* the oldest own request that the left neighbour's application wrote into my memory */
	:: atomic { HOPS == 2 && issues(PUT) -> issue(puts); stored++ }
	:: atomic { HOPS != 2 && issues(PUT) && may_enter(k) -> enter(PUT, puts) }
	:: atomic { issues(EXEC) && may_enter(k) -> enter(EXEC, execs) }
	:: atomic { issues(GET) && may_enter(k) -> enter(GET, gets) }
	/* transit ring */
	:: atomic { put_here(k) -> take_t assert(n == stored); stored++; forget }
	:: atomic { exec_here(k) -> take_t assert(n == execd); execd++; forget }
#ifdef STUBBORN
	:: get_here(k) -> atomic { may_answer(k) ->
#else
	:: atomic { get_here(k) && may_answer(k) ->
#endif
		take_t
		assert(n == got);
		got++;
		answers[onward(k)]!DATA,src,n;
		forget
	}
	:: atomic { passes(k) && free_t(right(k)) >= 1 && !yields(k) ->
		take_t transit[right(k)]!kind,src,n; held[k] = 0; forget }
	:: atomic { given(FAIR) && passes(k) && free_t(right(k)) == 1 && yields(k) -> held[k]++ }
#ifdef ONECLASS
	:: atomic { home(k) -> take_t take_reply(); forget }
#else
	/* reply ring */
	:: atomic { reply[k]?[_,eval(k),_] -> take_r take_reply(); forget }
	:: atomic { nempty(reply[k]) && !reply[k]?[_,eval(k),_] && free_r(onward(k)) >= 1 ->
		take_r
		reply[onward(k)]!kind,src,n;
		forget
	}
#endif
	/* cumulative acks wait for room without holding anything up */
	:: atomic { stored > stored_acked && may_answer(k) ->
		answers[onward(k)]!ACKP,stored_for(k),stored;
		stored_acked = stored
	}
	:: atomic { execd > execd_acked && may_answer(k) ->
		answers[onward(k)]!ACKX,source(k),execd;
		execd_acked = execd
	}
	:: atomic { owed_t[k] > 0 -> owed_t[k]-- }
	:: atomic { owed_r[k] > 0 -> owed_r[k]-- }
	od
}

init {
	byte k;

	atomic {
		for (k : 0 .. H - 1) { run service(k) }
		k = 0
	}
	/* every host gets all its requests completed */
	do
	:: k == H -> break
	:: k < H && acked_p[k] + acked_x[k] + answered[k] == M ->
		assert(acked_p[k] == puts[k] && acked_x[k] == execs[k] && answered[k] == gets[k]);
		k++
	od
}
