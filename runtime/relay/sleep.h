/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_SLEEP_H
#define RB_RELAY_SLEEP_H

/**
 * @file
 * Who polls the rings of a group, and how its service lcore sleeps while there is nothing to poll
 * or an application thread polls.
 */

#include <stdint.h>

/** Decide whether service lcores may sleep on the doorbells of these ports: sets rb.bells. */
void rb_sleep_init(void);
/** The service lcore of a group sleeps until a neighbour rings or rb_call() is called. Returns at
 *  once if there is work. */
void rb_sleep(unsigned int group);
/** Wake the service lcore of a group. */
void rb_call(unsigned int group);

/** From now on an application thread polls instead of the service lcores. @p groups: the groups
 *  that it has already, as bits. @return those and the new ones; try again for the others */
uint32_t rb_poll_borrow(uint32_t groups);
/** The application thread stops polling these groups. */
void rb_poll_return(uint32_t groups);

#endif /* RB_RELAY_SLEEP_H */
