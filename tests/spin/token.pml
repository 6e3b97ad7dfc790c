/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The start/end barrier of H hosts over EPOCHS epochs: two doorbells, each of which goes once round
 * the ring to the right. doc/protocols.md, section 3.
 *
 * A doorbell that is rung while it is pending is lost. Clearing one is a posted write to the port on
 * the left, which the ring through the port on the right does not wait for, but a read does.
 * Checked: nobody leaves before all have arrived; a lost doorbell is an invalid end state.
 * Known bad:
 * NOREADBACK a host passes the doorbell on while its clear is on its way
 * ONEROUND   a host leaves when the start doorbell came by
 */
#ifndef H
#define H 3
#endif
#ifndef EPOCHS
#define EPOCHS 3
#endif
#define START 0
#define END 1

bool pending[2 * H];	/* of host k's left port: start at 2k, end at 2k + 1 */
bool clearing[2 * H];	/* the clear is on its way */
byte entered[H];	/* ghost: last epoch that k has arrived at */

#define right(k) ((k + 1) % H)
#define ring(what) pending[2 * right(k) + what] = true

inline await(what)
{
	atomic { pending[2 * k + what] && !clearing[2 * k + what] -> clearing[2 * k + what] = true };
#ifndef NOREADBACK
	!clearing[2 * k + what]
#endif
}

proctype port(byte k)
{
end:
	do
	:: d_step { clearing[2 * k] -> clearing[2 * k] = false; pending[2 * k] = false }
	:: d_step { clearing[2 * k + 1] -> clearing[2 * k + 1] = false; pending[2 * k + 1] = false }
	od
}

proctype host(byte k)
{
	byte e = 1, i;

	do
	:: e > EPOCHS -> break
	:: else ->
		entered[k] = e;
		if
		:: k == 0 ->
			ring(START);
			await(START);
#ifndef ONEROUND
			ring(END);
			await(END)
#endif
		:: else ->
			await(START);
			ring(START);
#ifndef ONEROUND
			await(END);
			ring(END)
#endif
		fi;
		atomic {
			do
			:: i < H -> assert(entered[i] >= e); i++
			:: else -> break
			od;
			i = 0;
			e++
		}
	od
}

init {
	byte k;

	atomic {
		do
		:: k < H -> run port(k); run host(k); k++
		:: else -> break
		od
	}
}
