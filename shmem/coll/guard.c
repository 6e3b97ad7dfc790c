/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "guard.h"

bool
coll_refused(const struct coll_op *op)
{
	int rank, pe;

	if (rb_gone_stopped()) {
		rb_gone_note(-1);
		return true;
	}
	if (rb_gone_first() < 0)
		return false;
	for (rank = 0; rank < op->n; rank++) {
		pe = coll_pe(op, rank);
		if (rb_gone_pe(pe)) {
			rb_gone_note(pe);
			return true;
		}
	}
	return false;
}
