/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DRV_PLACE_H
#define DRV_PLACE_H

/* The same test program over two kinds of ports:
 *
 *   PROGRAM            emulated ones, by --vdev
 *   PROGRAM bus A B    PCI functions of this machine, cabled to each other, bound to UIO
 */

/* 0; else the exit status. Before anything of the EAL. */
int drv_place_choose(int argc, char **argv);

#endif /* DRV_PLACE_H */
