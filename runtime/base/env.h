/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_ENV_H
#define RB_BASE_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/deal.h"
#include "base/file.h"
#include "base/modes.h"

/** The variables of base/env.def. */
enum rb_env_id {
#define RB_ENV(symbol, name, kind, fallback, help, ...) RB_ENV_##symbol,
#include "base/env.def"
#undef RB_ENV
	RB_ENVS
};

struct rb_env_cable {
	struct rb_file file; /**< none: no emulated cable */
	int end;
};

/** Their values, checked. */
struct rb_env {
	int hosts, host_id;
	bool hosts_given; /**< RINGBELL_HOSTS is set */
	int pes, pe;
	struct rb_deal deal; /**< how PEs are distributed to the hosts */
	const char *map;     /**< RINGBELL_MAP as it was given */
	bool placed;	     /**< the launcher has filled host_of */
	uint8_t host_of[RB_MAX_PES];
	struct rb_file host; /**< memory of its PEs; none: this host's only PE */
	const char *dma;     /**< names of dmadevs, or "" */
	bool huge;	     /**< huge pages may be used */
	enum rb_statics statics;
	struct rb_env_cable cable[RB_MAX_PORTS]; /**< by port */
	unsigned int ports;			 /**< of an emulated host; 0: not known yet */
	bool report;				 /**< each PE prints where it runs */
	int cpus;		  /**< CPUs that the PEs of this machine share; 0: not bound */
	const char *service_cpus; /**< CPUs of the lead's service lcores; "": those of the PE */
	bool per_host_launcher;	  /**< other hosts' PEs have launchers of their own */
	bool emulated;		  /**< the links are cables of the model */
	const char *emu;	  /**< RINGBELL_EMU, and what the runtime needs of it: */
	bool bridges;		  /**< windows are used as an adapter's */
	bool one_chip;		  /**< both NT ports are those of one chip */
	uint64_t bar2;		  /**< size of the windows; 0: as large as the region */
	enum rb_survive survive;
	uint64_t job;
	struct rb_file ctl; /**< none: no launcher */
	bool inherited;	    /**< a PE started this process: its variables of the job do not count */
	struct rb_file claim; /**< in which a process becomes its PE; none: not one of oshrun's */
	const char *cables;   /**< of a network, and others: link/eal.c */
	const char *eal;
	bool eal_log;
	bool telemetry;
	struct rb_file trace;	/**< none: no trace */
	struct rb_file blocked; /**< table of long waits (observe/blocked_table.h), or none */
	int hello_timeout;	/**< seconds; 0: not given */
	enum rb_wait_mode wait;
	uint32_t chunk;
	bool chunk_given; /**< RINGBELL_CHUNK is set */
	unsigned int slots, channels, lcores;
	enum rb_notify notify;
};

/** @return 0 or -EINVAL with words in rb_error() */
int rb_env_read(struct rb_env *env);

/** Read @p text as the value of one of them. As above. */
int rb_env_set(struct rb_env *env, enum rb_env_id id, const char *text);

/** The text of a variable that is set and not empty, else its default. */
const char *rb_env_text(enum rb_env_id id);

/** Keep the launcher's descriptors where a program seldom closes them, and from processes that this
 *  one starts. */
void rb_env_keep(struct rb_env *env);
/** How many emulated cables this host has. */
int rb_env_cables(const struct rb_env *env);
/** Close the cables: the ports have them. */
void rb_env_release(struct rb_env *env);

/** Do the EAL arguments choose a device? */
bool rb_env_names_device(const struct rb_env *env);

/** Make a nonce of @p v as the hello needs it: neither half is 0, nor all ones, which a chip gives
 *  that refuses reads. */
static inline uint64_t
rb_env_nonce(uint64_t v)
{
	v |= 1ull << 32 | 1;
	if ((uint32_t)v == UINT32_MAX)
		v &= ~2ull;
	if (v >> 32 == UINT32_MAX)
		v &= ~(2ull << 32);
	return v;
}

#endif /* RB_BASE_ENV_H */
