/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_BOOT_H
#define RB_RELAY_BOOT_H

#include "base/state.h"

/** Where each PE runs, from the environment. 0 or -EINVAL, words. */
int rb_place_pes(void);
/** Only rb.hosts, rb.npes, rb.place and rb.lead of it. 0 or -EINVAL, words. */
int rb_place_table(void);
int rb_place_locals(int host); /**< PEs of a host */

/** Ask for memory of the PE's own node for its heap; say where the PE runs, if that is wanted. */
void rb_where_heap(void);
void rb_where_report(void);

/** Start the EAL for this job and find the NT ports: fills rb.link[].port. 0 or -errno, words. */
int rb_eal_start(void);
void rb_eal_stop(void);

enum {
	RB_FDS = 4096
};

/** Descriptors that are open before the EAL starts. What it opens does not pass over exec. */
struct rb_fds {
	bool alone; /**< no other thread opens any */
	bool open[RB_FDS];
};
void rb_fds_before(struct rb_fds *fds);
void rb_fds_after(struct rb_fds *fds);

/** Alignment of the region's bus address that suits all ports. 0, or -ENOMEM with words where a
 *  window is smaller than the region. */
int rb_links_want(uint64_t *ret_align);
/** Configure and start the ports with the inbound region, shake hands, attach the rings. */
int rb_links_up(void);
void rb_links_down(void);
/** Before the neighbours may read anything: tokens, and the nonce where host 0 draws it. */
int rb_greet_init(void);
/** Shake hands on all links. 0 or -errno, words. */
int rb_greet(void);
/** Both links are up, and the first barrier waits for hosts beyond them: name those, now and then.
 */
void rb_greet_far(const struct rb_arrivals *seen);
/** A PE without ports: routes, and where acknowledgements arrive, from the lead's words. */
int rb_links_follow(void);

/** Make the pool of requests, once the EAL is up. 0 or -errno, words. */
int rb_req_open(void);
void rb_req_close(void);

/** May service lcores sleep on the doorbells of these ports? Sets rb.bells. */
void rb_sleep_init(void);
/** The service lcore of a group sleeps until a neighbour rings, or rb_call(); returns at once where
 *  there is work. */
void rb_sleep(unsigned int group);
/** Wake the service lcore of a group. */
void rb_call(unsigned int group);

/** An application thread polls from here on. @p duty: groups that it has, as bits
 *  @return those and what it got; try again for the others */
uint32_t rb_duty_take(uint32_t duty);
/** Does any? A hint, outside of poll_lock. */
static inline bool
rb_duty_taken(unsigned int group)
{
	return atomic_load_explicit(&rb.group[group].waiters, memory_order_relaxed) != 0;
}
/** It does not any more. */
void rb_duty_give(uint32_t duty);

/** The one consumer of the rings of a group. Acquire and release: what one holder did, the next one
 *  sees. */
static inline bool
rb_poll_try(unsigned int group)
{
	return !atomic_flag_test_and_set_explicit(&rb.group[group].poll_lock, memory_order_acquire);
}

static inline void
rb_poll_end(unsigned int group)
{
	atomic_flag_clear_explicit(&rb.group[group].poll_lock, memory_order_release);
}

/** Start and stop the service lcores. */
int rb_service_start(void);
void rb_service_stop(void);
/** Ask the kernel for short time slices for the calling thread: then it lets this thread run as
 * soon as it has something to do, and takes its CPU away as soon. */
void rb_slice_short(void);
enum {
	RB_SLICE_NS = 100 * 1000 /**< the least that Linux takes */
};

#endif /* RB_RELAY_BOOT_H */
