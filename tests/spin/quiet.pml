/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What quiet waits for: doc/protocols.md, section 5.
 *
 * Host 0 issues, host 1 relays, host 2 is the target. A request is one of
 *   NEAR  stored by host 0 into host 1's memory, pushed there by host 0's own flush;
 *   PUT   a frame to host 1, which stores it into host 2's memory, flushes, and acks;
 *   EXEC  a frame that host 1 passes on and host 2 executes and acks.
 * Each link is a FIFO of posted stores per direction, of DEPTH places; a flush is a read whose
 * completion comes when everything stored before it has landed. Host 1 goes on relaying while its
 * flush is under way, which includes the host that waits for it. Acks are cumulative counts.
 * ROUNDS times: up to M requests of any kind, then quiet.
 * Checked: when quiet returns, all requests are visible in the memory they were for; it returns.
 * Bounds: M=2 ROUNDS=2 DEPTH=2
 * Known bad:
 * NOFLUSH_0  quiet does not flush the links that host 0 stored to directly
 * NOFLUSH_1  the relay acks what it has stored without a flush
 * LATECOUNT  the relay acks what it has stored when the flush ends, not when it began
 * ONECLASS   one count for both kinds of frames, acked by the relay
 * AFRESH     host 0 counts from nought again after every quiet, and the others do not
 */
#include "model.inc"

mtype = { NEAR, PUT, EXEC, FLUSH, ACK_P, ACK_X };

chan link01 = [DEPTH] of { mtype };
chan link12 = [DEPTH] of { mtype };
chan link21 = [DEPTH] of { mtype, byte };
chan link10 = [DEPTH] of { mtype, byte };

/* memory of host 0 */
byte acked_p, acked_x;
bool done0;
/* memory of host 1: frames for it, acks to pass on, direct puts */
chan frames1 = [M * ROUNDS] of { mtype };
byte pass_x;
byte near;
bool done1;
/* memory of host 2 */
chan frames2 = [M * ROUNDS] of { mtype };
byte put, exec;

active proctype cables()
{
	mtype what;
	byte n;

end:
	do
	:: atomic { link01?what ->
		if
		:: what == NEAR -> near++
		:: what == FLUSH -> done0 = true
		:: else -> frames1!what
		fi;
		what = 0
	}
	:: atomic { link12?what ->
		if
		:: what == PUT -> put++
		:: what == FLUSH -> done1 = true
		:: else -> frames2!what
		fi;
		what = 0
	}
	:: atomic { link21?what,n -> pass_x = n; what = 0; n = 0 }
	:: atomic { link10?what,n ->
		if
		:: what == ACK_P -> acked_p = n
		:: what == ACK_X -> acked_x = n
		fi;
		what = 0;
		n = 0
	}
	od
}

#define acked(puts, execs) (given(ONECLASS) -> acked_p >= puts + execs : \
	acked_p >= puts - base_p && acked_x >= execs - base_x)

active proctype host0()
{
	byte i, round, nears, puts, execs, base_p, base_x;

	for (round : 1 .. ROUNDS) {
		with(AFRESH, acked_p = 0; acked_x = 0; base_p = puts; base_x = execs;)
		for (i : 1 .. M) {
			if
			:: atomic { link01!NEAR -> nears++ }
			:: atomic { link01!PUT -> puts++ }
			:: atomic { link01!EXEC -> execs++ }
			:: skip
			fi
		}
		i = 0;
		/* quiet */
		without(NOFLUSH_0, link01!FLUSH; atomic { done0 -> done0 = false };)
		atomic { acked(puts, execs) -> assert(near == nears && put == puts && exec == execs) }
	}
}

active proctype relay()
{
	byte stored, covered, sent, sent_x;
	bool flushing;

end:
	do
	:: atomic { frames1?[PUT] && nfull(link12) -> frames1?PUT; link12!PUT; stored++ }
	:: atomic { frames1?[EXEC] && nfull(link12) ->
		frames1?EXEC;
		link12!EXEC;
		stored = stored + given(ONECLASS)
	}
	:: atomic { given(NOFLUSH_1) && stored > sent && nfull(link10) ->
		link10!ACK_P,stored;
		sent = stored
	}
	:: atomic { !given(NOFLUSH_1) && stored > sent && !flushing && nfull(link12) ->
		link12!FLUSH;
		flushing = true;
		covered = stored
	}
	:: atomic { flushing && done1 && nfull(link10) ->
		with(LATECOUNT, covered = stored;)
		link10!ACK_P,covered;
		sent = covered;
		covered = 0;
		flushing = false;
		done1 = false
	}
	:: atomic { pass_x > sent_x && nfull(link10) -> link10!ACK_X,pass_x; sent_x = pass_x }
	od
}

active proctype host2()
{
	byte sent;

end:
	do
	:: atomic { frames2?EXEC -> exec++ }
	:: atomic { exec > sent && nfull(link21) -> link21!ACK_X,exec; sent = exec }
	od
}
