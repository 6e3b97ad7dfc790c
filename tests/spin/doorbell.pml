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
 * Bounds: GROUPS=1 M=3
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
#include "model.inc"

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
#define mine(c) (GROUPS == 1 || c == g)
#define SHARE (C * M / GROUPS)
#define rung ((pending[0] && mine(0) -> 1 : 0) + (pending[1] && mine(1) -> 2 : 0))

active proctype path()
{
	byte what, c;

end:
	do
	:: atomic { link?what,c ->
		if
		:: what == WORK -> work[c]++
		:: what == BELL && pending[c]
		:: what == BELL && !pending[c] -> pending[c] = true; irq = irq + !masked[c]
		fi;
		what = 0;
		c = 0
	}
	od
}

active proctype chip()
{
	byte bits;

#define land pending[0] = pending[0] && !(bits & 1); pending[1] = pending[1] && !(bits & 2); bits = 0
end:
	do
	:: atomic { clears[0]?bits -> land }
	:: atomic { clears[GROUPS - 1]?bits -> land }
	od
}

active [C] proctype sender()
{
	byte i;
	byte c = _pid - 2;

	for (i : 1 .. M) {
		swapped(EARLYBELL, link!WORK(c), link!BELL(c))
	}
}

inline clear()
{
	if
	:: fresh == 0
	:: else ->
		clears[g]!(given(CLEARALL) -> 3 : fresh);
		empty(clears[g]) || given(NOREADBACK)
	fi
}

#define unmask(c) \
	if \
	:: mine(c) && masked[c] -> masked[c] = false; \
		irq = irq + (pending[c] && !given(EDGE)) \
	:: else \
	fi

inline mask()
{
	atomic {
		masked[0] = masked[0] || mine(0) || given(MASKALL);
		masked[1] = masked[1] || mine(1) || given(MASKALL)
	}
}

inline look_at(c)
{
	if
	:: atomic { (due & bit(c)) && work[c] > 0 ->
		work[c]--;
		seen++;
		found = true;
		with(FORGET, due = due & ~bit(c))
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
		without(LATECLEAR, clear();)
		due = due | fresh;
		look_at(0);
		look_at(1);
		with(LATECLEAR, clear();)
		fresh = 0;
		if
		:: found || due || seen == SHARE
		:: else ->
			word = irq;
			swapped(MASKFIRST, atomic { unmask(0); unmask(1) },
				atomic { empty(clears[g]) -> fresh = rung });
			with(LATEWORD, word = irq;)
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

start(GROUPS, run receiver(k))
