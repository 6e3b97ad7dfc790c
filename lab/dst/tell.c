/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

static void
tell_threads(void)
{
	static const char *const states[] = {
		"", "ready", "idle", "waits for a descriptor", "waits for a futex", "sleeps"};

	for (unsigned int i = 0; i < DST_AT->slots; i++) {
		const struct slot *s = &DST_AT->slot[i];

		if (s->state == SLOT_DEAD)
			continue;
		printf("  thread %u (process %d) %s", i, s->pid, states[s->state]);
		if (s->deadline != NEVER && s->state > SLOT_READY)
			printf(" until %.6f s", (double)s->deadline / 1e9);
		printf(", last point %llx%s%s\n", (unsigned long long)s->point,
		       i == DST_AT->running ? ", running" : "", s->stopped ? ", stopped" : "");
	}
}

/* As a shell reads it. */
static void
tell_word(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=,./:%@";

	if (text[0] != '\0' && text[strspn(text, plain)] == '\0') {
		printf(" %s", text);
		return;
	}
	printf(" '");
	for (; *text != '\0'; text++)
		printf(*text == '\'' ? "'\\''" : "%c", *text);
	putchar('\'');
}

/* What was drawn is in it: later versions may draw otherwise. */
static void
tell_command(const struct dst_args *a, uint64_t seed)
{
	printf("  again:");
	for (char **at = environ; *at != NULL; at++)
		if (dst_is_told(*at))
			tell_word(*at);
	for (int i = 0; i < a->n_words; i++)
		tell_word(a->words[i]);
	printf(" --seeds 1 --seed %llu", (unsigned long long)seed);
	if (!a->given && a->n_kinds > 0) {
		printf(" --fault '");
		dst_faults_tell();
		printf("'");
	}
	printf(" --");
	for (char **at = a->argv; *at != NULL; at++)
		tell_word(*at);
	printf("\n");
}

void
dst_tell(const struct dst_args *a, uint64_t seed, const char *why, double took)
{
	const struct seg *seg = DST_AT;

	if (why != NULL) {
		tell_threads();
		tell_command(a, seed);
	}
	printf("seed %llu: %s, %llu steps, %u threads, %.6f s of job time in %.2f s, hash "
	       "%016llx\n",
	       (unsigned long long)seed, why == NULL ? "right" : why,
	       (unsigned long long)seg->steps, seg->threads, (double)seg->now / 1e9, took,
	       (unsigned long long)seg->hash);
	fflush(stdout);
}
