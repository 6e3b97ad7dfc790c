/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "coll_types.h"

static void
make(struct ct_team *t, const char *label, int start, int stride, int size)
{
	t->label = label;
	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &t->team),
		 0);
	t->n = size;
	t->me = shmem_team_my_pe(t->team);
}

void
ct_teams_make(struct ct_team team[CT_TEAMS])
{
	int n = mt_npes;

	team[0] = (struct ct_team){"world", SHMEM_TEAM_WORLD, n, mt_me};
	make(&team[1], "reverse", n - 1, -1, n);
	make(&team[2], "even", 0, 2, (n + 1) / 2);
	make(&team[3], "tail", n > 1, 1, n > 1 ? n - 1 : 1);
	make(&team[4], "last", n - 1, 1, 1);
}

void
ct_teams_free(struct ct_team team[CT_TEAMS])
{
	int i;

	for (i = 1; i < CT_TEAMS; i++)
		shmem_team_destroy(team[i].team);
}

static uint64_t
word_at(size_t i, uint64_t key)
{
	return (i + 1) * 0x9e3779b97f4a7c15u + (key + 1) * 0xd1342543de82ef95u;
}

void
ct_fill(void *at, size_t len, uint64_t key)
{
	unsigned char *p = at;
	uint64_t word;
	size_t i;

	for (i = 0; i < len; i += sizeof(word)) {
		word = word_at(i, key);
		memcpy(p + i, &word, len - i < sizeof(word) ? len - i : sizeof(word));
	}
}

size_t
ct_differs(const void *at, size_t len, uint64_t key)
{
	const unsigned char *p = at;
	uint64_t word;
	size_t i;

	for (i = 0; i < len; i += sizeof(word)) {
		word = word_at(i, key);
		if (memcmp(p + i, &word, len - i < sizeof(word) ? len - i : sizeof(word)) != 0)
			return i;
	}
	return len;
}
