/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <time.h>

#include <ncurses.h>

#include "top.h"

enum {
	TURN_MS = 100, /* between polls of the keyboard */
};

static chtype
glyph_of(uint16_t cell)
{
	/* not constants: ncurses asks the terminal */
	const chtype line[] = {ACS_HLINE,    ACS_VLINE,	   ACS_ULCORNER,
			       ACS_URCORNER, ACS_LLCORNER, ACS_LRCORNER};
	uint16_t c = cell & TOP_CHAR;

	return (c < TOP_HLINE ? c : line[c - TOP_HLINE]) | ((cell & TOP_BOLD) != 0 ? A_BOLD : 0);
}

static void
show_job(const struct top_job *job, int scroll)
{
	struct top_canvas c;
	int x, y;

	if (top_canvas_make(&c, COLS, LINES) < 0)
		return;
	top_draw(&c, job, scroll);
	erase();
	for (y = 0; y < c.h; y++)
		for (x = 0; x < c.w; x++)
			mvaddch(y, x, glyph_of(c.cell[y * c.w + x]));
	refresh();
	top_canvas_free(&c);
}

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int
scroll_after(int key, int scroll, int lines)
{
	if (key == KEY_DOWN)
		scroll++;
	else if (key == KEY_UP)
		scroll--;
	else if (key == KEY_NPAGE)
		scroll += LINES / 2;
	else if (key == KEY_PPAGE)
		scroll -= LINES / 2;
	else if (key == KEY_HOME)
		scroll = 0;
	if (scroll > lines)
		scroll = lines;
	return scroll < 0 ? 0 : scroll;
}

static int
watch_job(struct top_job *job, double interval)
{
	int64_t due = now_ms() + (int64_t)(interval * 1000);
	int scroll = 0, key;

	show_job(job, 0);
	for (;;) {
		timeout(TURN_MS);
		key = getch();
		if (key == 'q' || key == 'Q')
			return 0;
		scroll = scroll_after(key, scroll, job->hosts + 2 * job->pes);
		if (now_ms() >= due) {
			due = now_ms() + (int64_t)(interval * 1000);
			if (top_sample(job) == 0)
				return -ENOTCONN;
		} else if (key == ERR) {
			continue;
		}
		show_job(job, scroll); /* KEY_RESIZE too: COLS and LINES are the new ones */
	}
}

int
top_screen(struct top_job *job, double interval)
{
	int ret;

	setlocale(LC_ALL, "");
	if (newterm(NULL, stdout, stdin) == NULL) {
		fprintf(stderr, "ringbell-top: this terminal cannot be drawn on; try --once\n");
		return -ENOTTY;
	}
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	ret = watch_job(job, interval);
	endwin();
	if (ret == -ENOTCONN)
		fprintf(stderr, "ringbell-top: job %s is over\n", job->id);
	return 0;
}
