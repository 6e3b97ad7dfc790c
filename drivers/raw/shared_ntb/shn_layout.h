/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHN_LAYOUT_H
#define SHN_LAYOUT_H

/*
 * What stands in memory that several hosts share: a page for each host, then a region of each host.
 * Nobody lays it out: the word that a holder takes its place by says how it divides the memory, and
 * no two that are alive say otherwise. All of it is untrusted: any of the hosts may have written
 * anything there. Words of 64 bits in the order of bytes of x86 and ARMv8; the memory is coherent
 * for all hosts.
 */

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

enum {
	SHN_MAX_HOSTS = 64,
	SHN_PADS = 8,
	SHN_PAGE = 4096,
	SHN_ALIGN = 2 * 1024 * 1024, /* of regions: DAX devices and huge pages map no less */
	SHN_DRAWN_BITS = 32,
	SHN_HOSTS_BITS = 7, /* the others: no process maps regions of 64 TiB */
};

/* Who holds a place: a number that its program has drawn, for how many hosts it divides the memory,
 * and SHN_ALIGN bytes of a region. Never 0. */
static inline uint64_t
shn_session(uint32_t drawn, unsigned int hosts, uint64_t stride)
{
	return (stride / SHN_ALIGN) << (SHN_DRAWN_BITS + SHN_HOSTS_BITS) |
	       (uint64_t)hosts << SHN_DRAWN_BITS | drawn;
}

static inline unsigned int
shn_session_hosts(uint64_t session)
{
	return session >> SHN_DRAWN_BITS & ((1u << SHN_HOSTS_BITS) - 1);
}

static inline uint64_t
shn_session_stride(uint64_t session)
{
	return (session >> (SHN_DRAWN_BITS + SHN_HOSTS_BITS)) * SHN_ALIGN;
}

/* A host's place. */
struct shn_host {
	/* shn_session() of the program that holds the place, 0: none. Taken by compare-and-swap
	 * from 0 or from a holder that is dead, given back by the holder: tests/spin/places.pml. */
	_Atomic uint64_t session;
	_Atomic uint64_t beat; /* changes while the holder lives; relaxed, the holder writes */
	/* by other host: the holder's session once its port to that host is started, else 0; the
	 * holder writes. Release: the region is configured before. Acquire in link_session(). */
	_Atomic uint64_t open[SHN_MAX_HOSTS];
	/* scratchpads of the port to each other host. Both hosts of a port write them. Release and
	 * acquire: they are seen in the order in which they were written. */
	_Atomic uint32_t pad[SHN_MAX_HOSTS][SHN_PADS];
	_Atomic uint32_t bell; /* shn_bell.id of the holder, who writes it before `open`; relaxed */
} __attribute__((aligned(SHN_PAGE)));

/* Takes SHN_ALIGN bytes, for any number of hosts; the regions follow. */
struct shn_control {
	struct shn_host host[SHN_MAX_HOSTS];
};

static_assert(sizeof(struct shn_control) <= SHN_ALIGN, "the regions begin behind it");

#endif /* SHN_LAYOUT_H */
