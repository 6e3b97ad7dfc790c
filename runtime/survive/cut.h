/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_CUT_H
#define RB_SURVIVE_CUT_H

/**
 * @file
 * Lost cables. The hosts tell each other which they are, and each takes the routes of the graph
 * that is left (doc/protocols.md, section 9). A cable stays lost until the job ends.
 *
 * The cut words, rb_ctl.cut: a byte for each host, and in it a bit for each of its ports that has
 * lost its cable. Bits are only added.
 */

/** This host's cable on @p port is lost: its next turn acts on it. Any thread. */
void rb_cut_own(unsigned int port);

/** Look what this host and its neighbours know of lost cables, act on what is new, and pass it on.
 *  Ends the job where the graph falls apart. Each turn asks. Poll. */
void rb_cut_look(void);

#endif /* RB_SURVIVE_CUT_H */
