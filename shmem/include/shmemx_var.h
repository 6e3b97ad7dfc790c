/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_VAR_H
#define SHMEMX_VAR_H

/**
 * @file
 * Part of shmemx.h: counters and settings of the library as variables, for tools.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup vars Variables for tools
 *
 *  Follows issue 295 of openshmem-org/specification.
 *
 *  What the library counts, and what it was set to, by name. Counters and levels are those of
 *  telemetry (doc/telemetry.md) and of no other PE or host than this one: "pe.puts",
 *  "link.left.tx_frames", "heap.used_bytes". Settings have the names of their environment
 * variables: "RINGBELL_CHUNK".
 *
 *  Variables have numbers from 0 to shmemx_var_count() - 1, which stay the same until
 *  shmem_finalize(). A number may mean another variable in another version of the library, a name
 *  does not. All calls here may be made between shmem_init() and shmem_finalize() by any thread, at
 *  any thread level and while others communicate; they do not communicate themselves. A reader may
 *  see one counter older than another, but never half of a number.
 */
/** @{ */

/** A variable is one of these. */
enum {
	SHMEMX_VAR_COUNTER, /**< a number that only grows; no call resets it */
	SHMEMX_VAR_LEVEL,   /**< a number as it is now, which may shrink */
	SHMEMX_VAR_SETTING, /**< a text: the value in force */
};

/** What a variable is. */
typedef struct {
	const char *name; /**< valid until shmem_finalize() */
	const char *unit; /**< such as "bytes", "ns", "calls", "frames"; "" for settings, and for 0
			     and 1 */
	const char *help; /**< a few words of English */
	int kind;	  /**< SHMEMX_VAR_COUNTER, _LEVEL or _SETTING */
	int writable;	  /**< 1: shmemx_var_write() may change it in a running job */
} shmemx_var_t;

/** How many variables there are. */
int shmemx_var_count(void);

/** Describe variable @p var. @return 0; -1: there is no such variable, or @p info is NULL */
int shmemx_var_info(int var, shmemx_var_t *info);

/** @return the number of the variable of this name; -1: none has it */
int shmemx_var_find(const char *name);

/**
 * The value of a counter or a level.
 *
 * Counters of operations ("pe.*", "link.*.stores", "_loads") count where the job has telemetry
 * (oshrun --telemetry, RINGBELL_TELEMETRY=1); counting makes calls slower. Those of links belong to
 * the PE that has the ports, which is the first one of its host.
 *
 * @return 0; 1: this PE has no value of it, and @p value stays as it is; -1: no such variable, a
 * setting, or @p value is NULL
 */
int shmemx_var_read(int var, uint64_t *value);

/**
 * The value of any variable as a text: numbers in decimal, settings as they are in force (also
 * where that is a default, or what the library has made of it: RINGBELL_WAIT is "sleep" where
 * "auto" came to that).
 *
 * @param text  gets the text, and as many bytes of it as fit, with a 0 at the end
 * @param size  bytes of @p text; 512 hold any value but long lists of file names
 * @return 0; 1: this PE has no value of it, and @p text is ""; -1: no such variable, or no room
 */
int shmemx_var_read_text(int var, char *text, size_t size);

/**
 * Change a setting of this PE in the running job: RINGBELL_WAIT, RINGBELL_HEAL_TIME (it counts in
 * the first PE of a host), RINGBELL_TUNE (a file, or "none"; no operation of this PE may be under
 * way), SHMEM_CHECK_WAIT. Takes the same texts as the environment variable. Other PEs keep theirs.
 *
 * @return 0; -1: no such variable, it does not change in a running job, or @p text is no value of
 * it: one line on stderr says which
 */
int shmemx_var_write(int var, const char *text);
/** @} */

#ifdef __cplusplus
}
#endif
#endif /* SHMEMX_VAR_H */
