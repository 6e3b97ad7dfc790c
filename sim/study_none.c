/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* In the place of study.c where jansson is missing. */

#include <errno.h>

#include "study.h"

static int
refuse_study(const struct study *study)
{
	fprintf(stderr, "ringbell-sim: %s: built without jansson, which reads traces\n",
		study->file);
	return -ENOTSUP;
}

int
study_replay(FILE *f, const struct study *study, const struct sim_params *p)
{
	(void)f;
	(void)p;
	return refuse_study(study);
}

int
study_place(FILE *f, const struct study *study)
{
	(void)f;
	return refuse_study(study);
}
