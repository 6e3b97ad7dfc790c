/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Ports: power-on, leaving, host memory, counters. */

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plxm_cable.h"
#include "plxm_gen.h"
#include "plxm_link.h"
#include "plxm_lock.h"
#include "plxm_map.h"
#include "plxm_owner.h"
#include "plxm_peer.h"
#include "plxm_reserve.h"
#include "plxm_reset.h"

static int
power_on(struct plxm_port *p, const struct plxm_eeprom *e)
{
	struct plxm_cable *c = p->cable;
	struct plxm_chip *chip = p->chip;
	int rc = 0;

	plxm_lock(c);
	if (chip->owner != 0) {
		if (plxm_owner_alive(chip)) {
			rc = -EBUSY;
			goto unlock;
		}
		plxm_owner_gone(c, chip);
	}
	/* a chip that was left powered: its peer sees the link go and come */
	atomic_store(&chip->powered, 0);
	plxm_link_update(c);
	chip->eeprom = *e;
	plxm_power_on(chip);
	atomic_store(&c->delay_ns[p->end], 0);
	chip->owner_start = plxm_proc_start(getpid());
	atomic_store(&chip->owner, getpid());
	atomic_store(&chip->powered, 1);
	plxm_gen_bump(c);
	plxm_link_update(c);
unlock:
	plxm_unlock(c);
	return rc;
}

int
plxm_port_open(int fd, unsigned int end, const struct plxm_eeprom *e, struct plxm_port **ret_port)
{
	struct plxm_port *p;
	int rc;

	if (end >= PLXM_ENDS || plxm_eeprom_check(e) != 0)
		return -EINVAL;
	p = calloc(1, sizeof(*p));
	if (p == NULL)
		return -ENOMEM;
	rc = plxm_cable_map(fd, &p->cable);
	if (rc != 0)
		goto free_port;
	p->end = end;
	p->chip = &p->cable->chip[end];
	p->peer = &p->cable->chip[!end];
	p->win[0].size = e->bar2_size;
	p->win[1].size = e->bar4_size;
	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++)
		p->dram_fd[i] = -1;
	pthread_mutex_init(&p->mu, NULL);
	pthread_mutex_init(&p->posted.lock, NULL);
	rc = power_on(p, e);
	if (rc != 0)
		goto unmap;
	plxm_refresh(p);
	*ret_port = p;
	return 0;
unmap:
	pthread_mutex_destroy(&p->posted.lock);
	pthread_mutex_destroy(&p->mu);
	munmap(p->cable, sizeof(*p->cable));
free_port:
	free(p);
	return rc;
}

void
plxm_port_close(struct plxm_port *p)
{
	if (p == NULL)
		return;
	plxm_lock(p->cable);
	if (p->chip->owner == getpid())
		plxm_owner_gone(p->cable, p->chip);
	plxm_unlock(p->cable);
	plxm_map_drop(p);
	plxm_peer_drop(p);
	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++) {
		if (p->dram_fd[i] >= 0)
			close(p->dram_fd[i]);
	}
	pthread_mutex_destroy(&p->posted.lock);
	pthread_mutex_destroy(&p->mu);
	munmap(p->cable, sizeof(*p->cable));
	free(p);
}

uint32_t *
plxm_irq_word(struct plxm_port *p)
{
	return (uint32_t *)&p->chip->irq;
}

void
plxm_stats_get(struct plxm_port *p, struct plxm_stats *s)
{
	struct plxm_chip *chip = p->chip;

	*s = (struct plxm_stats){
		.ur_rid = atomic_load(&chip->count.ur[PLXM_UR_RID]),
		.ur_bar = atomic_load(&chip->count.ur[PLXM_UR_BAR]),
		.ur_alut = atomic_load(&chip->count.ur[PLXM_UR_ALUT]),
		.ur_dram = atomic_load(&chip->count.ur[PLXM_UR_DRAM]),
		.ur_link = atomic_load(&chip->count.ur[PLXM_UR_LINK]),
		.malformed = atomic_load(&chip->count.ur[PLXM_MALFORMED]),
		.db_set = atomic_load(&chip->db_set),
		.db_dropped = atomic_load(&chip->db_dropped),
		.link_downs = atomic_load(&chip->count.link_downs),
		.remaps = atomic_load(&p->remaps),
	};
}
