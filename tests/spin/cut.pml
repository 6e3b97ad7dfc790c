/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A ring of H hosts that loses the cable between host H-1 and host 0: doc/protocols.md, section 9.
 * Room in rings that are full of any number of frames is line.pml; here each frame is one.
 *
 * The hosts of the bit mask ISSUERS issue M requests each to the host HOPS away, to the right or,
 * with their bit in LEFTWARD, to the left. Direction 0 is to the right. The end hosts stop at any
 * time, and each source whose way crosses the cable changes it at any time, independently of all
 * others: so all orders of telling are here. What was stored over the cable has landed.
 * PUT, EXEC, GET and slots are as in relay.pml; a ring of own requests has OSLOTS slots.
 * Kinds: any, or MIX for EXEC and PUT in turns, EXECS, PUTS, GETS.
 * Checked: no deadlock; every request is completed once; an EXEC or GET after all PUTs and EXECs
 * that were issued before it, a PUT after all earlier PUTs; acknowledgements say no more than that.
 * KEPT      what was stored over the cable may be lost, so frames alone are used, and kept (kept.pml).
 *           An end host takes nothing more from the lost rings once it stops. What it has not taken
 *           its producer sends the other way when the mark says so: requests before those that it
 *           holds. An acknowledgement that was stored over the cable may not have arrived.
 * Known bad:
 * LATERFIRST with KEPT: what is held goes before what was not taken
 * NOWAIT    with KEPT: what was not taken goes at once, without the mark
 * NOAGAIN   with KEPT: acknowledgements that were stored over the cable are not sent again
 * NOMARK    what is held back at an end host goes on at once
 * LOOSEMARK the mark does not wait for the frames that came over the cable
 * EARLYMARK nor until the far end has stopped
 * NODRAIN   the first request on the new way does not wait for those on the old one
 * NOTOGGLE  an acknowledgement that was turned is taken for one of the way that it came
 * ONEWORD   only the word of the present way is looked at
 * HEADWAIT  requests that would cross the cable wait where they are
 * REPLYWAIT so do replies
 * NOPOLL    an end host does not take what had come over the cable
 * BLINDWAIT a sender that waits for a slot does not look whether its way has changed
 */
#ifndef H
#define H 4
#endif
#ifndef N
#define N 2
#endif
#ifndef M
#define M 2
#endif
#ifndef HOPS
#define HOPS 2
#endif
#ifndef OSLOTS
#define OSLOTS M
#endif
#ifndef ISSUERS
#define ISSUERS 255
#endif
#ifndef LEFTWARD
#define LEFTWARD 0
#endif

#define PUT 0	/* stored in the target's memory by the last relay, which acks it */
#define EXEC 1	/* executed by the target, which acks it */
#define GET 2	/* executed by the target, which replies */
#define ACKP 3	/* so many PUTs are stored */
#define ACKX 4	/* so many EXECs are done */
#define DATA 5
#define MARK 6	/* all requests that crossed the cable before it are executed */

#if defined(KEPT) && !defined(EXECS)
#define may_issue(kind, i) (kind != PUT)
#elif defined(EXECS)
#define may_issue(kind, i) (kind == EXEC)
#elif defined(PUTS)
#define may_issue(kind, i) (kind == PUT)
#elif defined(GETS)
#define may_issue(kind, i) (kind == GET)
#elif defined(MIX)
#define may_issue(kind, i) (kind == i % 2)
#else
#define may_issue(kind, i) true
#endif

#define RIGHT 0
#define LEFT 1
#define nxt(k, d) ((d) == RIGHT -> ((k) + 1) % H : ((k) + H - 1) % H)
#define at(d, k) ((d) * H + (k))
#define issues(s) ((ISSUERS >> (s)) & 1)
#define dir(s) ((LEFTWARD >> (s)) & 1)
#define dst(s) (dir(s) == RIGHT -> ((s) + HOPS) % H : ((s) + H - HOPS) % H)
#define hops(s, d) (dir(s) == (d) -> HOPS : H - HOPS)
/* the end host from which a frame in direction d would cross the cable */
#define end_of(d) ((d) == RIGHT -> H - 1 : 0)
#define crosses(s) (dir(s) == RIGHT -> (s) + HOPS >= H : (s) < HOPS)

/* rings at host k of frames in direction d: kind, target or source of the request, source, number,
 * turned; of requests that the host before k issued: kind, number */
chan transit[2 * H] = [N] of { byte, byte, byte, byte };
chan reply[2 * H] = [N] of { byte, byte, byte, byte, bit };
chan own[2 * H] = [OSLOTS] of { byte, byte };
/* at the end host of direction d: requests held back, and the mirror of the reply ring; what
 * leaves them goes in direction 1-d */
chan hold[2] = [H * M] of { byte, byte, byte, byte };
chan mirror[2] = [N] of { byte, byte, byte, byte, bit };
byte kept_t[2], kept_r[2];	/* slots of the lost rings in direction d that do not come back */
byte kept_o[2];
bool cut[2];			/* that end host sends nothing over the cable any more */
bool told[2];			/* and knows that the other one does not, and all know the cable */
bool marked[2];			/* the mark of what crossed in direction d is under way */
bool serves[2];			/* and has arrived */
bool moved[H];			/* the source's way has changed */

byte issued[H];
byte puts[H], execs[H], gets[H];		/* bits: which requests are of that kind */
byte count_p[H], count_x[H], count_g[H];	/* and how many */
byte done[H];					/* bits: completed requests */
/* by way, old and new, and source: completed, sent as an acknowledgement, and received as one */
byte total_p[2 * H], total_x[2 * H];
byte told_p[2 * H], told_x[2 * H];
byte word_p[2 * H], word_x[2 * H];
byte answered[H];

#define lost_in(k, d) ((k) == end_of(1 - (d)) && cut[1 - (d)])
#define lost_out(k, d) ((k) == end_of(d) && cut[d])
#define free_t(k, d) (N - len(transit[at(d, nxt(k, d))]) - ((k) == end_of(d) -> kept_t[d] : 0))
#define free_r(k, d) (lost_out(k, d) -> N - len(mirror[d]) : \
	N - len(reply[at(d, nxt(k, d))]) - ((k) == end_of(d) -> kept_r[d] : 0))
#ifdef HEADWAIT
#define may_send(k, d, need) (!lost_out(k, d) && free_t(k, d) >= need)
#else
#define may_send(k, d, need) (lost_out(k, d) -> told[d] : free_t(k, d) >= need)
#endif
#ifdef REPLYWAIT
#define may_reply(k, d, need) (!lost_out(k, d) && free_r(k, d) >= need)
#else
#define may_reply(k, d, need) (free_r(k, d) >= need)
#endif
#define way(s, d) ((d) == dir(s) -> 0 : 1)
#ifdef ONEWORD
#define acked_x(s) (moved[s] -> word_x[at(1, s)] : word_x[at(0, s)])
#define acked_p(s) (moved[s] -> word_p[at(1, s)] : word_p[at(0, s)])
#else
#define acked_x(s) (word_x[at(0, s)] + word_x[at(1, s)])
#define acked_p(s) (word_p[at(0, s)] + word_p[at(1, s)])
#endif
#ifdef NODRAIN
#define drained(s) true
#else
#define drained(s) (acked_x(s) >= count_x[s] && acked_p(s) >= count_p[s])
#endif

#define exec_at(q, k) (q?[EXEC,eval(k),_,_])
#define get_at(q, k) (q?[GET,eval(k),_,_])
#define mark_at(q, k) (q?[MARK,eval(k),_,_])
#define put_at(q, k, d) (q?[PUT,eval(nxt(k, d)),_,_] && !lost_out(k, d))
#if defined(NOPOLL) || defined(KEPT)
#define polled(k, d) (!lost_in(k, d))
#else
#define polled(k, d) true
#endif
#ifdef NOMARK
#define serving(d) true
#else
#define serving(d) serves[d]
#endif
#ifdef EARLYMARK
#define may_mark(d) true
#else
#define may_mark(d) told[1 - (d)]
#endif
#if defined(LOOSEMARK) || defined(KEPT)
#define crossed(d) true
#else
#define crossed(d) empty(transit[at(d, end_of(1 - (d)))])
#endif
/* what end host k has sent over the cable, and the far end has not taken, to go on in direction d */
#define lost_t(k, d) transit[at(1 - (d), nxt(k, 1 - (d)))]
#define lost_r(k, d) reply[at(1 - (d), nxt(k, 1 - (d)))]
#define lost_o(k, d) own[at(1 - (d), k)]
#ifdef NOWAIT
#define resends(k, d) ((k) == end_of(1 - (d)) && cut[0] && cut[1])
#else
#define resends(k, d) ((k) == end_of(1 - (d)) && serves[1 - (d)])
#endif
#if defined(KEPT) && !defined(LATERFIRST)
#define all_sent(k, d) (empty(lost_t(k, d)) && empty(lost_o(k, d)))
#else
#define all_sent(k, d) true
#endif
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
	:: lost_out(rk, rd) -> mirror[rd]!kind,to,src,n,1 - t
	:: else -> reply[at(rd, nxt(rk, rd))]!kind,to,src,n,t
	fi
}

/* request n of src is complete; it came in direction cd */
inline complete(cd)
{
	assert(!(done[src] & (1 << n)));
	if
	:: kind == PUT -> assert((puts[src] & ((1 << n) - 1) & ~done[src]) == 0)
	:: else -> assert(((puts[src] | execs[src]) & ((1 << n) - 1) & ~done[src]) == 0)
	fi;
	done[src] = done[src] | (1 << n);
	if
	:: kind == PUT -> total_p[at(way(src, cd), src)]++
	:: kind == EXEC -> total_x[at(way(src, cd), src)]++
	:: else
	fi
}

/* a reply or ack has come home in direction hd */
inline take_reply(hd)
{
	if
	:: kind == DATA -> answered[src]++
	:: else ->
#ifdef NOTOGGLE
		t = 0;
#endif
		/* the direction of the requests that it acknowledges */
		t = (t == 1 -> hd : 1 - hd);
		if
		:: kind == ACKP && n > word_p[at(way(src, t), src)] -> word_p[at(way(src, t), src)] = n
		:: kind == ACKX && n > word_x[at(way(src, t), src)] -> word_x[at(way(src, t), src)] = n
		:: else
		fi;
		assert(word_p[at(0, src)] + word_p[at(1, src)] <=
		       total_p[at(0, src)] + total_p[at(1, src)]);
		assert(word_x[at(0, src)] + word_x[at(1, src)] <=
		       total_x[at(0, src)] + total_x[at(1, src)])
	fi
}

inline answer(ak, ad)
{
	kind = DATA;
	to = src;
	t = 0;
	send_r(ak, 1 - ad)
}

#define release(kept, k, d) \
	if \
	:: lost_in(k, d) -> kept[d]++ \
	:: else \
	fi

#define reply_step(q, ready, k, d, need, released) \
	:: atomic { ready && q?[_,eval(k),_,_,_] -> \
		q?kind,to,src,n,t; take_reply(d); released; forget } \
	:: atomic { ready && nempty(q) && !q?[_,eval(k),_,_,_] && may_reply(k, d, need) -> \
		q?kind,to,src,n,t; send_r(k, d); released; forget }

/* acknowledgements that leave host k in direction d: of EXECs, and of PUTs stored from here */
#define ack_step(s, what, total, told, word, mine) \
	:: atomic { mine && total[at(way(s, 1 - d), s)] > told[at(way(s, 1 - d), s)] && \
		    (may_reply(k, d, 2) || (nxt(k, d) == s && !lost_out(k, d))) -> \
		kind = what; to = s; src = s; n = total[at(way(s, 1 - d), s)]; \
		told[at(way(s, 1 - d), s)] = n; \
		if \
		:: nxt(k, d) == s && !lost_out(k, d) -> word[at(way(s, 1 - d), s)] = n \
		:: nxt(k, d) == s && !lost_out(k, d) && may_lose(k, d) -> skip \
		:: else -> send_r(k, d) \
		fi; \
		forget }
#ifdef KEPT
#define may_lose(k, d) ((k) == end_of(d))
#else
#define may_lose(k, d) false
#endif
#define acks_of(s) \
	ack_step(s, ACKX, total_x, told_x, word_x, (issues(s) && dst(s) == k)) \
	ack_step(s, ACKP, total_p, told_p, word_p, (issues(s) && dst(s) == nxt(k, 1 - d)))

#define source nxt(k, 1 - d)
#define mine own[at(d, source)]
#define here transit[at(d, k)]

/* the service of host k, of what comes in direction d */
proctype service(byte k; bit d)
{
	byte kind, to, src, n;
	bit t;

end:
	do
	/* transit ring */
	:: atomic { polled(k, d) && (exec_at(here, k) || put_at(here, k, d)) ->
		here?kind,to,src,n; complete(d); release(kept_t, k, d); forget }
	:: atomic { polled(k, d) && get_at(here, k) && may_reply(k, 1 - d, 2) ->
		here?kind,to,src,n; complete(d); answer(k, d); release(kept_t, k, d); forget }
	:: atomic { mark_at(here, k) -> here?_,_,_,_; serves[d] = true }
	:: atomic { polled(k, d) && nempty(here) && !exec_at(here, k) && !get_at(here, k) &&
		    !put_at(here, k, d) && !mark_at(here, k) &&
		    may_send(k, d, (lost_in(k, d) -> 2 : 1)) ->
		here?kind,to,src,n; send_t(k, d); release(kept_t, k, d); forget }
	/* what was held back, and the mark for the far end */
	:: atomic { k == end_of(1 - d) && serving(1 - d) && all_sent(k, d) && put_at(hold[1 - d], k, d) ->
		hold[1 - d]?kind,to,src,n; complete(d); forget }
	:: atomic { k == end_of(1 - d) && serving(1 - d) && all_sent(k, d) && nempty(hold[1 - d]) &&
		    !put_at(hold[1 - d], k, d) && free_t(k, d) >= 2 ->
		hold[1 - d]?kind,to,src,n; send_t(k, d); forget }
	:: atomic { k == end_of(1 - d) && cut[1 - d] && may_mark(d) && !marked[d] && crossed(d) &&
		    free_t(k, d) >= 2 ->
		marked[d] = true;
		transit[at(d, nxt(k, d))]!MARK,end_of(d),0,0 }
#ifdef KEPT
	/* what was not taken */
	:: atomic { resends(k, d) && nempty(lost_t(k, d)) && free_t(k, d) >= 2 ->
		lost_t(k, d)?kind,to,src,n; send_t(k, d); forget }
	:: atomic { resends(k, d) && nempty(lost_o(k, d)) && free_t(k, d) >= 2 ->
		src = k; to = dst(k); lost_o(k, d)?kind,n; send_t(k, d); forget }
	:: atomic { resends(k, d) && nempty(lost_r(k, d)) && free_r(k, d) >= 2 ->
		lost_r(k, d)?kind,to,src,n,t; t = 1 - t; send_r(k, d); forget }
#endif
	/* replies */
	reply_step(reply[at(d, k)], polled(k, d), k, d, (lost_in(k, d) -> 2 : 1), release(kept_r, k, d))
	reply_step(mirror[1 - d], (k == end_of(1 - d)), k, d, 1, skip)
	/* own requests of the host before this one */
	:: atomic { polled(k, d) && nempty(mine) &&
		    (dst(source) == k -> !mine?[GET,_] || may_reply(k, 1 - d, 2) :
		     (mine?[PUT,_] && dst(source) == nxt(k, d) && !lost_out(k, d)) ||
		     may_send(k, d, 2)) ->
		src = source;
		to = dst(src);
		mine?kind,n;
		release(kept_o, k, d);
		if
		:: to == k && kind == GET -> complete(d); answer(k, d)
		:: to == k && kind != GET -> complete(d)
		:: kind == PUT && to == nxt(k, d) && !lost_out(k, d) -> complete(d)
		:: else -> send_t(k, d)
		fi;
		forget
	}
	acks_of(0)
	acks_of(1)
	acks_of(2)
#if H > 3
	acks_of(3)
#endif
#if H > 4
	acks_of(4)
#endif
	od
}

#define first(s, d) own[at(d, s)]
#define over(s, d) ((s) == end_of(d))
#define room(s, d) (len(first(s, d)) + (over(s, d) -> kept_o[d] : 0) < OSLOTS)

inline issue(what, d)
{
	first(s, d)!what,issued[s];
	if
	:: what == PUT -> puts[s] = puts[s] | (1 << issued[s]); count_p[s]++
	:: what == EXEC -> execs[s] = execs[s] | (1 << issued[s]); count_x[s]++
	:: what == GET -> gets[s] = gets[s] | (1 << issued[s]); count_g[s]++
	fi;
	issued[s]++
}

/* its windows reach the neighbour, so a PUT over one hop is no request */
#define fits(what, d) (issued[s] < M && may_issue(what, issued[s]) && \
		       (what != PUT || hops(s, d) > 1))
#define instead(what, d) (issued[s] < M && what == EXEC && hops(s, d) == 1 && \
			  may_issue(PUT, issued[s]))
#define old dir(s)
#define new (1 - dir(s))

proctype sender(byte s)
{
	do
	:: atomic { !moved[s] && room(s, old) && fits(PUT, old) -> issue(PUT, old) }
	:: atomic { !moved[s] && room(s, old) && (fits(EXEC, old) || instead(EXEC, old)) -> issue(EXEC, old) }
	:: atomic { !moved[s] && room(s, old) && fits(GET, old) -> issue(GET, old) }
	:: atomic { moved[s] && drained(s) && room(s, new) && fits(PUT, new) -> issue(PUT, new) }
	:: atomic { moved[s] && drained(s) && room(s, new) && (fits(EXEC, new) || instead(EXEC, new)) ->
		issue(EXEC, new) }
	:: atomic { moved[s] && drained(s) && room(s, new) && fits(GET, new) -> issue(GET, new) }
#ifdef BLINDWAIT
	:: atomic { !moved[s] && issued[s] < M && !room(s, old) && over(s, old) ->
		room(s, old)
	}
#endif
	:: atomic { !moved[s] && crosses(s) -> moved[s] = true }
	/* quiet */
	:: atomic { issued[s] == M && acked_x(s) == count_x[s] && acked_p(s) == count_p[s] &&
		    answered[s] == count_g[s] ->
		assert(done[s] == (1 << M) - 1);
		moved[s] = true;
		break
	}
	od
}

/* moved: all hosts are told */
#define all_moved ((!issues(0) || !crosses(0) || moved[0]) && (!issues(1) || !crosses(1) || moved[1]) && \
	(!issues(2) || !crosses(2) || moved[2]) && (H < 4 || !issues(H - 1) || !crosses(H - 1) || moved[H - 1]))

#if defined(KEPT) && !defined(NOAGAIN)
#define again_of(s, d) \
	if \
	:: dst(s) == end_of(d) -> told_x[at(way(s, 1 - (d)), s)] = 0 \
	:: else \
	fi
#if H > 3
#define ack_again(d) again_of(0, d); again_of(1, d); again_of(2, d); again_of(3, d)
#else
#define ack_again(d) again_of(0, d); again_of(1, d); again_of(2, d)
#endif
#else
#define ack_again(d) skip
#endif

active proctype ends()
{
	do
	:: atomic { !cut[0] -> cut[0] = true; ack_again(0) }
	:: atomic { !cut[1] -> cut[1] = true; ack_again(1) }
	:: atomic { cut[1] && cut[0] && !told[0] && all_moved -> told[0] = true }
	:: atomic { cut[0] && cut[1] && !told[1] && all_moved -> told[1] = true }
	:: told[0] && told[1] -> break
	od
}

init {
	byte k;

	atomic {
		do
		:: k < H ->
			run service(k, RIGHT);
			run service(k, LEFT);
			if
			:: issues(k) -> run sender(k)
			:: else
			fi;
			k++
		:: else -> break
		od;
		k = 0
	}
}
