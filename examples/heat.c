/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Heat in a plate: the five-point stencil on a grid that is cut into strips of rows, one a PE.
 * After each step the PEs put their outermost rows, with a signal, into the halo rows of their
 * neighbours, and wait only for the two signals that they need.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "example.h"

/* Explicit scheme: stable up to a quarter. */
#define ALPHA 0.24

struct plate {
	size_t nx, ny; /* of the whole grid, borders included */
	size_t rows;   /* inner rows of this PE, 1..rows of a strip; 0 and rows + 1 are halo */
	double *u[2];  /* strip of the even and of the odd steps */
};

static uint64_t signals[2]; /* steps that the upper [0] and the lower [1] neighbour sent */

/** First inner row of PE @p pe. */
static size_t
first_of(int pe, size_t ny)
{
	return (ny - 2) * (size_t)pe / (size_t)shmem_n_pes();
}

static size_t
rows_of(int pe, size_t ny)
{
	return first_of(pe + 1, ny) - first_of(pe, ny);
}

/** One step of @p rows rows of @p nx points that follow the row @p from. @return largest change */
static double
relax(double *to, const double *from, size_t nx, size_t rows)
{
	double change, largest = 0;
	size_t x, y, i;

	for (y = 1; y <= rows; y++) {
		for (x = 1; x + 1 < nx; x++) {
			i = y * nx + x;
			change = ALPHA * (from[i - 1] + from[i + 1] + from[i - nx] + from[i + nx] -
					  4 * from[i]);
			to[i] = from[i] + change;
			largest = fmax(largest, fabs(change));
		}
	}
	return largest;
}

/** Borders: the upper one hot, the lower one cold, the sides in between; a cold inside. */
static void
initial_row(double *row, size_t y, size_t nx, size_t ny)
{
	double side = 100.0 * (double)(ny - 1 - y) / (double)(ny - 1);
	size_t x;

	for (x = 0; x < nx; x++)
		row[x] = y == 0 ? 100.0 : 0.0;
	row[0] = side;
	row[nx - 1] = side;
}

/** Put the outermost rows of step @p step's strip into the halo rows of the neighbours. */
static void
send_halo(const struct plate *p, long step)
{
	double *u = p->u[step & 1];
	int me = shmem_my_pe();

	if (me > 0)
		shmem_double_put_signal(u + (rows_of(me - 1, p->ny) + 1) * p->nx, u + p->nx, p->nx,
					&signals[1], (uint64_t)step, SHMEM_SIGNAL_SET, me - 1);
	if (me + 1 < shmem_n_pes())
		shmem_double_put_signal(u, u + p->rows * p->nx, p->nx, &signals[0], (uint64_t)step,
					SHMEM_SIGNAL_SET, me + 1);
}

/*
 * Two strips are enough: a neighbour sends step s + 1 only after it got step s from here, and that
 * was sent when the halo of step s - 1, which it overwrites, had been read.
 */
static void
wait_halo(long step)
{
	int me = shmem_my_pe();

	if (me > 0)
		shmem_signal_wait_until(&signals[0], SHMEM_CMP_GE, (uint64_t)step);
	if (me + 1 < shmem_n_pes())
		shmem_signal_wait_until(&signals[1], SHMEM_CMP_GE, (uint64_t)step);
}

static double
run(struct plate *p, long steps, long every)
{
	static double mine, all;
	double start, took;
	long step;
	size_t y;

	for (y = 0; y < p->rows + 2; y++) {
		initial_row(p->u[0] + y * p->nx, first_of(shmem_my_pe(), p->ny) + y, p->nx, p->ny);
		initial_row(p->u[1] + y * p->nx, first_of(shmem_my_pe(), p->ny) + y, p->nx, p->ny);
	}
	shmem_barrier_all();
	start = ex_now();
	for (step = 1; step <= steps; step++) {
		mine = relax(p->u[step & 1], p->u[(step + 1) & 1], p->nx, p->rows);
		send_halo(p, step);
		wait_halo(step);
		if (step % every == 0 || step == steps) {
			shmem_double_max_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
			if (shmem_my_pe() == 0)
				printf("%8ld %14.6e %10.1f\n", step, all, (ex_now() - start) * 1e3);
		}
	}
	took = ex_now() - start;
	shmem_barrier_all();
	return took;
}

/** PE 0 fetches all strips. */
static void
gather(const struct plate *p, double *grid, long steps)
{
	double *row = grid;
	size_t y;
	int pe;

	for (y = 0; y < p->ny; y++)
		initial_row(grid + y * p->nx, y, p->nx, p->ny);
	for (pe = 0; pe < shmem_n_pes(); pe++) {
		y = rows_of(pe, p->ny);
		shmem_double_get(row + p->nx, p->u[steps & 1] + p->nx, y * p->nx, pe);
		row += y * p->nx;
	}
}

/** The same plate on one PE. @return points that differ from it, -1 without memory */
static long
compare(const struct plate *p, const double *grid, long steps, double *serial)
{
	size_t points = p->nx * p->ny, i;
	double *u[2] = {malloc(points * sizeof(double)), malloc(points * sizeof(double))};
	long step, errors = -1;
	double t = ex_now();

	if (!u[0] || !u[1])
		goto out;
	for (i = 0; i < p->ny; i++) {
		initial_row(u[0] + i * p->nx, i, p->nx, p->ny);
		initial_row(u[1] + i * p->nx, i, p->nx, p->ny);
	}
	for (step = 1; step <= steps; step++)
		relax(u[step & 1], u[(step + 1) & 1], p->nx, p->ny - 2);
	*serial = ex_now() - t;
	for (errors = 0, i = 0; i < points; i++)
		errors += !(fabs(grid[i] - u[steps & 1][i]) < 1e-9);
out:
	free(u[0]);
	free(u[1]);
	return errors;
}

static int
write_pgm(const char *path, const double *grid, size_t nx, size_t ny)
{
	FILE *f = fopen(path, "wb");
	size_t i;
	int bad;

	if (!f) {
		perror(path);
		return -1;
	}
	fprintf(f, "P5\n%zu %zu\n255\n", nx, ny);
	for (i = 0; i < nx * ny; i++)
		fputc((int)fmin(255.0, grid[i] * 2.55), f);
	bad = ferror(f);
	if (fclose(f) || bad) {
		fprintf(stderr, "%s: cannot write the picture\n", path);
		return -1;
	}
	return 0;
}

/** Check the result on PE 0. @return errors */
static long
conclude(const struct plate *p, long steps, double took, int verify, const char *picture)
{
	double *grid = malloc(p->nx * p->ny * sizeof(*grid));
	double serial;
	long errors = 0;

	if (!grid) {
		fprintf(stderr, "no memory for the whole grid\n");
		return 1;
	}
	gather(p, grid, steps);
	if (verify) {
		errors = compare(p, grid, steps, &serial);
		if (errors < 0)
			fprintf(stderr, "no memory for the serial reference\n");
		else
			printf("%.1f ms on %d PEs, %.1f ms on one; points that differ: %ld\n",
			       took * 1e3, shmem_n_pes(), serial * 1e3, errors);
	}
	if (*picture && write_pgm(picture, grid, p->nx, p->ny) < 0)
		errors++;
	free(grid);
	return errors;
}

int
main(int argc, char **argv)
{
	long nx = 256, ny = 256, steps = 200, every = 50, verify = 1, errors = 0;
	const char *picture = "";
	const struct ex_opt opts[] = {
		{'x', "points of a row", &nx, 3, 1 << 20, NULL},
		{'y', "rows", &ny, 3, 1 << 20, NULL},
		{'s', "steps", &steps, 1, 1L << 40, NULL},
		{'k', "print the residual after every N steps", &every, 1, 1L << 40, NULL},
		{'v', "compare with a serial run: 0 or 1", &verify, 0, 1, NULL},
		{'o', "write a picture of the plate to this PGM file", NULL, 0, 0, &picture},
		{0},
	};
	struct plate p;
	double took;
	size_t strip;

	ex_start(argc, argv, "Heat in a plate: a 2-D stencil with halo exchange.", opts);
	if (ny - 2 < shmem_n_pes()) {
		if (shmem_my_pe() == 0)
			fprintf(stderr, "%ld inner rows are too few for %d PEs\n", ny - 2,
				shmem_n_pes());
		ex_quit(2);
	}
	p.nx = (size_t)nx;
	p.ny = (size_t)ny;
	p.rows = rows_of(shmem_my_pe(), p.ny);
	strip = ((p.ny - 2) / (size_t)shmem_n_pes() + 3) * p.nx * sizeof(double);
	p.u[0] = ex_alloc(strip);
	p.u[1] = ex_alloc(strip);
	if (shmem_my_pe() == 0)
		printf("heat: %ld x %ld points, %ld steps, %d PEs, halo %zu bytes\n"
		       "%8s %14s %10s\n",
		       nx, ny, steps, shmem_n_pes(), p.nx * sizeof(double), "step", "residual",
		       "ms");
	took = run(&p, steps, every);
	if (shmem_my_pe() == 0)
		errors = conclude(&p, steps, took, verify != 0, picture);
	return ex_finish(errors);
}
