/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/state.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/claim.h"

struct rb_state rb = {.pe = -1,
		      .ports = RB_RING_PORTS,
		      .neighbour = {[0 ... RB_MAX_PORTS] = -1}, /* the hello says it */
		      .far = {1, 0, 3, 2, 5, 4, 7, 6},
		      .env.ctl.fd = -1,
		      .env.host.fd = -1};
struct rb_group rb_groups[RB_MAX_LCORES];

bool
rb_pmix_here(void)
{
	return getenv("PMIX_RANK") != NULL && getenv("PMIX_NAMESPACE") != NULL &&
	       !rb_claim_rank_taken() && (getenv("RINGBELL_PE") == NULL || rb.env.inherited);
}
