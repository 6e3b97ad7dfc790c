/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Places of hosts in memory that they share: drivers/raw/shared_ntb/shn_medium.c.
 *
 * N programs, one for each of P hosts of a job, then of the next job, which divides the memory
 * otherwise. Each comes at any time, takes the place of its host, holds it, and gives it back; up to
 * DEATHS die, each after any step. Who holds a place beats, and a look that waits ends when all
 * that live have beaten since. With LOCAL all are of one kernel, which drops the locks of the dead,
 * and one that lives may be stopped, so that it has not beaten.
 * Checked: no place is taken from one that lives; two jobs are never inside together; a program is
 * refused only where a rival lives, or one that has a rival: the places of the dead become free.
 * Bounds: N=3 P=2 DEATHS=1
 * Known bad:
 * NOWAIT    a holder that has not beaten since the first look is dead at once
 * ANYONE    so is one that came behind that look
 * NOSWAP    a place is looked at, then taken by a store
 * ONCE      others are looked at before a place is taken, and not behind that
 * NOAGAIN   a program is refused for a dead holder whose place another one cleared meanwhile
 * LATELOCK  LOCAL: the lock is taken behind the place
 */
#include "model.inc"

#define place(i) ((i) % P)
#define job(i) ((i) / P)
#define rivals(i, j) \
	((i) != (j) && lives[j] && (rival[j] || place(i) == place(j) || job(i) != job(j)))
#define unlike(s) (s != 0 && job(s - 1) != job(i))
#define dead(h, s) ((waited || given(NOWAIT)) && (s == saw[h] || given(ANYONE)) && \
	(given(LOCAL) -> lock[h] == 0 || lock[h] == i + 1 : !(beaten[h] >> i & 1)))
/* the host that was seen is dead, gone, or has beaten since: time enough has passed */
#define told(h) (saw[h] == 0 || session[h] != saw[h] || !lives[saw[h] - 1] || beaten[h] >> i & 1)

/* shared memory: who holds a place, counted from 1; and for whom its beat is another one */
byte session[P], beaten[P];
/* the kernel's */
byte lock[P];
bool lives[N], inside[N], rival[N];

#define swap(h, now) assert(session[h] == 0 || !lives[session[h] - 1]); session[h] = now
#define unlocked(k) lock[place(k)] = (lock[place(k)] == (k) + 1 -> 0 : lock[place(k)])
#define refuse assert(rival[i]); goto refused

/* Those of another job lose their places where they are dead. */
inline check_others()
{
	h = 0;
	do
	:: h == P -> break
	:: h < P && !unlike(session[h]) -> h++
	:: atomic { h < P && unlike(session[h]) -> s = session[h] };
		if
		:: dead(h, s) ->
			if
			:: atomic { session[h] == s -> swap(h, 0) }
			:: session[h] != s -> without(NOAGAIN, skip) with(NOAGAIN, refuse)
			fi
		:: !dead(h, s) ->
			if
			:: session[h] == s || given(NOAGAIN) -> refuse
			:: else /* cleared, and perhaps taken: look again */
			fi
		fi
	od;
	s = 0
}

inline take_lock()
{
	if
	:: !given(LOCAL) || lock[place(i)] == i + 1
	:: atomic { given(LOCAL) && lock[place(i)] == 0 -> lock[place(i)] = i + 1 }
	:: given(LOCAL) && lock[place(i)] != 0 && lock[place(i)] != i + 1 -> refuse
	fi
}

inline take_place()
{
	without(LATELOCK, take_lock();)
	s = session[place(i)];
	if :: s != 0 && !dead(place(i), s) -> refuse :: else fi;
	if
	:: atomic { session[place(i)] == s || given(NOSWAP) -> swap(place(i), i + 1) }
	:: session[place(i)] != s && !given(NOSWAP) -> refuse
	fi;
	with(LATELOCK, take_lock();)
	s = 0
}

proctype program(byte i)
{
	byte h, s, j, saw[P];
	bool waited;

	atomic {
		lives[i] = true;
		for (j : 0 .. N - 1) {
			rival[i] = rival[i] || rivals(i, j);
			rival[j] = rival[j] || lives[j] && rivals(j, i)
		}
		j = 0
	}
	{
		do
		:: d_step { h < P ->
			saw[h] = session[h];
			beaten[h] = beaten[h] & ~(1 << i);
			waited = waited || unlike(saw[h]) || h == place(i) && (saw[h] != 0 || lock[h] != 0);
			h++
		}
		:: h == P -> break
		od;
		given(LOCAL) || given(NOWAIT) || !waited || told(0) && told(P - 1) && told(P / 2);
		check_others();
		take_place();
		without(ONCE, check_others();)
		atomic {
			inside[i] = true;
			rival[i] = false;
			waited = false;
			for (h : 0 .. P - 1) { saw[h] = 0 }
			h = 0;
			all(j, N, !inside[j] || !lives[j] || job(i) == job(j))
		}
		do
		:: beaten[place(i)] != (1 << N) - 1 -> beaten[place(i)] = (1 << N) - 1
		:: break
		od;
refused:
		inside[i] = false;
		if
		:: atomic { session[place(i)] == i + 1 -> session[place(i)] = 0 }
		:: session[place(i)] != i + 1
		fi;
		d_step { lives[i] = false; unlocked(i) }
	} unless { !lives[i] }
}

#define die(k) \
	:: atomic { deaths < DEATHS && lives[k] -> deaths++; lives[k] = false; unlocked(k) }

active proctype death()
{
	byte deaths;

end:
	do
	die(0)
	die(1)
	die(N - 1)
	od
}

start(N, run program(k))
