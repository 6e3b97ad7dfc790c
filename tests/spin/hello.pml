/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The hello of two hosts over one cable: doc/protocols.md, section 11.
 *
 * Each host writes words into scratchpads of its own chip, one by one, the token first, and reads
 * those of the other chip in the same order. Chips keep the words of an earlier run (BLANK: they do
 * not). Host 0 has the id of the job, host 1 takes it over. A chip that is not open refuses reads,
 * which give ones, and drops stores; its host programs it when it looks and sees that the link has
 * changed, or that the chip is not open. The link breaks BREAKS times before a host is through. A
 * host looks again when there is anything new for it.
 * Checked: both get through; nobody takes the id of another job; a host that is through has the
 * token of the other one, and the other one has its token.
 * Bounds: BREAKS=1
 * Known bad:
 * READFIRST   a host reads before it writes
 * TOKENLAST   a host reads the token after the words beside it
 * FORGET      a host does not write once more when it has got another token in the same look
 * NOREADBACK  a host does not read back the token that it stores
 * ANYTOKEN    a host does not wait until its token is returned
 * TAKEONES    ones are the id of a job, too
 */
#include "model.inc"

#define ONES 255
#define OLD_JOB 1
#define JOB 2
#define HERE 1
#define AGREED 2
#define old_token(k) ((k) + 1)
#define token(k) ((k) + 3)

/* words of a chip: token and what it returns are one word */
byte its_token[2], returned[2], job[2], state[2];
bool open[2];
bool linked = true;
bool changed[2];		/* the chip has seen the link come or go */
byte breaks;
byte mem[2];			/* of a host: the token that the other one has stored */
byte header[2];			/* of a host's memory: its job */
bool news[2];			/* for a host */
bool through[2];

#define seen(word) (open[y] -> word[y] : ONES)

inline write_words()
{
	atomic {
		news[y] = news[y] || its_token[x] != token(x) || returned[x] != got;
		its_token[x] = token(x);
		returned[x] = got;
		wrote = got
	}
	atomic {
		news[y] = news[y] || job[x] != header[x];
		job[x] = header[x]
	}
	atomic {
		news[y] = news[y] || state[x] != my_state;
		state[x] = my_state
	}
}

inline read_token()
{
	atomic {
		r_token = seen(its_token);
		r_returned = seen(returned)
	}
}

inline read_words()
{
	swapped(TOKENLAST, read_token(), r_job = seen(job); r_state = seen(state));
}

/* Leaves ok. */
inline judge()
{
	atomic {
		if
		:: r_state == ONES || r_state == 0 -> r_token = 0
		:: else
		fi;
		news[x] = news[x] || got != r_token;
		got = r_token;
		ok = false;
		if
		:: r_token == 0 || (r_returned != token(x) && !given(ANYTOKEN))
		:: else ->
			if
			:: r_job == 0 || (r_job == ONES && !given(TAKEONES))
			:: else ->
				if
				:: header[x] == 0 ->
					assert(r_job == JOB);
					header[x] = r_job;
					news[x] = true
				:: header[x] != 0 -> ok = r_job == header[x]
				fi
			fi
		fi
	}
}

inline exchange()
{
	without(READFIRST, write_words();)
	read_words();
	judge();
	if
	:: given(READFIRST) || (ok && wrote != got && !given(FORGET)) -> write_words()
	:: else
	fi
}

inline poll()
{
	if
	:: atomic { changed[x] || !open[x] -> changed[x] = false; open[x] = false; news[y] = true }
		atomic { open[x] = linked; news[y] = true }
	:: else
	fi
}

/* Leaves ok. */
inline prove_stores()
{
	atomic {
		if
		:: open[y] ->
			news[y] = news[y] || mem[y] != token(x);
			mem[y] = token(x)
		:: else
		fi
	}
	ok = (open[y] && mem[y] == token(x)) || given(NOREADBACK);
	ok = ok && mem[x] == got && r_state == AGREED
}

proctype host(byte x)
{
	byte y = 1 - x, got, wrote, my_state = HERE, r_state, r_job, r_token, r_returned, before;
	bool ok;

	header[x] = (x == 0 -> JOB : 0);
	do
	:: atomic { !through[x] && news[x] -> news[x] = false; before = breaks };
		poll();
		if
		:: !linked || !open[y] || changed[x]
		:: else ->
			exchange();
			if
			:: ok && my_state == HERE -> ok = open[y] && header[y] == header[x];
				if :: ok -> my_state = AGREED; exchange() :: else fi
			:: else
			fi;
			if :: ok -> prove_stores() :: else fi;
			atomic {
				if
				:: ok && before == breaks ->
					assert(header[x] == JOB && got == token(y));
					through[x] = true;
					break
				:: ok && before != breaks ->
					my_state = HERE;
					news[x] = true
				:: else
				fi
			}
		fi
	od;
	(through[y]);
	assert(returned[x] == token(y) && mem[y] == token(x))
}

#define both(words) words[0] = true; words[1] = true

active proctype cable()
{
end:
	do
	:: atomic { linked && breaks < BREAKS && !through[0] && !through[1] ->
			breaks++;
			linked = false;
			open[0] = false;
			open[1] = false;
			both(changed);
			both(news)
		}
	:: atomic { !linked -> linked = true; both(changed); both(news) }
	od
}

#define old(k) its_token[k] = old_token(k); returned[k] = old_token(1 - k); job[k] = OLD_JOB; state[k] = AGREED

start(2, news[k] = true; without(BLANK, old(k);) run host(k))
