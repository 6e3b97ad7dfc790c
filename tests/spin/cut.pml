/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A ring of H hosts that loses the cable between host H-1 and host 0: doc/protocols.md, section 9.
 * Room in rings that are full of any number of frames is line.pml; here each frame is one.
 *
 * The hosts of the bit mask ISSUERS issue M requests each to the host HOPS away, to the right or,
 * with their bit in LEFTWARD, to the left. Direction 0 is to the right. The end hosts stop at any
 * time, and each source whose way crosses the cable changes it at any time, independently of all
 * others: so all orders of telling are here. What was stored over the cable may be lost: an end host
 * takes nothing more from the lost rings once it stops. What it has not taken its producer has kept
 * (kept.pml), and sends the other way when the mark says so: requests before those that it holds.
 * EXEC, GET and slots are as in relay.pml; a ring of own requests has OSLOTS slots. Kinds: any, or
 * EXECS.
 * Checked: no deadlock; every request is completed once, and after all EXECs that were issued before
 * it; acknowledgements say no more than that.
 *
 * Bounds: H=4 N=2 M=2 HOPS=2 ISSUERS=255 LEFTWARD=0
 * Known bad:
 * LATERFIRST what is held goes before what was not taken
 * NOWAIT    what was not taken goes at once, without the mark
 * NOMARK    what is held back at an end host goes on at once
 * EARLYMARK the mark does not wait until the far end has stopped
 * NODRAIN   the first request on the new way does not wait for those on the old one
 * NOTOGGLE  an acknowledgement that was turned is taken for one of the way that it came
 * ONEWORD   only the word of the present way is looked at
 * HEADWAIT  requests that would cross the cable wait where they are
 * REPLYWAIT so do replies
 * BLINDWAIT a sender that waits for a slot does not look whether its way has changed
 */
#include "model.inc"

#ifndef OSLOTS
#define OSLOTS M
#endif

#define EXEC 1	/* executed by the target, which acks it */
#define GET 2	/* executed by the target, which replies */
#define ACK 4	/* so many EXECs are done */
#define DATA 5
#define MARK 6	/* all requests that crossed the cable before it are executed */

#define RIGHT 0
#define LEFT 1
#define nxt(k, d) ((d) == RIGHT -> ((k) + 1) % H : ((k) + H - 1) % H)
#define at(d, k) ((d) * H + (k))
#define issues(s) ((ISSUERS >> (s)) & 1)
#define dir(s) ((LEFTWARD >> (s)) & 1)
#define dst(s) (dir(s) == RIGHT -> ((s) + HOPS) % H : ((s) + H - HOPS) % H)
/* the end host from which a frame in direction d would cross the cable */
#define end_of(d) ((d) == RIGHT -> H - 1 : 0)
#define crosses(s) (dir(s) == RIGHT -> (s) + HOPS >= H : (s) < HOPS)

/* rings at host k of frames in direction d: kind, target or source of the request, source, number,
 * turned; of requests that the host before k issued: kind, number */
chan transit[2 * H] = [N] of { byte, byte, byte, byte };
chan reply[2 * H] = [N] of { byte, byte, byte, byte, bit };
chan own[2 * H] = [OSLOTS] of { byte, byte };
/* at the end host of direction d: requests held back, and the loop of the reply ring; what
 * leaves them goes in direction 1-d */
chan hold[2] = [H * M] of { byte, byte, byte, byte };
chan loop[2] = [N] of { byte, byte, byte, byte, bit };
bool cut[2];			/* that end host sends nothing over the cable any more */
bool told[2];			/* and knows that the other one does not, and all know the cable */
bool marked[2];			/* the mark of what crossed in direction d is under way */
bool serves[2];			/* and has arrived: so many frames were not taken then, of each ring */
byte rest_t[2], rest_o[2], rest_r[2];
bool moved[H];			/* the source's way has changed */

byte issued[H];
byte execs[H];			/* bits: which requests are of that kind */
byte count_x[H], count_g[H];	/* how many are, and of the other one */
byte done[H];			/* bits: completed requests */
/* by way, old and new, and source: completed, sent as an acknowledgement, and received as one */
byte total[2 * H], acked[2 * H], word[2 * H];
byte answered[H];

#define lost_in(k, d) ((k) == end_of(1 - (d)) && cut[1 - (d)])
#define lost_out(k, d) ((k) == end_of(d) && cut[d])
#define free_t(k, d) (N - len(transit[at(d, nxt(k, d))]))
#define free_r(k, d) (lost_out(k, d) -> N - len(loop[d]) : N - len(reply[at(d, nxt(k, d))]))
#define may_send(k, d, need) \
	(lost_out(k, d) -> told[d] && !given(HEADWAIT) : free_t(k, d) >= need)
#define may_reply(k, d, need) (free_r(k, d) >= need && !(lost_out(k, d) && given(REPLYWAIT)))
#define way(s, d) ((d) == dir(s) -> 0 : 1)
#define arrived(s) (given(ONEWORD) -> word[at(moved[s], s)] : word[at(0, s)] + word[at(1, s)])
#define drained(s) (arrived(s) >= count_x[s] || given(NODRAIN))

#define exec_at(q, k) (q?[EXEC,eval(k),_,_])
#define get_at(q, k) (q?[GET,eval(k),_,_])
#define mark_at(q, k) (q?[MARK,eval(k),_,_])
#define serving(d) (serves[d] || given(NOMARK))
#define may_mark(d) (told[1 - (d)] || given(EARLYMARK))
/* what end host k has sent over the cable, and the far end has not taken, to go on in direction d */
#define lost_t(k, d) transit[at(1 - (d), nxt(k, 1 - (d)))]
#define lost_r(k, d) reply[at(1 - (d), nxt(k, 1 - (d)))]
#define lost_o(k, d) own[at(1 - (d), k)]
#define resends(k, d, q, rest) ((k) == end_of(1 - (d)) && nempty(q) && \
	(given(NOWAIT) -> cut[0] && cut[1] : rest[1 - (d)] > 0))
#define resent(rest) rest[1 - d] = rest[1 - d] - !given(NOWAIT)
#define all_sent(k, d) ((rest_t[1 - (d)] == 0 && rest_o[1 - (d)] == 0) || given(LATERFIRST))
#define forget kind = 0; to = 0; src = 0; n = 0; t = 0

inline send_t(tk, td)
{
	if
	:: lost_out(tk, td) -> hold[td]!kind,to,src,n
	:: else -> transit[at(td, nxt(tk, td))]!kind,to,src,n
	fi
}

inline send_r(rk, rd)
{
	if
	:: lost_out(rk, rd) -> loop[rd]!kind,to,src,n,1 - t
	:: else -> reply[at(rd, nxt(rk, rd))]!kind,to,src,n,t
	fi
}

/* request n of src is complete; it came in direction cd */
inline complete(cd)
{
	assert(!(done[src] & (1 << n)));
	assert((execs[src] & ((1 << n) - 1) & ~done[src]) == 0);
	done[src] = done[src] | (1 << n);
	total[at(way(src, cd), src)] = total[at(way(src, cd), src)] + (kind == EXEC)
}

/* a reply or ack has come home in direction hd */
inline take_reply(hd)
{
	if
	:: kind == DATA -> answered[src]++
	:: else ->
		with(NOTOGGLE, t = 0;)
		/* the direction of the requests that it acknowledges */
		t = (t == 1 -> hd : 1 - hd);
		if
		:: n > word[at(way(src, t), src)] -> word[at(way(src, t), src)] = n
		:: else
		fi;
		assert(word[at(0, src)] + word[at(1, src)] <= total[at(0, src)] + total[at(1, src)])
	fi
}

inline answer(ak, ad)
{
	kind = DATA;
	to = src;
	t = 0;
	send_r(ak, 1 - ad)
}

#define reply_step(q, ready, k, d) \
	:: atomic { ready && q?[_,eval(k),_,_,_] -> q?kind,to,src,n,t; take_reply(d); forget } \
	:: atomic { ready && nempty(q) && !q?[_,eval(k),_,_,_] && may_reply(k, d, 1) -> \
		q?kind,to,src,n,t; send_r(k, d); forget }

/* the acknowledgement to source s that leaves its target k in direction d */
#define due(s) total[at(way(s, 1 - d), s)]
#define sent(s) acked[at(way(s, 1 - d), s)]
#define ack_step(s) \
	:: atomic { issues(s) && dst(s) == k && due(s) > sent(s) && may_reply(k, d, 2) -> \
		kind = ACK; to = s; src = s; n = due(s); \
		sent(s) = n; \
		send_r(k, d); \
		forget }

#define source nxt(k, 1 - d)
#define mine own[at(d, source)]
#define here transit[at(d, k)]
#define take_here here?kind,to,src,n
#define polled (!lost_in(k, d))
#define end_back (k == end_of(1 - d))

/* the service of host k, of what comes in direction d */
proctype service(byte k; bit d)
{
	byte kind, to, src, n;
	bit t;

end:
	do
	/* transit ring */
	:: atomic { polled && exec_at(here, k) -> take_here; complete(d); forget }
	:: atomic { polled && get_at(here, k) && may_reply(k, 1 - d, 2) ->
		take_here; complete(d); answer(k, d); forget }
	:: atomic { mark_at(here, k) ->
		here?_,_,_,_;
		serves[d] = true;
		rest_t[d] = len(lost_t(k, 1 - d));
		rest_o[d] = len(lost_o(k, 1 - d));
		rest_r[d] = len(lost_r(k, 1 - d)) }
	:: atomic { polled && nempty(here) && !exec_at(here, k) && !get_at(here, k) &&
		    !mark_at(here, k) && may_send(k, d, 1) -> take_here; send_t(k, d); forget }
	/* what was held back, and the mark for the far end */
	:: atomic { end_back && serving(1 - d) && all_sent(k, d) && nempty(hold[1 - d]) &&
		    free_t(k, d) >= 2 -> hold[1 - d]?kind,to,src,n; send_t(k, d); forget }
	:: atomic { end_back && cut[1 - d] && may_mark(d) && !marked[d] && free_t(k, d) >= 2 ->
		marked[d] = true;
		transit[at(d, nxt(k, d))]!MARK,end_of(d),0,0 }
	/* what was not taken */
	:: atomic { resends(k, d, lost_t(k, d), rest_t) && free_t(k, d) >= 2 ->
		resent(rest_t); lost_t(k, d)?kind,to,src,n; send_t(k, d); forget }
	:: atomic { resends(k, d, lost_o(k, d), rest_o) && free_t(k, d) >= 2 ->
		resent(rest_o); src = k; to = dst(k); lost_o(k, d)?kind,n; send_t(k, d); forget }
	:: atomic { resends(k, d, lost_r(k, d), rest_r) && free_r(k, d) >= 2 ->
		resent(rest_r); lost_r(k, d)?kind,to,src,n,t; t = 1 - t; send_r(k, d); forget }
	/* replies */
	reply_step(reply[at(d, k)], polled, k, d)
	reply_step(loop[1 - d], end_back, k, d)
	/* own requests of the host before this one */
	:: atomic { polled && nempty(mine) && (dst(source) == k ->
		    !mine?[GET,_] || may_reply(k, 1 - d, 2) : may_send(k, d, 2)) ->
		src = source;
		to = dst(src);
		mine?kind,n;
		if
		:: to == k && kind == GET -> complete(d); answer(k, d)
		:: to == k && kind != GET -> complete(d)
		:: else -> send_t(k, d)
		fi;
		forget
	}
	ack_step(0)
	ack_step(1)
	ack_step(2)
#if H > 3
	ack_step(3)
#endif
	od
}

#define ring(d) own[at(d, s)]
#define old dir(s)
#define new (1 - dir(s))
#define issue(d) \
	if \
	:: execs[s] = execs[s] | (1 << issued[s]); count_x[s]++; ring(d)!EXEC,issued[s] \
	:: !given(EXECS) -> count_g[s]++; ring(d)!GET,issued[s] \
	fi; \
	issued[s]++

proctype sender(byte s)
{
	do
	:: atomic { issued[s] < M && !moved[s] && nfull(ring(old)) -> issue(old) }
	:: atomic { issued[s] < M && moved[s] && drained(s) && nfull(ring(new)) -> issue(new) }
	:: atomic { given(BLINDWAIT) && !moved[s] && issued[s] < M && s == end_of(old) &&
		    full(ring(old)) -> nfull(ring(old)) }
	:: atomic { !moved[s] && crosses(s) -> moved[s] = true }
	/* quiet */
	:: atomic { issued[s] == M && arrived(s) == count_x[s] && answered[s] == count_g[s] ->
		assert(done[s] == (1 << M) - 1);
		moved[s] = true;
		break
	}
	od
}

/* moved: all hosts are told */
#define knows(s) (!issues(s) || !crosses(s) || moved[s])
#define all_moved (knows(0) && knows(1) && knows(2) && (H < 4 || knows(H - 1)))

active proctype ends()
{
	do
	:: atomic { !cut[0] -> cut[0] = true }
	:: atomic { !cut[1] -> cut[1] = true }
	:: atomic { cut[0] && cut[1] && !told[0] && all_moved -> told[0] = true }
	:: atomic { cut[0] && cut[1] && !told[1] && all_moved -> told[1] = true }
	:: told[0] && told[1] -> break
	od
}

start(H, run service(k, RIGHT); run service(k, LEFT);
	if :: issues(k) -> run sender(k) :: else fi)
