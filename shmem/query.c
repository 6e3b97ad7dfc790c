/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "core/shmemi.h"
#include "core/team_table.h"

/* Queries of section 9.1, and the hook of the profiling interface (chapter 10). */

/*
 * Programs often ask for their PE in the last line, after shmem_finalize(). The standard leaves
 * that undefined; the answer is known and costs nothing.
 */
static void
enter_or_left(const char *call)
{
	if (shmemi.check || shmemi.npes == 0)
		shmemi_enter(call);
}

SHMEMI_API(int, my_pe, (void))
{
	enter_or_left("shmem_my_pe");
	return shmemi.pe;
}

SHMEMI_API(int, n_pes, (void))
{
	enter_or_left("shmem_n_pes");
	return shmemi.npes;
}

SHMEMI_EXPORT int
_my_pe(void)
{
	enter_or_left("_my_pe");
	return shmemi.pe;
}

SHMEMI_EXPORT int
_num_pes(void)
{
	enter_or_left("_num_pes");
	return shmemi.npes;
}

static bool
is_pe(int pe)
{
	return pe >= 0 && pe < shmemi.npes;
}

SHMEMI_API(int, pe_accessible, (int pe))
{
	shmemi_enter("shmem_pe_accessible");
	return is_pe(pe);
}

SHMEMI_API(int, addr_accessible, (const void *addr, int pe))
{
	shmemi_enter("shmem_addr_accessible");
	return is_pe(pe) && rb_symmetric(addr, 1);
}

SHMEMI_API(void *, ptr, (const void *dest, int pe))
{
	shmemi_enter("shmem_ptr");
	return is_pe(pe) ? rb_ptr(dest, pe) : NULL;
}

SHMEMI_API(void *, team_ptr, (shmem_team_t handle, const void *dest, int pe))
{
	const struct shmemi_team *team;

	shmemi_enter("shmem_team_ptr");
	team = shmemi_team_of("shmem_team_ptr", handle);
	if (team == NULL || pe < 0 || pe >= team->size)
		return NULL;
	return rb_ptr(dest, shmemi_team_pe(team, pe));
}

SHMEMI_API(void, info_get_version, (int *major, int *minor))
{
	*major = SHMEM_MAJOR_VERSION;
	*minor = SHMEM_MINOR_VERSION;
}

SHMEMI_API(void, info_get_name, (char *name))
{
	memcpy(name, SHMEM_VENDOR_STRING, sizeof(SHMEM_VENDOR_STRING));
}

SHMEMI_API(void, pcontrol, (int level, ...))
{
	(void)level;
}
