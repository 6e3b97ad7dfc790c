/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Runs a fuzz target without a fuzzer: the files given, then inputs made from fixed seeds. */

#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

#define MADE 150
#define SIZE 400

static int
replay(const char *path)
{
	static uint8_t buf[65536];
	FILE *f = fopen(path, "rb");
	size_t n;

	if (f == NULL) {
		perror(path);
		return 1;
	}
	n = fread(buf, 1, sizeof(buf), f);
	fclose(f);
	LLVMFuzzerTestOneInput(buf, n);
	return 0;
}

static void
made(unsigned int seed)
{
	uint8_t buf[SIZE];

	for (size_t i = 0; i < SIZE; i++)
		buf[i] = (uint8_t)(rand_r(&seed) >> 7);
	LLVMFuzzerTestOneInput(buf, 1 + (size_t)rand_r(&seed) % SIZE);
}

int
main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= replay(argv[i]);
	for (unsigned int seed = 1; seed <= MADE; seed++)
		made(seed);
	printf("%d files and %d made inputs\n", argc - 1, MADE);
	return failed;
}
