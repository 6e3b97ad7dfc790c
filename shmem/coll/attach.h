/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_ATTACH_H
#define COLL_ATTACH_H

/**
 * @file
 * The state of a team in coll/, from its creation to its end.
 */

struct coll_slot;
struct shmemi_team;

/** Give @p team, whose slot is set, its state. */
void coll_attach(struct shmemi_team *team);
/** Collective over @p team: nothing of it is under way any more, its slot is free again. */
void coll_detach(struct shmemi_team *team);

/** @p slots: the symmetric memory of all of them, zeros. */
void coll_states_open(struct coll_slot *slots);
void coll_states_close(void);

#endif /* COLL_ATTACH_H */
