/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oshrun.h"

/* mpirun and srun start processes on other machines: --hostfile prints their command lines. */

struct hosts {
	int n;
	int slots;
	char list[8192]; /* names with commas between, as srun -w wants them */
};

static void
refuse_line(const char *file, int line, const char *why)
{
	if (line > 0)
		fprintf(stderr, "oshrun: --hostfile %s: line %d: %s\n", file, line, why);
	else
		fprintf(stderr, "oshrun: --hostfile %s: %s\n", file, why);
	exit(OSHRUN_EXIT_USAGE);
}

/* "NAME", "NAME:N", "NAME slots=N"; other words are mpirun's. */
static void
take_line(const char *file, int number, char *line, struct hosts *h)
{
	size_t len = strlen(h->list), name;
	char *slots;
	int n = 1;

	line[strcspn(line, "#\n")] = '\0';
	line += strspn(line, " \t\r");
	if (*line == '\0')
		return;
	for (name = 0; isalnum((unsigned char)line[name]) || strchr("-._", line[name]) != NULL;)
		if (line[name++] == '\0') {
			name--;
			break;
		}
	if (name == 0 || strchr(" \t\r:", line[name]) == NULL)
		refuse_line(file, number,
			    "want a host name, and slots=N if more than one PE is to run there");
	slots = line[name] == ':' ? line + name + 1 : strstr(line + name, "slots=");
	if (slots != NULL)
		n = atoi(line[name] == ':' ? slots : slots + strlen("slots="));
	if (n < 1 || n > RB_MAX_PES)
		refuse_line(file, number, "slots must be a number from 1 to 1024");
	if (len + name + 2 > sizeof(h->list))
		refuse_line(file, number, "too many hosts");
	sprintf(h->list + len, "%s%.*s", len > 0 ? "," : "", (int)name, line);
	h->n++;
	h->slots += n;
}

static void
print_program(const struct options *opt)
{
	int i;

	if (opt->n_exports > 0 || opt->eal != NULL)
		fputs(" env", stderr);
	if (opt->eal != NULL) {
		fputs(" RINGBELL_EAL=", stderr);
		print_quoted(stderr, opt->eal);
	}
	for (i = 0; i < opt->n_exports; i++) {
		size_t name = strcspn(opt->exports[i], "=");

		fprintf(stderr, " %.*s=", (int)name, opt->exports[i]);
		print_quoted(stderr, opt->exports[i] + name + 1);
	}
	for (i = 0; opt->argv[i] != NULL; i++) {
		fputc(' ', stderr);
		print_quoted(stderr, opt->argv[i]);
	}
	fputc('\n', stderr);
}

void
hostfile_print(const struct options *opt)
{
	bool round = opt->deal.how == RB_DEAL_HOST;
	static struct hosts h;
	FILE *f = fopen(opt->hostfile, "re");
	char line[4096];
	int number = 0;
	int n;

	if (f == NULL)
		refuse_line(opt->hostfile, 0, strerror(errno));
	while (fgets(line, sizeof(line), f) != NULL)
		take_line(opt->hostfile, ++number, line, &h);
	if (ferror(f))
		refuse_line(opt->hostfile, 0, strerror(errno));
	fclose(f);
	if (h.n == 0)
		refuse_line(opt->hostfile, 0, "names no host");
	if (opt->deal.how == RB_DEAL_COUNTS)
		refuse_line(opt->hostfile, 0,
			    "its slots=N say how many PEs each host gets, not --map-by");
	n = opt->npes_given ? opt->npes : h.slots;
	fputs("oshrun: --hostfile: oshrun starts programs on one machine; for these hosts use one "
	      "of\n"
	      "  mpirun --hostfile ",
	      stderr);
	print_quoted(stderr, opt->hostfile);
	fprintf(stderr, " -np %d --map-by %s --bind-to %s", n, round ? "node" : "slot",
		opt->bind == BIND_CORE	 ? "core"
		: opt->bind == BIND_NUMA ? "numa"
					 : "none");
	print_program(opt);
	fprintf(stderr, "  srun --mpi=pmix -w %s -N %d -n %d -m %s", h.list, h.n, n,
		round ? "cyclic" : "block");
	if (opt->bind == BIND_CORE || opt->bind == BIND_NUMA)
		fprintf(stderr, " --cpu-bind=%s", opt->bind == BIND_CORE ? "cores" : "ldoms");
	print_program(opt);
	exit(OSHRUN_EXIT_USAGE);
}
