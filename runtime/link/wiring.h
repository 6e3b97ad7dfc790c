/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_WIRING_H
#define RB_LINK_WIRING_H

#include <stdbool.h>

/**
 * @file
 * How all hosts of a job learn which cables join them: over the cables alone. A host knows from the
 * hello who is at the other end of each of its own, its row. It writes that into the first page of
 * its region, with each row that it finds in those of its neighbours, so every row comes to every
 * host. A row has one writer at each host, and is whole before its bit is set.
 */

/** A host answers at @p port, and may not agree yet. */
void rb_wiring_heard(unsigned int port, unsigned int host);
/** The hello at @p port says who is at the other end. 0, or -EPROTO with words: the window does not
 *  reach what is this port's there. */
int rb_wiring_met(unsigned int port, unsigned int host, unsigned int far);
/** Its name, for messages; before the hello, those that have not started. */
const char *rb_wiring_name(unsigned int port);
/** Have all hosts started, as far as cables that are up tell? Call it again and again: a host hears
 * of others by its neighbours, and they by it. */
bool rb_wiring_all_there(void);
/** After the handshake: wait until all rows are here, and find the routes. 0 or -errno with words.
 */
int rb_wiring_agree(void);
/** A PE without ports: the same from what the lead has found. */
int rb_wiring_routes(void);

#endif /* RB_LINK_WIRING_H */
