/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The start/end barrier of H hosts over EPOCHS epochs: two doorbells, each of which goes once round
 * the ring to the right. doc/protocols.md, section 3.
 *
 * A doorbell that is rung while it is pending is lost. Clearing one is a posted write to the port on
 * the left, which the ring through the port on the right does not wait for, but a read does.
 * Checked: nobody leaves before all have arrived; a lost doorbell is an invalid end state.
 * Bounds: H=3 EPOCHS=3
 * Known bad:
 * NOREADBACK a host passes the doorbell on while its clear is on its way
 * ONEROUND   a host leaves when the start doorbell came by
 */
#include "model.inc"

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
	!clearing[2 * k + what] || given(NOREADBACK)
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
	byte e, i;

	for (e : 1 .. EPOCHS) {
		entered[k] = e;
		if
		:: k == 0 ->
			ring(START);
			await(START);
			without(ONEROUND, ring(END); await(END))
		:: else ->
			await(START);
			ring(START);
			without(ONEROUND, await(END); ring(END))
		fi;
		all(i, H, entered[i] >= e)
	}
}

start(H, run port(k); run host(k))
