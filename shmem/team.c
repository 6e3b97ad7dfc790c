/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include "core/shmemi.h"
#include "core/hang.h"
#include "core/team_table.h"
#include "coll/attach.h"
#include "coll/check.h"
#include "coll/posted.h"
#include "coll/slot.h"
#include "context.h"
#include "space.h"
#include "team.h"

/* Team management (section 9.4), all but the splits. */

struct shmemi_team *
shmemi_team_new(const struct shmemi_team *model)
{
	struct shmemi_team *team = malloc(sizeof(*team));

	if (team == NULL)
		return NULL;
	*team = *model;
	coll_attach(team);
	shmemi_team_link(team);
	return team;
}

void
shmemi_team_free(struct shmemi_team *team)
{
	free(team->pes);
	free(team);
}

static void
predefine_team(struct shmemi_team *team, int slot, int start, int stride, int size)
{
	memset(team, 0, sizeof(*team));
	team->start = start;
	team->stride = stride;
	team->size = size;
	team->rank = (shmemi.pe - start) / stride;
	team->slot = slot;
	coll_attach(team);
}

/* PEs are dealt host by host or one by one round the hosts, so those that share this one's memory
 * are a range, or as far apart as there are hosts. A launcher may place them in no order: each is
 * alone in its team then, which all of them find alike (OpenSHMEM 1.6, 9.4.1 asks that shmem_ptr()
 * works within the team, not that it works nowhere else). */
static void
predefine_shared(void)
{
	int first = -1, last = -1, stride = 1, size = 0, pe;

	for (pe = 0; pe < shmemi.npes; pe++) {
		if (!rb_pe_shares(pe))
			continue;
		if (size == 1)
			stride = pe - last;
		else if (size > 1 && pe - last != stride)
			break;
		first = size++ == 0 ? pe : first;
		last = pe;
	}
	if (pe < shmemi.npes) {
		first = shmemi.pe;
		stride = size = 1;
	}
	predefine_team(&shmemi_team_shared, COLL_SLOT_SHARED, first, stride, size);
}

void
shmemi_teams_open(void)
{
	predefine_team(&shmemi_team_world, COLL_SLOT_WORLD, 0, 1, shmemi.npes);
	predefine_shared();
	shmemi_ctx_default.rb = rb_ctx_default;
	shmemi_ctx_default.team = &shmemi_team_world;
}

/* No messages here: finalize synchronises all PEs afterwards. */
void
shmemi_teams_close(void)
{
	struct shmemi_team *team;

	shmemi_contexts_close(&shmemi_team_world);
	shmemi_contexts_close(&shmemi_team_shared);
	while ((team = shmemi_team_first()) != NULL) {
		shmemi_team_unlink(team);
		shmemi_contexts_close(team);
		shmemi_team_free(team);
	}
}

SHMEMI_API(int, team_my_pe, (shmem_team_t team))
{
	const struct shmemi_team *t;

	shmemi_enter("shmem_team_my_pe");
	t = shmemi_team_of("shmem_team_my_pe", team);
	return t == NULL ? -1 : t->rank;
}

SHMEMI_API(int, team_n_pes, (shmem_team_t team))
{
	const struct shmemi_team *t;

	shmemi_enter("shmem_team_n_pes");
	t = shmemi_team_of("shmem_team_n_pes", team);
	return t == NULL ? -1 : t->size;
}

SHMEMI_API(int, team_get_config, (shmem_team_t team, long config_mask, shmem_team_config_t *config))
{
	const struct shmemi_team *t;

	shmemi_enter("shmem_team_get_config");
	t = shmemi_team_of("shmem_team_get_config", team);
	if (t == NULL || (config_mask & ~SHMEM_TEAM_NUM_CONTEXTS) != 0)
		return -1;
	if (config_mask == 0)
		return 0;
	if (config == NULL)
		return -1;
	config->num_contexts = t->config.num_contexts;
	return 0;
}

SHMEMI_API(int, team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team))
{
	const struct shmemi_team *src, *dest;

	shmemi_enter("shmem_team_translate_pe");
	src = shmemi_team_of("shmem_team_translate_pe", src_team);
	dest = shmemi_team_of("shmem_team_translate_pe", dest_team);
	if (src == NULL || dest == NULL || src_pe < 0 || src_pe >= src->size)
		return -1;
	return shmemi_team_rank(dest, shmemi_team_pe(src, src_pe));
}

SHMEMI_API(void, team_destroy, (shmem_team_t team))
{
	struct shmemi_team *t;

	shmemi_enter("shmem_team_destroy");
	t = shmemi_team_of("shmem_team_destroy", team);
	if (t == NULL)
		return;
	if (t == &shmemi_team_world || t == &shmemi_team_shared)
		shmemi_fatal("shmem_team_destroy", "team %s is predefined and stays",
			     t == &shmemi_team_world ? "SHMEM_TEAM_WORLD" : "SHMEM_TEAM_SHARED");
	if (shmemi.check && coll_posted_open_on(t) != 0)
		shmemi_fatal("shmem_team_destroy",
			     "%u requests of collectives of the team have not been waited for",
			     coll_posted_open_on(t));
	shmemi_spaces_leave(t); /* collective calls of their own */
	shmemi_check_team("shmem_team_destroy", t, NULL);
	shmemi_contexts_close(t);
	coll_detach(t);
	if (shmemi.check && t->size > 1)
		shmemi_hang_leave();
	shmemi_team_unlink(t);
	shmemi_team_free(t);
}
