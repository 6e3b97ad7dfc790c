/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_PMIX_H
#define RB_JOB_PMIX_H

struct rb_exchange;

/** The PMIx server of a launcher such as mpirun or srun. libpmix is loaded only when a job needs
 * it. So programs do not link it, and run without it elsewhere. In a build without its header, its
 *  join() fails with an error text that says so (pmix_none.c). */
extern const struct rb_exchange rb_exchange_pmix;

#endif /* RB_JOB_PMIX_H */
