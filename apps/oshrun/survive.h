/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SURVIVE_H
#define SURVIVE_H

/**
 * @file
 * A job that goes on without a host that is lost (RINGBELL_LOST_HOST=error).
 */

#include <stdbool.h>

struct job;
struct options;
struct pe;

/** Is it to go on? */
void survive_open(const struct options *opt);
/** A PE is gone, and the job would end with @p status: does it go on without its host? */
bool survive_take(struct job *job, const struct pe *pe, int status);
/** Is the end of this PE no news? */
bool survive_expects(const struct pe *pe);
/** After ends of PEs: tell the others, once no PE of the lost host is left. */
void survive_look(struct job *job);
/** RB_CTL_AGREE came, with @p status. */
void survive_asked(struct job *job, const struct pe *pe, int status);
/** The exit status at the end of the job. */
int survive_status(const struct job *job);

#endif /* SURVIVE_H */
