/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Notify mode doorbell: how a receiver that polls one register finds every descriptor, and how it
 * sleeps. doc/protocols.md, section 4.
 *
 * Two channels come over one link, a FIFO of posted writes; a descriptor goes before its bell. M
 * messages each. The receiver reads the doorbell register, clears the bits that are its own, reads
 * the register back, and takes at most one descriptor of each ring whose bell rang; a ring that it
 * may not have emptied stays due. The clear is a posted write too: it lands later than it is
 * stored, at the latest before the same CPU's next read of the register is answered. A masked bell
 * does not change the wake word, and unmasking one that is pending does.
 *
 * GROUPS=2: each channel has a service lcore of its own. Register, mask and wake word are shared.
 * Checked: everything sent is processed; a lost bell is an invalid end state.
 * Known bad:
 * NOREADBACK the rings are looked at while the clear is on its way
 * LATECLEAR  the doorbells are cleared after the look
 * FORGET     a ring that was left full is not due any more
 * EARLYBELL  the sender rings before the descriptor
 * LATEWORD   the wake word is read after the last look at the register
 * MASKFIRST  the last look goes before the unmasking: fine where unmasking a pending bell changes the
 *            word, and a lost bell with EDGE, where it does not
 * CLEARALL   (GROUPS=2) a service lcore clears the bells of the other one too
 * MASKALL    (GROUPS=2) masking its own bells, it masks those of the other one too
 */
#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef M
#define M 3
#endif
#define C 2

#define WORK 0
#define BELL 1

byte work[C];		/* descriptors in the ring */
bool pending[C];	/* the register */
bool masked[C];
byte irq;		/* the wake word */

chan link = [3] of { byte, byte };
chan clears[GROUPS] = [1] of { byte };

#define bit(c) (1 << c)
#if GROUPS == 1
#define mine(c) true
#define SHARE (C * M)
#else
#define mine(c) (c == g)
#define SHARE M
#endif
#define first (pending[0] && mine(0))
#define second (pending[1] && mine(1))
#define rung ((first -> 1 : 0) + (second -> 2 : 0))

active proctype path()
{
	byte what, c;

end:
	do
	:: atomic { link?what,c ->
		if
		:: what == WORK -> work[c]++
		:: what == BELL && pending[c]
		:: what == BELL && !pending[c] ->
			pending[c] = true;
			if
			:: masked[c]
			:: else -> irq++
			fi
		fi;
		what = 0;
		c = 0
	}
	od
}

active proctype chip()
{
	byte bits;

end:
	do
	:: atomic { clears[0]?bits -> pending[0] = pending[0] && !(bits & 1);
		pending[1] = pending[1] && !(bits & 2); bits = 0 }
#if GROUPS == 2
	:: atomic { clears[1]?bits -> pending[0] = pending[0] && !(bits & 1);
		pending[1] = pending[1] && !(bits & 2); bits = 0 }
#endif
	od
}

active [C] proctype sender()
{
	byte i;
	byte c = _pid - 2;

	do
	:: i == M -> break
	:: else ->
#ifdef EARLYBELL
		link!BELL,c;
		link!WORK,c;
#else
		link!WORK,c;
		link!BELL,c;
#endif
		i++
	od
}

inline clear()
{
	if
	:: fresh == 0
	:: else ->
#ifdef CLEARALL
		clears[g]!3;
#else
		clears[g]!fresh;
#endif
#ifndef NOREADBACK
		empty(clears[g])
#else
		skip
#endif
	fi
}

#define unmask(c) \
	if \
	:: mine(c) && masked[c] -> masked[c] = false; \
		if \
		:: pending[c] && !EDGES -> irq++ \
		:: else \
		fi \
	:: else \
	fi
#ifdef EDGE
#define EDGES true
#else
#define EDGES false
#endif

inline mask()
{
#ifdef MASKALL
	atomic { masked[0] = true; masked[1] = true }
#else
	atomic { masked[0] = masked[0] || mine(0); masked[1] = masked[1] || mine(1) }
#endif
}

inline look_at(c)
{
	if
	:: atomic { (due & bit(c)) && work[c] > 0 ->
		work[c]--;
		seen++;
		found = true;
#ifdef FORGET
		due = due & ~bit(c)
#endif
	}
	:: atomic { (due & bit(c)) && work[c] == 0 -> due = due & ~bit(c) }
	:: !(due & bit(c))
	fi
}

proctype receiver(byte g)
{
	byte seen, due, fresh, word;
	bool found;

	mask();
	do
	:: seen == SHARE -> break
	:: else ->
		found = false;
		atomic { empty(clears[g]) -> fresh = rung };
#ifndef LATECLEAR
		clear();
#endif
		due = due | fresh;
		look_at(0);
		look_at(1);
#ifdef LATECLEAR
		clear();
#endif
		fresh = 0;
		if
		:: found || due || seen == SHARE
		:: else ->
			word = irq;
#ifndef MASKFIRST
			atomic { unmask(0); unmask(1) };
#endif
			atomic { empty(clears[g]) -> fresh = rung };
#ifdef LATEWORD
			word = irq;
#endif
#ifdef MASKFIRST
			atomic { unmask(0); unmask(1) };
#endif
			if
			:: fresh
			:: else -> irq != word
			fi;
			fresh = 0;
			word = 0;
			mask()
		fi
	od
}

init {
	atomic {
		run receiver(0);
#if GROUPS == 2
		run receiver(1)
#endif
	}
}
