/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_H
#define RB_H

/**
 * @file
 * The Ringbell runtime: symmetric memory and one-sided operations between the PEs of a ring. The
 * only runtime header that shmem/ may include; no room includes it. It knows no OpenSHMEM names.
 *
 * One process is one PE, hence no handle: the state is private to the runtime. Errors are negative
 * errno values; rb_open() also leaves one line of words in rb_error().
 *
 * Remote addresses are symmetric addresses: the address of the *local* copy of a symmetric object
 * (heap, or static data of the main executable), as OpenSHMEM passes them.
 *
 * Threads: every call may be made by any thread once rb_open() returned. Operations that one
 * thread issues on one context to one PE and that rb_fence() separates are delivered in order.
 */

#include "base/error.h"
#include "base/exit.h"
#include "base/file.h"
#include "base/thread.h"
#include "base/types.h"
#include "host/background.h"
#include "host/blocked.h"
#include "host/cpu.h"
#include "host/ring_state.h"
#include "host/wait.h"
#include "job/describe.h"
#include "job/exchange.h"
#include "job/open.h"
#include "job/place.h"
#include "mem/fastpath.h"
#include "mem/heap.h"
#include "mem/symmetric.h"
#include "op/atomic.h"
#include "op/barrier.h"
#include "op/get.h"
#include "op/order.h"
#include "op/put.h"
#include "relay/poll.h"

#endif /* RB_H */
