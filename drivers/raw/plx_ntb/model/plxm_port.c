/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Ports: power-on, leaving, host memory, counters. */

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "plxm_chip.h"
#include "plxm_path.h"

static void
power_chip(struct plxm_port *p, const struct plxm_eeprom *e)
{
	struct plxm_chip *chip = p->me.chip;

	/* a chip that was left powered: its peers see the links go and come */
	atomic_store(&chip->powered, 0);
	plxm_link_update_chip(&p->rig, chip);
	chip->eeprom = *e;
	atomic_store(&chip->nts, p->rig.ring ? 3 : 1u << p->me.index);
	plxm_power_on(chip);
	atomic_store(&chip->powered, 1);
	plxm_gen_bump_chip(&p->rig, chip);
	plxm_link_update_chip(&p->rig, chip);
}

/* The chip works for its other NT port: only this one is reset. Both have one EEPROM. */
static int
join_chip(struct plxm_port *p, const struct plxm_eeprom *e)
{
	struct plxm_eeprom has = p->me.chip->eeprom;

	has.nt_index = e->nt_index;
	if (!plxm_eeprom_same(&has, e))
		return -EINVAL;
	plxm_reset_nt(&p->me);
	plxm_gen_bump_chip(&p->rig, p->me.chip);
	plxm_link_bounce(&p->rig, p->cable_no, false);
	return 0;
}

static int
power_on(struct plxm_port *p, const struct plxm_eeprom *e)
{
	struct plxm_nt *nt = p->me.nt, *other = &p->me.chip->nt[!p->me.index];
	int rc = 0;

	plxm_lock(&p->rig, p->me.chip);
	if (nt->owner != 0) {
		if (plxm_owner_alive(nt)) {
			rc = -EBUSY;
			goto unlock;
		}
		plxm_owner_gone(&p->rig, &p->me);
	}
	if (p->rig.ring && p->me.chip->powered && other->owner != 0 && plxm_owner_alive(other))
		rc = join_chip(p, e);
	else
		power_chip(p, e);
	if (rc != 0)
		goto unlock;
	atomic_store(&p->cable->mute[p->end], 0);
	nt->owner_start = plxm_proc_start(getpid());
	atomic_store(&nt->owner, getpid());
unlock:
	plxm_unlock(&p->rig);
	return rc;
}

int
plxm_port_open(int fd, unsigned int hosts, unsigned int k, const struct plxm_eeprom *e,
	       struct plxm_port **ret_port)
{
	struct plxm_port *p;
	int rc;

	if (hosts > PLXM_RING_MAX || k >= (hosts != 0 ? hosts : PLXM_ENDS) ||
	    plxm_eeprom_check(e, hosts != 0) != 0)
		return -EINVAL;
	p = calloc(1, sizeof(*p));
	if (p == NULL)
		return -ENOMEM;
	rc = plxm_rig_map(fd, hosts, &p->rig);
	if (rc != 0)
		goto free_port;
	p->users = 1;
	p->me = plxm_side(&p->rig.file->chip[k], e->nt_index);
	p->end = hosts != 0 ? !e->nt_index : k;
	p->cable_no = plxm_rig_cable_at(&p->rig, p->me.chip, p->me.index);
	p->cable = plxm_rig_cable(&p->rig, p->cable_no);
	p->win.size = e->bar2_size;
	p->bar4_size = e->bar4_size;
	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++)
		p->own[i].fd = -1;
	pthread_mutex_init(&p->late.lock, NULL);
	pthread_mutex_init(&p->mu, NULL);
	rc = power_on(p, e);
	if (rc != 0)
		goto destroy;
	plxm_refresh(p);
	*ret_port = p;
	return 0;
destroy:
	pthread_mutex_destroy(&p->mu);
	pthread_mutex_destroy(&p->late.lock);
	plxm_rig_unmap(&p->rig);
free_port:
	free(p);
	return rc;
}

void
plxm_port_hold(struct plxm_port *p)
{
	atomic_fetch_add(&p->users, 1);
}

void
plxm_port_close(struct plxm_port *p)
{
	if (p == NULL || atomic_fetch_sub(&p->users, 1) > 1)
		return;
	plxm_lock(&p->rig, p->me.chip);
	if (p->me.nt->owner == getpid())
		plxm_owner_gone(&p->rig, &p->me);
	plxm_unlock(&p->rig);
	plxm_map_drop(p);
	plxm_peer_drop(p);
	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++)
		plxm_dram_close(p->own[i].fd, &p->own[i]);
	plxm_late_drop(p);
	pthread_mutex_destroy(&p->mu);
	pthread_mutex_destroy(&p->late.lock);
	plxm_rig_unmap(&p->rig);
	free(p);
}

void
plxm_port_power(struct plxm_port *p, bool on)
{
	struct plxm_chip *chip = p->me.chip;

	plxm_lock(&p->rig, chip);
	atomic_store(&chip->powered, 0);
	plxm_link_update_chip(&p->rig, chip);
	if (on) {
		plxm_power_on(chip);
		atomic_store(&chip->powered, 1);
		plxm_link_update_chip(&p->rig, chip);
	}
	for (unsigned int index = 0; index < PLXM_NTS && !on; index++) {
		uint32_t cmd = plxm_side(chip, index).base + HW_CMD;

		plxm_put(chip, cmd, plxm_get(chip, cmd) & ~(HW_CMD_MEM | HW_CMD_MASTER));
	}
	plxm_gen_bump_chip(&p->rig, chip);
	plxm_unlock(&p->rig);
	plxm_check(p);
}

uint32_t *
plxm_irq_word(struct plxm_port *p)
{
	return (uint32_t *)&p->me.nt->irq;
}

void
plxm_stats_get(struct plxm_port *p, struct plxm_stats *s)
{
	struct plxm_nt *nt = p->me.nt;

	*s = (struct plxm_stats){
		.ur_rid = atomic_load(&nt->count.ur[PLXM_UR_RID]),
		.ur_bar = atomic_load(&nt->count.ur[PLXM_UR_BAR]),
		.ur_alut = atomic_load(&nt->count.ur[PLXM_UR_ALUT]),
		.ur_dram = atomic_load(&nt->count.ur[PLXM_UR_DRAM]),
		.ur_link = atomic_load(&nt->count.ur[PLXM_UR_LINK]),
		.malformed = atomic_load(&nt->count.ur[PLXM_MALFORMED]),
		.link_downs = atomic_load(&nt->count.link_downs),
		.remaps = atomic_load(&p->remaps),
		.late = atomic_load(&p->late.count),
	};
}
