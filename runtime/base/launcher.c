/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/launcher.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/rank.h"
#include "base/state.h"

bool
rb_pmix_here(void)
{
	return getenv("PMIX_RANK") != NULL && getenv("PMIX_NAMESPACE") != NULL &&
	       !rb_claim_rank_taken() && (getenv("RINGBELL_PE") == NULL || rb.env.inherited);
}
