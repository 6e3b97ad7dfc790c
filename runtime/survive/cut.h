/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_CUT_H
#define RB_SURVIVE_CUT_H

/**
 * @file
 * One lost cable: a ring without it is a line, on which every host still reaches every other. The
 * hosts tell each other which cable it is, and change their routes (doc/protocols.md, section 9).
 * It stays lost until the job ends, and no other one may be lost.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/rules.h"

/** The cut word, rb_ctl.cut: the number of the cable plus 1, and a bit for each of its two ends,
 *  RB_CUT_STOPPED for the one that has it on its left port, the next one for the other: it sends
 *  nothing over the cable any more. A change here is one of the wire: raise RB_VERSION. */
enum {
	RB_CUT_CABLE = 0xff,
	RB_CUT_STOPPED = 8,
};

/** This host's cable on @p port is lost. 0: the job goes on; -EBUSY: another cable was lost
 *  before. */
int rb_cut_own(unsigned int port);

/** Look what the neighbours know of a lost cable, and pass it on. Every poll asks. 0, or -EBUSY: it
 *  is a second one. */
int rb_cut_look(void);

/** This host, an end of the lost cable on its @p port, sends nothing over it any more. */
void rb_cut_stopped(unsigned int port);
/** Nor does the host at its other end, as far as this one knows, and every host has been told: no
 *  new frames come that would cross the cable. Acquire: what they did before is visible. */
bool rb_cut_all_know(unsigned int port);

#endif /* RB_SURVIVE_CUT_H */
