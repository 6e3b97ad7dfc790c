/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_PEER_H
#define PLX_PEER_H

/*
 * The chip at the other end of the cable: which of its ports is there, and does it take requests?
 * The peer's driver must have programmed its Link interface.
 */

#include "plx_chip.h"

/* Which NT port is at the other end of the cable? False where no programmed one answers. */
bool plx_chip_peer_find(struct plx_chip *chip);
/* Is the port that was found one of this side's own chip? Writes registers of the own chip. */
bool plx_chip_peer_is_own(struct plx_chip *chip);
/* Does a store reach the peer's chip? Answers to reads do not prove that: a CPU's stores may come
 * with another requester id than its loads. An id that this side's chip refused is let in. Logs
 * refused stores once for each link-up. */
bool plx_chip_stores_arrive(struct plx_chip *chip);
/* Log a warning where packets of this host are larger than the peer's host takes: a switch does not
 * split them. */
void plx_chip_payload_check(struct plx_chip *chip);
/* Does the NT port that was found still answer register reads over the cable? */
bool plx_chip_peer_answers(struct plx_chip *chip);
/* Does it answer, and may requests reach its host's memory? The kernel of a host switches that off
 * when the adapter's program is killed. */
bool plx_chip_peer_takes(struct plx_chip *chip);

#endif /* PLX_PEER_H */
