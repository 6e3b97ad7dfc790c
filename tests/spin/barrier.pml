/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The two-way barrier of H hosts over EPOCHS epochs: doc/protocols.md, section 3.
 *
 * A host has two words, one written by each neighbour. Nobody but the host itself looks at them and
 * their values only grow. So a posted store that is still on its way is the same as one that has
 * landed and is not looked at yet, and a look may find any value from the one seen last to the one
 * stored last: look() takes any of them. That covers every delay of a FIFO of posted writes, and
 * hosts that read, store and decide at different times, with one step per look.
 *
 * Default: a ring.  LINE: no cable between hosts H-1 and 0.
 * Bounds: H=3 EPOCHS=3
 * Known bad:
 * FLAGS     the words carry no epoch and are cleared by the host that leaves
 * REREAD    the decision to leave reads counts anew, after those read before were passed on
 * ALONE     a host does not pass on what it learns after its arrival
 * TWO       another thread of host 0 stores its last word to the right again, unsynchronised
 */
#include "model.inc"

byte wordl[H];		/* of host k, stored by its left neighbour */
byte wordr[H];		/* of host k, stored by its right neighbour */
byte entered[H];	/* ghost: last epoch that k has arrived at */

#define right(k) ((k + 1) % H)
#define left(k) ((k + H - 1) % H)

#define lands_l(k) (!(given(LINE) && k == 0))
#define lands_r(k) (!(given(LINE) && k == H - 1))

#ifdef FLAGS
#define word(e, c) (c)
#define count(w, e) (w)
#define sound(words, peer) skip
#else
#define word(e, c) ((e) * H + (c))
/* a word of an older epoch says nothing, one of a newer epoch says that everybody was here */
#define count(w, e) ((w) < (e) * H -> 0 : ((w) >= ((e) + 1) * H -> H - 1 : (w) - (e) * H))
/* no store takes a word back, and none runs more than one epoch ahead of its reader */
#define sound(words, peer) assert(v >= words[peer] && v < (entered[peer] + 2) * H)
#endif
#define passed_on(c) ((c) + 1 < H - 1 -> (c) + 1 : H - 1)

#define store(words, peer, c) v = word(e, c); sound(words, peer); words[peer] = v; v = 0
#define send_right(c) store(wordl, right(k), c)
#define send_left(c) store(wordr, left(k), c)
#define tell(l, r) send_right(passed_on(l)); send_left(passed_on(r))
#define more_l (lands_l(k) && count(wordl[k], e) > l)
#define more_r (lands_r(k) && count(wordr[k], e) > r)

inline look()
{
	do
	:: more_l -> l++
	:: more_r -> r++
	:: break
	od
}

/* everybody has arrived, whatever this host believes */
inline leave()
{
	all(i, H, entered[i] >= e);
	with(FLAGS, wordl[k] = 0; wordr[k] = 0;)
	l = 0;
	r = 0;
	e++
}

proctype host(byte k)
{
	byte e = 1;
	byte l, r;	/* hosts to the left and to the right of me that are here, as seen last */
	byte i, v;

	do
	:: e > EPOCHS -> break
	:: else ->
		atomic {
			entered[k] = e;
			tell(0, 0)
		}
		do
		:: atomic { more_l || more_r ->
			look();
			without(ALONE, tell(l, r);)
			with(REREAD, look();)
			if
			:: l + r + 1 >= H -> leave(); break
			:: else -> with(REREAD, tell(l, r))
			fi
		}
		od
	od
}

#ifdef TWO
active proctype restore()
{
	byte last = wordl[1];

	wordl[1] = last
}
#endif

start(H, run host(k))
