/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "shn_medium.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rte_alarm.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_string_fns.h>

#include "ntb_rawdev.h"

enum {
	BEAT_US = 100 * 1000,
};

uint64_t
shn_region_off(const struct shn_medium *m, unsigned int host)
{
	return SHN_ALIGN + host * m->stride;
}

static uint64_t
now_ms(void)
{
	return rte_rdtsc() / (rte_get_tsc_hz() / 1000);
}

/* By the EAL's interrupt thread ten times a second, and by each thread that looks at a link: where
 * threads outnumber the CPUs, one alone may get none for seconds. */
void
shn_beat(struct shn_medium *m)
{
	atomic_store_explicit(&m->control->host[m->host].beat, now_ms(), memory_order_relaxed);
}

/* A host on the same kernel that gets no CPU, or is stopped, is not dead: it has a byte of the file
 * locked, as long as a process of it has the file open. Kernels of other machines know nothing of
 * that lock; there the word alone counts. */
static int
lock_byte(const struct shn_medium *m, int command, unsigned int byte, short type)
{
	struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};

	if (fcntl(m->fd, command, &l) < 0)
		return -errno;
	return l.l_type;
}

static bool
is_locked(const struct shn_medium *m, unsigned int host)
{
	int type = lock_byte(m, F_OFD_GETLK, host, F_WRLCK);

	return type >= 0 && type != F_UNLCK;
}

static void
note_beat(struct shn_seen *seen, uint64_t beat)
{
	uint64_t now = now_ms();
	uint64_t since = atomic_load_explicit(&seen->since, memory_order_relaxed);

	/* not where another thread has just seen a change, later than now */
	if (since != 0 && now > since &&
	    now - since > atomic_load_explicit(&seen->longest, memory_order_relaxed))
		atomic_store_explicit(&seen->longest, now - since, memory_order_relaxed);
	atomic_store_explicit(&seen->since, now, memory_order_relaxed);
	atomic_store_explicit(&seen->beat, beat, memory_order_release);
}

bool
shn_host_alive(struct shn_medium *m, unsigned int host)
{
	struct shn_seen *seen = &m->seen[host];
	uint64_t since, patience;
	uint64_t beat = atomic_load_explicit(&m->control->host[host].beat, memory_order_relaxed);

	/* acquire: pairs with the release in note_beat(), so `since` is not older */
	if (beat != atomic_load_explicit(&seen->beat, memory_order_acquire))
		note_beat(seen, beat);
	since = atomic_load_explicit(&seen->since, memory_order_relaxed);
	if (since == 0) /* it was never seen to change */
		return false;
	patience = ntb_rawdev_patience(atomic_load_explicit(&seen->longest, memory_order_relaxed));
	/* later than now: another thread has just seen that */
	return (int64_t)(now_ms() - since) < (int64_t)patience || is_locked(m, host);
}

/* ---- who is there ---- */

/* The holder of a place as it was seen first, and whether it is dead by now. */
struct witness {
	uint64_t session[SHN_MAX_HOSTS], beat[SHN_MAX_HOSTS];
	bool waited;
};

static void
look_at_holders(const struct shn_medium *m, struct witness *w)
{
	for (unsigned int h = 0; h < SHN_MAX_HOSTS; h++) {
		const struct shn_host *host = &m->control->host[h];

		w->session[h] = atomic_load_explicit(&host->session, memory_order_acquire);
		w->beat[h] = atomic_load_explicit(&host->beat, memory_order_relaxed);
	}
}

/* Is @p session the holder that was seen, with no beat since? */
static bool
is_dead(const struct shn_medium *m, const struct witness *w, unsigned int h, uint64_t session)
{
	return w->waited && session == w->session[h] &&
	       atomic_load_explicit(&m->control->host[h].beat, memory_order_relaxed) ==
		       w->beat[h] &&
	       !is_locked(m, h);
}

/* Does it divide the memory otherwise? */
static bool
is_unlike(const struct shn_medium *m, uint64_t session)
{
	return session != 0 && session >> SHN_DRAWN_BITS != m->session >> SHN_DRAWN_BITS;
}

/* ---- taking a place ---- */

/* One that divides the memory otherwise loses its place where it is dead, so that it notices if it
 * is not. Another host of this job may do so first, and its holder come: only a word that is still
 * the same is that of a holder that lives. @return that one, or 0 */
static uint64_t
find_unlike(const struct shn_medium *m, const struct witness *w, unsigned int h)
{
	_Atomic uint64_t *word = &m->control->host[h].session;
	uint64_t session, was;

	do {
		session = was = atomic_load(word);
		if (!is_unlike(m, session))
			return 0;
		if (is_dead(m, w, h, session) && atomic_compare_exchange_strong(word, &was, 0))
			return 0;
	} while (atomic_load(word) != session);
	return session;
}

static int
check_others(const struct shn_medium *m, const struct witness *w)
{
	for (unsigned int h = 0; h < SHN_MAX_HOSTS; h++) {
		uint64_t session = find_unlike(m, w, h);

		if (session == 0)
			continue;
		NTB_LOG(ERR, m->device,
			"%s is in use, with hosts=%u and %" PRIu64
			" bytes for each, here %u and %" PRIu64 ": give all the same",
			m->path, shn_session_hosts(session), shn_session_stride(session), m->hosts,
			m->stride);
		return -EBUSY;
	}
	return 0;
}

/* The lock first: who has the place without it, and gets no CPU, seems dead. On some files there
 * are no locks; other programs on this kernel have none then, either. */
static bool
swap_place(struct shn_medium *m, const struct witness *w)
{
	_Atomic uint64_t *word = &m->control->host[m->host].session;
	int locked = lock_byte(m, F_OFD_SETLK, m->host, F_WRLCK);
	uint64_t was = atomic_load(word);

	if (locked == -EAGAIN || locked == -EACCES || (was != 0 && !is_dead(m, w, m->host, was)))
		return false;
	/* of two that divide the memory otherwise and look at each other behind this, one sees the
	 * other: sequentially consistent, as the loads are */
	return atomic_compare_exchange_strong(word, &was, m->session);
}

static int
take_place(struct shn_medium *m, const struct witness *w)
{
	struct shn_host *mine = &m->control->host[m->host];

	if (!swap_place(m, w)) {
		NTB_LOG(ERR, m->device,
			"%s: a program that is alive holds the place of host %u: another job uses "
			"this path, or host=%u is given twice",
			m->path, m->host, m->host);
		return -EBUSY;
	}
	memset(mine->pad, 0, sizeof(mine->pad)); /* `open` of another session counts for nothing */
	mine->bell = m->bell.id;
	return 0;
}

static void
give_place(struct shn_medium *m)
{
	uint64_t session = m->session;

	/* unless another program has it */
	atomic_compare_exchange_strong_explicit(&m->control->host[m->host].session, &session, 0,
						memory_order_release, memory_order_relaxed);
}

static int
enter_medium(struct shn_medium *m)
{
	struct witness w = {.waited = false};
	bool wait;
	int ret;

	look_at_holders(m, &w);
	/* one that is about to close has given its place back, and not the lock */
	wait = w.session[m->host] != 0 || is_locked(m, m->host);
	for (unsigned int h = 0; h < SHN_MAX_HOSTS; h++)
		wait |= is_unlike(m, w.session[h]);
	if (wait)
		rte_delay_us_sleep((unsigned int)ntb_rawdev_patience(0) * 1000);
	w.waited = wait;
	ret = check_others(m, &w);
	if (ret == 0)
		ret = take_place(m, &w);
	if (ret < 0)
		return ret;
	ret = check_others(m, &w);
	if (ret < 0)
		give_place(m);
	return ret;
}

/* ---- the beat ---- */

static const char *
find_gone(const struct shn_medium *m)
{
	const struct shn_host *mine = &m->control->host[m->host];
	struct stat st;

	if (fstat(m->fd, &st) < 0 || st.st_dev != m->dev || st.st_ino != m->ino)
		return "the program has closed the file of the shared memory";
	if (S_ISREG(st.st_mode) && st.st_nlink == 0)
		return "the file of the shared memory was removed";
	if (S_ISREG(st.st_mode) && (uint64_t)st.st_size < m->size)
		return "the file of the shared memory was cut short";
	if (atomic_load_explicit(&mine->session, memory_order_relaxed) != m->session)
		return "this host was taken for dead, and another program has its place";
	return NULL;
}

/* In the EAL's interrupt thread. A medium that is gone has no beat any more: the others see this
 * host dead, too. */
static void
keep_beating(void *arg)
{
	struct shn_medium *m = arg;
	const char *why = find_gone(m);

	if (why != NULL) {
		atomic_store_explicit(&m->gone, why, memory_order_relaxed);
		NTB_LOG(ERR, m->device, "%s: %s", m->path, why);
		return;
	}
	shn_beat(m);
	rte_eal_alarm_set(BEAT_US, keep_beating, m);
}

/* ---- open and close ---- */

static int
divide_size(struct shn_medium *m)
{
	uint64_t rest = m->size < SHN_ALIGN ? 0 : m->size - SHN_ALIGN;

	m->stride = rest / m->hosts / SHN_ALIGN * SHN_ALIGN;
	if (m->stride != 0)
		return 0;
	NTB_LOG(ERR, m->device, "%s has %" PRIu64 " bytes: %u hosts need at least %" PRIu64,
		m->path, m->size, m->hosts, SHN_ALIGN + (uint64_t)m->hosts * SHN_ALIGN);
	return -EINVAL;
}

static int
map_file(struct shn_medium *m)
{
	struct stat st;
	int ret = shn_path_open(m->path, m->device, &m->size, &m->bell);

	if (ret < 0)
		return ret;
	m->fd = ret;
	ret = divide_size(m);
	if (ret < 0)
		return ret;
	if (fstat(m->fd, &st) < 0)
		return -errno;
	m->dev = st.st_dev;
	m->ino = st.st_ino;
	m->control = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
	if (m->control != MAP_FAILED)
		return 0;
	ret = -errno;
	m->control = NULL;
	NTB_LOG(ERR, m->device, "cannot map %" PRIu64 " bytes of %s: %s", m->size, m->path,
		strerror(-ret));
	return ret;
}

static void
drop_medium(struct shn_medium *m)
{
	if (m->control != NULL)
		munmap(m->control, m->size);
	if (m->fd >= 0)
		close(m->fd);
	shn_bell_close(&m->bell);
	free(m->path);
	free(m);
}

int
shn_medium_open(struct shn_medium **ret_medium, const char *device, const struct shn_args *args)
{
	struct shn_medium *m = calloc(1, sizeof(*m));
	uint32_t drawn;
	int ret = -ENOMEM;

	if (m == NULL)
		return ret;
	m->fd = m->bell.device = -1;
	m->host = args->host;
	m->hosts = args->hosts;
	strlcpy(m->device, device, sizeof(m->device));
	m->path = strdup(args->path);
	if (m->path == NULL)
		goto drop;
	if (getrandom(&drawn, sizeof(drawn), 0) != sizeof(drawn))
		goto drop;
	ret = map_file(m);
	m->session = shn_session(drawn, m->hosts, m->stride);
	if (ret == 0)
		ret = enter_medium(m);
	if (ret < 0)
		goto drop;
	for (unsigned int h = 0; h < SHN_MAX_HOSTS; h++) /* of the dead they stay so */
		m->seen[h].beat = m->control->host[h].beat;
	m->memory = (struct ntb_port_memory){
		.fd = m->fd,
		.off = shn_region_off(m, m->host),
		.len = m->stride,
	};
	keep_beating(m);
	*ret_medium = m;
	return 0;

drop:
	drop_medium(m);
	return ret;
}

void
shn_medium_close(struct shn_medium *m)
{
	rte_eal_alarm_cancel(keep_beating, m);
	give_place(m);
	drop_medium(m);
}
