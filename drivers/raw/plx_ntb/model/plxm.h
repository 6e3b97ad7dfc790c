/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_H
#define PLXM_H

/**
 * @file
 * Register-level model of PLX PEX87xx switches whose non-transparent (NT) ports are cabled back to
 * back: two chips with one such port each, or a ring of chips with two.
 *
 * The model implements the chip, not one driver's use of it. It knows neither DPDK nor Ringbell:
 * libc only. All state that several hosts can see lives in a *cable file* (memfd or ordinary file)
 * that all of them map; it holds the chips and the cables between them. Whatever a
 * hostile or dying process leaves in the file is treated as untrusted: indices and lengths are
 * checked before use, and the slow-path lock is robust.
 *
 * Three views of a port, as the host that owns the chip has them:
 *  - BAR0, 256 KiB of registers: plxm_reg_read() / plxm_reg_write();
 *  - the window BARs 2..5: plxm_win_read() / plxm_win_write() walk each access as a TLP through
 *    every check of the two chips (command bits, requester-id LUT, BAR match, translation, A-LUT);
 *    plxm_win_map() gives the same path as plain memory, resolved once per slice;
 *  - PCI configuration space: plxm_cfg_read() / plxm_cfg_write().
 *
 * Host memory that TLPs may reach is announced with plxm_dram_add(): bus address ranges backed by
 * a file descriptor that the peer's process can map too.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	PLXM_BAR0_SIZE =
		256 * 1024,   /**< whole-chip register space, identical from every function */
	PLXM_DRAM_RANGES = 8, /**< bus address ranges a host may announce */
	PLXM_ENDS = 2,	      /**< a cable has two ends */
	PLXM_RING_MAX = 64,   /**< chips of a ring */
};

/** Values that the serial EEPROM of the adapter sets before any software runs. */
struct plxm_eeprom {
	uint16_t chip;	    /**< part number as in the subsystem id: 0x8749, 0x8733, 0x8732, ... */
	uint8_t nt_index;   /**< which NT port is cabled: 0 (blocks at 0x3E000) or 1 (0x3C000) */
	uint8_t port;	    /**< chip port number that is the NT port (register 0x360) */
	uint64_t bar2_size; /**< BAR2/3 as one 64-bit prefetchable window; power of two >= 1 MiB */
	uint64_t bar4_size; /**< BAR4/5 likewise, 0 = off; FreeBSD shares it with peer registers */
	uint16_t host_rid;  /**< requester id of the CPU's loads, captured in 0xC90 */
	uint16_t store_rid; /**< requester id of its stores */
};

/** Fill @p e with a PEX8749, NT0, Gen3 x8, the given BAR2 size and a 1 MiB BAR4. */
void plxm_eeprom_default(struct plxm_eeprom *e, uint64_t bar2_size);

struct plxm_port; /**< one chip as seen by its host; used by one process, any thread */

/**
 * Power on a chip: that at end @p k, 0 or 1, of a cable (@p hosts is 0), or number @p k in a ring
 * of @p hosts chips, each with both NT ports and one register file for them: NT1 of each is cabled
 * to NT0 of the next. With one host the cable joins the two ports of its chip.
 *
 * The chip starts as after a hardware reset with its EEPROM loaded: command bits 0 (so no window
 * works before plxm_cfg_write(p, 4, 6, 2) sets memory enable and bus master, as firmware and driver
 * do on hardware), all doorbells masked, all LUT entries off. The link trains when both ends are
 * powered, the cable is in and neither Port Control disables it; every change of it, either way,
 * sets bit 2 of the link error status, and every loss clears the link-side block.
 *
 * In a ring @p e is the EEPROM of the chip, so it must be alike for both ports, but for the index;
 * NT1 is the port after @p e->port. A chip is powered on by the first of its ports that is opened,
 * and the second one is only reset.
 *
 * @param fd   cable file, read-write; an empty file is made into new cables. Not consumed.
 * @param ret_port  set on success only
 * @return 0; -EINVAL (numbers, EEPROM values), -EPROTO (not such a file, or of another version),
 *         -EBUSY (a live process owns this port), -errno of mmap and friends
 */
int plxm_port_open(int fd, unsigned int hosts, unsigned int k, const struct plxm_eeprom *e,
		   struct plxm_port **ret_port);

/** One more user of @p p calls plxm_port_close(), of whom the last one closes it. */
void plxm_port_hold(struct plxm_port *p);

/** The owning process leaves: bus mastering and DRAM ranges end, mappings go. The chip stays
 *  powered and the link stays up, as with real adapters, until the end is opened again. */
void plxm_port_close(struct plxm_port *p);

/**
 * The slot's power (or its reset line) goes off, or comes back: the chip forgets all and loads its
 * EEPROM, the link is down while it is off. Host memory that was announced stays announced, for
 * memory is not the adapter's. For programs that are the host's side of the bus.
 */
void plxm_port_power(struct plxm_port *p, bool on);

/** 32-bit BAR0 access. Misaligned or out-of-range offsets read all ones, writes are dropped. */
uint32_t plxm_reg_read(struct plxm_port *p, uint32_t off);
void plxm_reg_write(struct plxm_port *p, uint32_t off, uint32_t val);

/** Configuration space of the NT-Virtual function, 4 KiB, by 1, 2 or 4 bytes. */
uint32_t plxm_cfg_read(struct plxm_port *p, uint32_t off, unsigned int size);
void plxm_cfg_write(struct plxm_port *p, uint32_t off, uint32_t val, unsigned int size);

/**
 * Announce host memory that inbound TLPs may reach: bus addresses [bus, bus + len) are bytes
 * [fd_off, fd_off + len) of @p fd, a regular file (memfd, hugetlbfs). The peer's process reopens
 * it through /proc/PID/fd; @p fd itself may be closed.
 * @return 0, -EINVAL (overlap, wrap, beyond the end of the file, alignment to the file's page
 *         size), -ENOSPC (PLXM_DRAM_RANGES), -errno of the file; plxm_dram_del(): -ENOENT
 */
int plxm_dram_add(struct plxm_port *p, uint64_t bus, uint64_t len, int fd, uint64_t fd_off);
int plxm_dram_del(struct plxm_port *p, uint64_t bus);

/** A CPU access of this host to a window BAR (bar 2 or 4), as TLPs with all checks.
 *  A refused read fills @p buf with ones; a refused write is dropped; either is counted and logged
 *  in the AER header log. 0, or -EIO for refused (the CPU does not see that for writes). The
 *  peer's registers take whole aligned dwords; only these calls reach them, never a map. */
int plxm_win_read(struct plxm_port *p, unsigned int bar, uint64_t off, void *buf, size_t len);
int plxm_win_write(struct plxm_port *p, unsigned int bar, uint64_t off, const void *buf,
		   size_t len);

/**
 * The window BAR as memory of this process: loads and stores act as their TLPs would. Slices
 * without a way to the peer's memory behave as a master abort: stores vanish and loads give ones
 * after the next refresh. A slice needs both A-LUT permissions, and alignment to the pages of the
 * file behind it, to be memory. The address never changes for the life of the port.
 * @return NULL for another BAR than 2, or where memory is short
 */
void *plxm_win_map(struct plxm_port *p, unsigned int bar, uint64_t *len);

/**
 * The file behind a stretch of a mapped window, for another process to map it too, as this
 * process has it mapped at present.
 * @param ret_fd   descriptor of this process, the port's; valid until the next refresh
 * @param ret_off  place of @p off in the file
 * @return 0, -EINVAL for a BAR that is not mapped, -ENOTCONN unless one run of memory holds all
 */
int plxm_win_file(struct plxm_port *p, unsigned int bar, uint64_t off, uint64_t len, int *ret_fd,
		  uint64_t *ret_off);

/** Bring this process's window maps up to the chips' present state (link, translations, peer
 *  memory), before a load through a map that has to find it so; it also pushes posted writes
 *  that are late. Cheap when nothing changed: a relaxed load or two. Every register
 * read and every window call does the same; register writes do not, so that programming a chip
 * costs one refresh. A window that is dead as a whole is filled with ones again by each explicit
 * call. */
void plxm_sync(struct plxm_port *p);

/**
 * The chip's interrupt by doorbells: a counter in shared memory, incremented and futex-woken
 * (FUTEX_WAKE, not private) by any thread that raises an unmasked one, or unmasks a pending one.
 * Waiters FUTEX_WAIT on the value they read before their last check.
 */
uint32_t *plxm_irq_word(struct plxm_port *p);

/** Fault hooks: errors that the model makes on request. Set on a port, act on its cable or chip. */
enum plxm_fault {
	PLXM_FAULT_CABLE,   /**< 1 = cable pulled, 0 = plugged back (both ends see it) */
	PLXM_FAULT_RETRAIN, /**< link goes down and comes up at once; arg unused */
	PLXM_FAULT_DB_DROP, /**< the next @p arg doorbell sets arriving at this port are lost */
	PLXM_FAULT_MUTE,    /**< 1 = posted writes that this port sends are lost, 0 = no more; reads
			     *   go on. Stores through plxm_win_map() are lost where the peer's memory
			     *   has pages of the usual size, and a load may see them until
			     *   plxm_sync(). */
	PLXM_FAULT_HIDE, /**< 1 = at the chips of this cable the mask of the Link side's doorbells,
			  *   which other drivers do not use, reads 0, and no write changes it */
	PLXM_FAULT_MAX,
};
int plxm_fault_set(struct plxm_port *p, enum plxm_fault f, uint64_t arg);

/** PLXM_FAULT_CABLE, PLXM_FAULT_RETRAIN, or PLXM_FAULT_DB_DROP and PLXM_FAULT_MUTE with
 * the end in the upper 32 bits of @p arg, by a process that has the file and no port: at cable @p
 * cable of a ring of @p hosts chips, which joins NT1 of that chip to NT0 of the next; 0 hosts: the
 * cable 0 of a pair. It does not wait.
 * @return 0; -EAGAIN while another process changes the file, which may have been stopped meanwhile;
 * -ENODATA where no port has made the file into a cable yet, -EINVAL for another fault, -EPROTO and
 * -errno as plxm_port_open() */
int plxm_ring_fault(int fd, unsigned int hosts, unsigned int cable, enum plxm_fault f,
		    uint64_t arg);

/** Make an empty file into the cables of a ring of @p hosts chips, or of a pair (0), before a port
 * does, so that a cable can be out from the start. @return 0, also where it is that already;
 * -EPROTO and -errno as plxm_port_open() */
int plxm_ring_make(int fd, unsigned int hosts);

/**
 * From now on the posted writes that the port sends are as late as the rules of PCI Express allow:
 * those of plxm_win_write(), and those of the chip's DMA engine, whose completion does not wait,
 * arrive in their order when a read through the window or plxm_sync() pushes them. A link loss
 * takes them. The model does not see loads and stores through plxm_win_map(), so these have no
 * delays. Not on: those under way have arrived.
 */
void plxm_late_set(struct plxm_port *p, bool on);

/** Counters of what the chips refused (counted at the port that asked, since it was powered on) or
 *  did, for tests. */
struct plxm_stats {
	uint64_t ur_rid;    /**< requests from an id in no enabled LUT entry */
	uint64_t ur_bar;    /**< no BAR matched, or memory / bus master enable off */
	uint64_t ur_alut;   /**< slice not enabled or permission missing */
	uint64_t ur_dram;   /**< translated address outside the host's memory */
	uint64_t ur_link;   /**< link down */
	uint64_t malformed; /**< DMA writes with more payload than the cable's ends take */
	uint64_t link_downs;
	uint64_t remaps; /**< window map refreshes in this process */
	uint64_t late;	 /**< posted writes that were late, in this process */
};
void plxm_stats_get(struct plxm_port *p, struct plxm_stats *s);

#ifdef __cplusplus
}
#endif
#endif /* PLXM_H */
