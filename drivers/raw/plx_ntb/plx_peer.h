/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_PEER_H
#define PLX_PEER_H

/*
 * Who is at the other end of the cable, and does it hear us? The peer's driver must have programmed
 * its Link interface.
 */

#include "plx_chip.h"

/* Which NT port is at the other end of the cable? False where no programmed one answers. */
bool plx_chip_peer_find(struct plx_chip *chip);
/* Does a store reach the peer's chip? Its answers to reads do not prove that: a CPU's stores may
 * come with another requester id than its loads. An id that the own chip refused is let in. Says
 * once for each link-up what is refused. */
bool plx_chip_stores_arrive(struct plx_chip *chip);
/* Say so where the hosts' packets differ in size: a switch does not cut them. */
void plx_chip_payload_check(struct plx_chip *chip);
/* Does the NT port that was found still answer register reads over the cable? */
bool plx_chip_peer_answers(struct plx_chip *chip);
/* Does it answer, and let requests through to its host's memory? The kernel of a host takes that
 * from an adapter whose program was killed. */
bool plx_chip_peer_takes(struct plx_chip *chip);

#endif /* PLX_PEER_H */
