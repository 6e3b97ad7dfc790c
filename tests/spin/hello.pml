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
 * Known bad:
 * READFIRST   a host reads before it writes
 * TOKENLAST   a host reads the token after the words beside it
 * FORGET      a host does not write once more when it has got another token in the same look
 * NOREADBACK  a host does not read back the token that it stores
 * ANYTOKEN    a host does not wait until its token is returned
 * TAKEONES    ones are the id of a job, too
 */
#ifndef BREAKS
#define BREAKS 1
#endif

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
#ifndef TOKENLAST
	read_token();
#endif
	r_job = seen(job);
	r_state = seen(state);
#ifdef TOKENLAST
	read_token();
#endif
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
		:: r_token == 0
#ifndef ANYTOKEN
		:: r_token != 0 && r_returned != token(x)
#endif
		:: else ->
			if
#ifndef TAKEONES
			:: r_job == ONES
#endif
			:: r_job == 0
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
#ifdef READFIRST
	read_words();
	judge();
	write_words();
#else
	write_words();
	read_words();
	judge();
#ifndef FORGET
	if
	:: ok && wrote != got -> write_words()
	:: else
	fi;
#endif
#endif
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
#ifndef NOREADBACK
	ok = open[y] && mem[y] == token(x);
#endif
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
			:: ok && my_state == HERE ->
				ok = open[y] && header[y] == header[x];
				if
				:: ok ->
					my_state = AGREED;
					exchange()
				:: else
				fi
			:: else
			fi;
			if
			:: ok -> prove_stores()
			:: else
			fi;
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

proctype cable()
{
end:
	do
	:: atomic { linked && breaks < BREAKS && !through[0] && !through[1] ->
			breaks++;
			linked = false;
			open[0] = false;
			open[1] = false;
			changed[0] = true;
			changed[1] = true;
			news[0] = true;
			news[1] = true
		}
	:: atomic { !linked ->
			linked = true;
			changed[0] = true;
			changed[1] = true;
			news[0] = true;
			news[1] = true
		}
	od
}

init
{
	atomic {
		byte k;
		for (k : 0 .. 1) {
			news[k] = true;
#ifndef BLANK
			its_token[k] = old_token(k);
			returned[k] = old_token(1 - k);
			job[k] = OLD_JOB;
			state[k] = AGREED;
#endif
		}
		run host(0);
		run host(1);
		run cable()
	}
}
