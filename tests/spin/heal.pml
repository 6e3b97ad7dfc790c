/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * How hosts tell each other of a lost cable, how it is taken into use when it comes back, and lost
 * again: doc/protocols.md, section 9.
 *
 * A ring of H hosts; cable c joins the right port of host c and the left port of host c + 1. Cables
 * of the bit mask CABLES break BREAKS times in all, at any time, and each comes back at any time.
 * A host has a word of each neighbour, and stores what it knows to both, one after the other: the
 * number of the loss, its cable, and how far the hosts at its two ends have come. The word of the
 * higher number wins; of the same number, the further stage of each end. No word goes over the
 * cable that it is about.
 * AFTER: cables but the first one break only after a return was announced.
 * Checked: STOPPED of the other end is seen only where all hosts have left the cable; an end takes
 * it into use (OPEN) only where all requests of the old ways were complete and the other end has
 * prepared for it (ENTER); a host goes back to it only where both ends have it in use; a new loss
 * has a number only where all hosts are back; where the return was announced, no loss of a single
 * cable ends the job; every loss is noticed; no deadlock.
 * Bounds: H=3 BREAKS=2 CABLES=1
 * Known bad:
 * TELLFIRST  a host passes a loss on before it has changed its ways
 * ONESIDE    a host tells only the neighbour that has not told it
 * NOPART     a host passes PARTED on before its requests of the old ways are complete
 * NOENTER    an end opens as soon as the other one is READY
 * BACKEARLY  hosts go back when both ends are READY
 * OVERIT     words go over the cable that is back, too
 * NEWEARLY   a new loss gets its number when both ends are OPEN
 * NOTEEARLY  the return is announced when both ends have gone BACK
 * LATEBASE   what broke after READY is forgotten as the healing ends
 */
#include "model.inc"

#define STOPPED 1
#define PARTED 2
#define READY 3
#define ENTER 4
#define OPEN 5
#define BACK 6
#define DONE 7

#define LEFT 0
#define RIGHT 1
#define at(s, k) ((s) * H + (k))
#define beyond(s, k) ((s) == RIGHT -> ((k) + 1) % H : ((k) + H - 1) % H)
#define cable_of(s, k) ((s) == RIGHT -> (k) : ((k) + H - 1) % H)

/* words, by side and host that reads them: loss, its cable, stages of its left and right end, where
 * the left end is the host whose right port has the cable */
byte w_n[2 * H], w_c[2 * H], w_l[2 * H], w_r[2 * H];
/* what each host knows */
byte n[H], c[H], l[H], r[H];
byte without[H];	/* its ways avoid this cable, plus 1; 0: none */
bool settled[H];	/* its requests of the old ways of this loss are complete */
bool down[H];		/* cables */
byte breaks[H];		/* of a cable, and as each end has seen them */
byte seen[2 * H];
byte used[2 * H];	/* ghost: as they were when the end took the cable into use */
byte left_breaks = BREAKS;
byte numbers;		/* losses that have one */
bool noted;		/* the return was announced, and nothing has a newer number */
bool ended;

#define may_break(cable) (left_breaks > 0 && ((cable) == 0 || noted || !given(AFTER)))
#define is_end(k) (n[k] > 0 && (c[k] == k || (c[k] + 1) % H == k))
#define mine(k) (c[k] == k -> l[k] : r[k])
#define other(k) (c[k] == k -> r[k] : l[k])
#define side(k) (c[k] == k -> RIGHT : LEFT)
#define both(k, stage) (l[k] >= stage && r[k] >= stage)
#define whole(k) (n[k] == 0 || both(k, (given(NEWEARLY) -> OPEN : BACK)))
#define may_return(k) both(k, (given(BACKEARLY) -> READY : OPEN))
#define may_note(k) both(k, (given(NOTEEARLY) -> BACK : DONE))
#define enough (given(NOENTER) -> READY : ENTER)
#define shown(k, stage) (settled[k] || (stage) <= STOPPED || given(NOPART) -> (stage) : STOPPED)

#define store(s, k, to) \
	atomic { \
		if \
		:: n[k] > 0 && may_tell(s, k) -> \
			w_n[at(1 - s, to)] = n[k]; \
			w_c[at(1 - s, to)] = c[k]; \
			w_l[at(1 - s, to)] = shown(k, l[k]); \
			w_r[at(1 - s, to)] = shown(k, r[k]) \
		:: else \
		fi \
	}
#define may_tell(s, k) ((c[k] != cable_of(s, k) || (mine(k) >= OPEN && given(OVERIT))) && \
	!(w_n[at(s, k)] == n[k] && given(ONESIDE)))

inline tell()
{
	store(LEFT, k, beyond(LEFT, k));
	store(RIGHT, k, beyond(RIGHT, k))
	with(TELLFIRST, ; if :: n[k] > 0 && !may_return(k) -> without[k] = c[k] + 1 :: else fi)
}

#define leave without[k] = (given(TELLFIRST) -> without[k] : c[k] + 1)
#define all_without() all(i, H, n[i] == n[k] && without[i] == c[k] + 1)
#define all_settled() all(i, H, n[i] == n[k] && settled[i])
#define all_back() all(i, H, without[i] == 0 || n[i] > n[k])

/* its ways follow what it knows, before it passes that on */
inline follow()
{
	if
	:: may_return(k) && without[k] != 0 ->
		/* both ends have it in use: what they know themselves */
		assert(n[c[k]] > n[k] || l[c[k]] >= OPEN);
		assert(n[(c[k] + 1) % H] > n[k] || r[(c[k] + 1) % H] >= OPEN);
		without[k] = 0
	:: else
	fi
}

inline lose(s)
{
	if
	:: whole(k) ->
		all_back();
		n[k]++;
		c[k] = cable_of(s, k);
		l[k] = 0;
		r[k] = 0;
		settled[k] = false;
		leave;
		if
		:: n[k] > numbers -> numbers = n[k]; noted = false
		:: else
		fi
	:: !whole(k) && c[k] != cable_of(s, k) ->
		assert(!noted);
		ended = true
	:: else
	fi
}

#define news(s) (w_n[at(s, k)] > n[k] || \
	(w_n[at(s, k)] == n[k] && n[k] > 0 && (w_c[at(s, k)] != c[k] || \
	 w_l[at(s, k)] > l[k] || w_r[at(s, k)] > r[k])))

inline learn(s)
{
	if
	:: w_n[at(s, k)] > n[k] ->
		n[k] = w_n[at(s, k)];
		c[k] = w_c[at(s, k)];
		l[k] = w_l[at(s, k)];
		r[k] = w_r[at(s, k)];
		settled[k] = false;
		leave
	:: w_n[at(s, k)] == n[k] && w_c[at(s, k)] != c[k] -> assert(!noted); ended = true
	:: else ->
		l[k] = (w_l[at(s, k)] > l[k] -> w_l[at(s, k)] : l[k]);
		r[k] = (w_r[at(s, k)] > r[k] -> w_r[at(s, k)] : r[k])
	fi;
	if
	:: is_end(k) && other(k) >= STOPPED && mine(k) < READY -> all_without()
	:: else
	fi;
	follow()
}

#define stage(s) \
	if \
	:: c[k] == k -> l[k] = s \
	:: else -> r[k] = s \
	fi; \
	follow()

#define in_use(k) (!is_end(k) || whole(k))
#define broke(s) (breaks[cable_of(s, k)] != seen[at(s, k)])
/* the cable that is lost already is not lost again */
#define may_lose(s) (broke(s) && (n[k] == 0 || whole(k) || c[k] != cable_of(s, k)))
#define wait (is_end(k) && !ended)

proctype host(byte k)
{
	byte i;

end:
	do
	:: ended -> break
	:: atomic { !ended && may_lose(LEFT) -> lose(LEFT) }; tell()
	:: atomic { !ended && may_lose(RIGHT) -> lose(RIGHT) }; tell()
	:: atomic { !ended && news(LEFT) -> learn(LEFT) }; tell()
	:: atomic { !ended && news(RIGHT) -> learn(RIGHT) }; tell()
	:: atomic { !ended && n[k] > 0 && without[k] != 0 && !settled[k] -> settled[k] = true }; tell()
	:: atomic { wait && mine(k) == 0 -> stage(STOPPED) }; tell()
	:: atomic { wait && mine(k) == STOPPED && settled[k] -> stage(PARTED) }; tell()
	:: atomic { wait && mine(k) == PARTED && other(k) >= PARTED && !down[c[k]] ->
		all_settled();
		seen[at(side(k), k)] = breaks[c[k]];
		used[at(side(k), k)] = breaks[c[k]];
		stage(READY) }; tell()
	:: atomic { wait && mine(k) == READY && other(k) >= READY -> stage(ENTER) }; tell()
	:: atomic { wait && mine(k) >= READY && mine(k) < OPEN && other(k) >= enough ->
		i = (c[k] == k -> (k + 1) % H : (k + H - 1) % H);
		assert((c[k] == k -> r[i] : l[i]) >= ENTER);
		i = 0;
		stage(OPEN) }; tell()
	:: atomic { wait && mine(k) == OPEN && other(k) >= OPEN -> stage(BACK) }; tell()
	:: atomic { wait && mine(k) == BACK && other(k) >= BACK ->
		with(LATEBASE, seen[at(side(k), k)] = breaks[c[k]];)
		stage(DONE) }; tell()
	:: atomic { wait && c[k] == k && may_note(k) && n[k] == numbers && !noted -> noted = true }
	od
}

proctype hand(byte cable)
{
	do
	:: atomic { !down[cable] && may_break(cable) ->
		left_breaks--; breaks[cable]++; down[cable] = true }
	/* so short that nobody sees it down */
	:: atomic { !down[cable] && may_break(cable) -> left_breaks--; breaks[cable]++ }
	:: down[cable] -> down[cable] = false
	:: atomic { !down[cable] && left_breaks == 0 -> break }
	:: ended -> break
	od
}

/* in the end the ring is whole, and every loss was noticed by both ends */
#define all_up (!down[0] && !down[1] && (H < 3 || !down[2 % H]) && (H < 4 || !down[3 % H]))
#define quiet(k) (n[k] == numbers && both(k, DONE) && without[k] == 0 && \
	breaks[cable_of(LEFT, k)] == used[at(LEFT, k)] && \
	breaks[cable_of(RIGHT, k)] == used[at(RIGHT, k)])

active proctype judge()
{
	ended || (left_breaks == 0 && all_up && quiet(0) && quiet(1) && (H < 3 || quiet(2 % H)) &&
		(H < 4 || quiet(3 % H)))
}

start(H, run host(k); if :: (CABLES >> k) & 1 -> run hand(k) :: else fi)
