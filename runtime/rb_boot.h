/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BOOT_H
#define RB_BOOT_H

/** Where each PE runs, from the environment. 0 or -EINVAL, words. */
int rb_place_pes(void);

/** Start the EAL for this job and find the NT ports: fills rb.link[].port. 0 or -errno, words. */
int rb_eal_start(void);
void rb_eal_stop(void);

/** Configure and start the ports with the inbound region, shake hands, attach the rings. */
int rb_links_up(void);
void rb_links_down(void);
/** A PE without ports: routes, and where acknowledgements arrive, from the lead's words. */
void rb_links_follow(void);

/** May service lcores sleep on the doorbells of these ports? Sets rb.bells. */
void rb_sleep_init(void);
/** Sleep until a neighbour rings, or rb.stop; returns at once where there is work. */
void rb_sleep(void);

/** Start and stop the service lcore. */
int rb_service_start(void);
void rb_service_stop(void);

#endif /* RB_BOOT_H */
