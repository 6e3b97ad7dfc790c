/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * How a service lcore sleeps and is woken: doc/protocols.md, section 4.
 *
 * SENDERS senders publish M messages each; the last one is a thread of the receiver's own host. All
 * CPUs have store buffers (TSO): a store becomes visible later, a fence waits until it is. By
 * default windows are memory, as on emulated ports. With LINK the other senders are behind links of
 * posted writes, which a fence does not wait for: only a read through the window, whose request
 * pushes the receiver's stores and whose completion pushes the sender's.
 * A doorbell that is pending already raises no interrupt when it is set again.
 *
 * need counts: odd says that the receiver sleeps. The sender rings once for each odd value, and
 * remembers for which (rung).
 * With SHARED senders 0 and 1 are threads behind the same port: one need, rung and doorbell.
 * Checked: everything sent is processed; a lost wake-up is an invalid end state.
 * Bounds: SENDERS=3 M=2
 * Known bad:
 * NOFENCE_S  no fence between the sender's publishing and its look at need
 * NOFENCE_R  no fence between the receiver's setting of need and its second look at the rings
 * NOFLUSH    (LINK) a fence only
 * NORECHECK  no second look at the rings
 * LATEWORD   the interrupt word is read after the second look
 * PENDING    doorbells are cleared on waking only, not before going to sleep
 * CLEARFIRST doorbells are cleared before the interrupt word is read: one that comes in between is
 *            pending and in the word already, so the next changes nothing
 * ONEPORT    each port has an interrupt word, and the sleeper waits on the first one only
 */
#include "model.inc"

#define LOCAL (SENDERS - 1)
#define ALL (SENDERS * M)

#define WORK 0	/* to the receiver: a descriptor is in the ring */
#define BELL 1	/* to the receiver: doorbell */
#define DONE 2	/* to the receiver: completion of its flush */
#define FLUSH 0	/* to the sender; more is a value of need, one less */

/* memory of the receiver */
byte work[SENDERS];
byte irq, other_irq;
bool pending[SENDERS];
bool flushed[SENDERS];
bool asleep;
/* memory of the senders */
byte need[SENDERS];
byte rung[SENDERS];

/* store buffers, and links behind them */
chan buffer_r = [2 * SENDERS] of { byte, byte };
chan buffer_s[SENDERS] = [1] of { byte };
chan to_s[SENDERS] = [3] of { byte };
chan to_r[SENDERS] = [3] of { byte };

#define port(s) (s == 1 && given(SHARED) -> 0 : s)
#define behind_link(s) (s != LOCAL && given(LINK))

inline raise(s)
{
	if
	:: s == 1 && given(ONEPORT) -> other_irq++
	:: else -> irq++; asleep = false
	fi
}

/* store buffer and link between sender s and the receiver */
proctype path(byte s)
{
	byte what;

end:
	do
	:: atomic { !behind_link(s) && buffer_s[s]?[WORK] -> buffer_s[s]?_; work[port(s)]++ }
	:: atomic { behind_link(s) && nempty(buffer_s[s]) && nfull(to_r[port(s)]) ->
		buffer_s[s]?what;
		to_r[port(s)]!what;
		what = 0
	}
	:: atomic { nempty(to_r[s]) ->
		to_r[s]?what;
		if
		:: what == WORK -> work[s]++
		:: what == BELL && pending[port(s)]
		:: what == BELL && !pending[port(s)] -> pending[port(s)] = true; raise(s)
		:: what == DONE -> flushed[s] = true
		fi;
		what = 0
	}
	:: atomic { nempty(to_s[s]) && nfull(to_r[s]) ->
		to_s[s]?what;
		if
		:: what == FLUSH -> to_r[s]!DONE
		:: else -> need[s] = what - 1
		fi;
		what = 0
	}
	od
}

active proctype receiver_buffer()
{
	byte s, v;

end:
	do
	:: atomic { buffer_r?s,v -> need[s] = v; s = 0; v = 0 }
	od
}

proctype sender(byte s)
{
	byte i, asked;
	bool mine;

	for (i : 1 .. M) {
		buffer_s[s]!WORK;
		empty(buffer_s[s]) || given(NOFENCE_S);
		asked = need[port(s)];
		atomic {
			mine = (asked % 2 == 1 && rung[port(s)] != asked);
			rung[port(s)] = (asked % 2 == 1 -> asked : rung[port(s)]);
			asked = 0
		};
		/* a locked instruction, or an uncached store: behind all earlier stores */
		if
		:: !mine
		:: atomic { mine && behind_link(s) && empty(buffer_s[s]) -> to_r[port(s)]!BELL }
		:: atomic { mine && !behind_link(s) && empty(buffer_s[s]) ->
			mine = !pending[port(s)];
			pending[port(s)] = true
		   };
			if
			:: atomic { mine -> raise(s) }
			:: !mine
			fi
		fi;
		mine = false
	}
}

/* one step: what they are stored into is a buffer or a link, where each takes its own time */
#define set_need(v) \
	atomic { \
		my_need++; \
		assert(my_need % 2 == v); \
		for (s : 0 .. SENDERS - 1) { \
			if \
			:: port(s) != s \
			:: port(s) == s && behind_link(s) -> to_s[s]!(my_need + 1) \
			:: port(s) == s && !behind_link(s) -> buffer_r!s,my_need \
			fi \
		} \
		s = 0 \
	}

inline clear_doorbells()
{
	do
	:: s == SENDERS -> s = 0; break
	:: atomic { s < SENDERS -> pending[s] = false; s++ }
	od
}

inline flush()
{
	atomic {
		for (s : 0 .. LOCAL - 1) {
			if :: port(s) == s -> to_s[s]!FLUSH :: else fi
		}
	}
	atomic {
		for (s : 0 .. LOCAL - 1) {
			if :: port(s) == s -> flushed[s]; flushed[s] = false :: else fi
		}
		s = 0
	}
}

active proctype receiver()
{
	byte s, seen, word, my_need;
	bool found;

	do
	:: seen == ALL -> break
	:: else ->
		/* a turn of polling */
		found = false;
		do
		:: s == SENDERS -> s = 0; break
		:: atomic { s < SENDERS && work[s] == 0 -> s++ }
		:: atomic { s < SENDERS && work[s] > 0 -> work[s]--; seen++; found = true }
		od;
		if
		:: found || seen == ALL
		:: else ->
			with(CLEARFIRST, clear_doorbells();)
			word = irq;
			without(CLEARFIRST, without(PENDING, clear_doorbells();))
			set_need(1);
			empty(buffer_r) || given(NOFENCE_R);
			with(LINK, without(NOFLUSH, flush();))
			do
			:: s == SENDERS || given(NORECHECK) -> s = 0; break
			:: atomic { s < SENDERS && work[s] == 0 -> s++ }
			:: atomic { s < SENDERS && work[s] > 0 -> s = 0; found = true; break }
			od;
			with(LATEWORD, word = irq;)
			if
			:: found
			:: else ->
				if
				:: atomic { irq == word -> asleep = true }
				:: atomic { irq != word -> skip }
				fi;
				!asleep
			fi;
			word = 0;
			set_need(0);
			with(PENDING, clear_doorbells())
		fi
	od
}

start(SENDERS, run path(k); run sender(k))
