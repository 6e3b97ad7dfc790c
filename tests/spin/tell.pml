/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * How hosts tell each other of a lost cable: doc/protocols.md, section 9.
 *
 * The cable joins host H-1, its right side, and host 0. Either end host, or both, find out by
 * themselves, at any time. A host has a word from each neighbour: the cable (LOST), and which end
 * hosts have stopped. It takes up what a word says, in one step or after each other, and stores
 * what it knows then to the neighbours that are not beyond the cable.
 * Checked: every host learns all of it; a host that knows that the other end has stopped is one of
 * a line in which all hosts know the cable and have changed their ways.
 * Known bad:
 * TELLFIRST  a host passes a word on before it has changed its ways
 * ONESIDE    a host tells only the neighbour that did not tell it
 */
#ifndef H
#define H 4
#endif

#define LOST 1
#define STOP_A 2	/* host H-1 has stopped */
#define STOP_B 4	/* host 0 */
#define ALL 7

byte from_left[H], from_right[H];	/* written by the neighbour */
byte knows[H];
bool changed[H];

inline tell(k)
{
	if
#ifdef ONESIDE
	:: k < H - 1 && from_right[k] == 0 -> from_left[k + 1] = from_left[k + 1] | knows[k]
#else
	:: k < H - 1 -> from_left[k + 1] = from_left[k + 1] | knows[k]
#endif
	:: else
	fi;
	if
#ifdef ONESIDE
	:: k > 0 && from_left[k] == 0 -> from_right[k - 1] = from_right[k - 1] | knows[k]
#else
	:: k > 0 -> from_right[k - 1] = from_right[k - 1] | knows[k]
#endif
	:: else
	fi
}

inline all_changed()
{
	i = 0;
	do
	:: i < H -> assert(changed[i]); i++
	:: else -> break
	od;
	i = 0
}

proctype host(byte k)
{
	byte i;

	do
	/* by its own look */
	:: (k == 0 || k == H - 1) && knows[k] == 0 ->
		knows[k] = LOST;
#ifdef TELLFIRST
		tell(k);
		changed[k] = true
#else
		changed[k] = true;
		tell(k)
#endif
	:: ((from_left[k] | from_right[k]) & ~knows[k]) != 0 ->
		atomic { knows[k] = knows[k] | from_left[k] | from_right[k] };
#ifdef TELLFIRST
		tell(k);
		changed[k] = true
#else
		changed[k] = true;
		tell(k)
#endif
		;
		atomic {
			if
			:: (k == H - 1 && knows[k] & STOP_B) || (k == 0 && knows[k] & STOP_A) ->
				all_changed()
			:: else
			fi
		}
	/* an end host has put its mirrors in place, for all service lcores */
	:: k == H - 1 && changed[k] && !(knows[k] & STOP_A) ->
		knows[k] = knows[k] | STOP_A;
		tell(k)
	:: k == 0 && changed[k] && !(knows[k] & STOP_B) ->
		knows[k] = knows[k] | STOP_B;
		tell(k)
	:: knows[k] == ALL && changed[k] -> break
	od
}

init {
	byte k;

	atomic {
		do
		:: k < H -> run host(k); k++
		:: else -> break
		od
	}
}
