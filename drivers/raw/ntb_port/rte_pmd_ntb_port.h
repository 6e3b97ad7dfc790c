/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RTE_PMD_NTB_PORT_H
#define RTE_PMD_NTB_PORT_H

/**
 * @file
 * An NTB port as programs see it, beyond the rawdev API: the structures behind
 * rte_rawdev_info_get() / rte_rawdev_configure(), and a handle with the few calls that stand on a
 * fast path. Nothing here is specific to PLX: a driver for another NTB family fills the same
 * handle, and a program finds ports by ntb_port_get().
 *
 * Call order: ntb_port_get() -> ntb_port_configure() (programs the inbound translation) ->
 * ntb_port_start() (link enabled) -> poll ntb_link_poll() until it is up -> traffic ->
 * ntb_port_stop() -> ntb_port_close(). With a driver whose name begins with `raw_ntb_` these are
 * the rawdev calls: rte_rawdev_info_get() with a struct ntb_port_info, rte_rawdev_configure() with
 * a struct ntb_port_config, start, stop and close.
 *
 * DPDK's own structures of rte_pmd_ntb.h are accepted by the same rawdev calls; dev_private_size
 * tells them apart.
 */

#include <errno.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_atomic.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ntb_port;
struct ntb_provider;

/** Link state as ntb_link_poll() reports it. */
enum ntb_link {
	NTB_LINK_DOWN = 0,
	NTB_LINK_UP = 1,
};

/**
 * Slow and medium paths of a port, filled by the driver at probe. What every port has, comes first.
 * The rest are capabilities: a port without one has NULL there, and 0 in the count that belongs to
 * it. Both ends of a cable have the same ones.
 */
struct ntb_port_ops {
	/** Alignment that the bus address of an inbound region of @p len bytes needs; never more
	 *  than ntb_port_info.window_align. The peer may see whole multiples of it. */
	uint64_t (*region_align)(struct ntb_port *port, uint64_t len);
	/** Link state now; re-programs the port after a link loss (the chip forgets its link side)
	 *  and refreshes the window. Up means that loads through the window reach the region which
	 *  the peer has configured. Not on a data path: about a microsecond on hardware. */
	enum ntb_link (*link_poll)(struct ntb_port *port);
	/** How often an established link has broken since the port was probed, including a break
	 *  that no call has reported yet. Data under way is lost then, though the link may be up
	 *  again. Reads one register of this side's chip, unless the link has changed. A port that
	 *  misses some breaks is allowed: flushes then fail. */
	uint64_t (*link_breaks)(struct ntb_port *port);

	/* Doorbells: ntb_port.db_count. All four, or none, or db_ring alone, which then does
	 * nothing but change the peer's wake_word. */

	/** Raise doorbell bits at the peer. A posted write; ordered behind earlier window stores
	 *  once these left the CPU (the callee fences write-combining buffers). */
	void (*db_ring)(struct ntb_port *port, uint32_t bits);
	/** Doorbell bits pending here. One register read, all doorbells at once. */
	uint32_t (*db_read)(struct ntb_port *port);
	/** Clear pending bits here (write 1 to clear). */
	void (*db_clear)(struct ntb_port *port, uint32_t bits);
	/** Allow (1) these doorbell bits to raise the port's interrupt / wake word, others not. */
	void (*db_unmask)(struct ntb_port *port, uint32_t bits);

	/* Scratchpads: ntb_port.spad_count. All four or none. */

	/** Scratchpads of this side and of the peer's side. Index < spad_count. A read of a dead
	 *  link gives all ones. */
	uint32_t (*spad_read)(struct ntb_port *port, unsigned int i);
	void (*spad_write)(struct ntb_port *port, unsigned int i, uint32_t v);
	uint32_t (*peer_spad_read)(struct ntb_port *port, unsigned int i);
	void (*peer_spad_write)(struct ntb_port *port, unsigned int i, uint32_t v);

	/* Each by itself. */

	/** Push all earlier posted writes of this CPU through the window to the peer's memory, by a
	 *  non-posted read through the same path: of the 8 bytes at @p off of the window, which go
	 *  to @p ret. 0, or -EIO where the link is dead, or the peer's chip lets nothing through to
	 *  its memory. NULL: ntb_flush_at() reads through the window. */
	int (*flush)(struct ntb_port *port, uint64_t off, uint64_t *ret);
	/** From now on a link that breaks stays down, and nothing passes in either direction, until
	 *  the port is started again. Else what follows lost data could arrive without it. */
	void (*link_once)(struct ntb_port *port);
	/** Why the link is not up, or what the port doubts of one that is: words, with the register
	 *  that says so. Empty for neither. Any thread, not on a data path. */
	void (*why_down)(struct ntb_port *port, char *text, size_t size);
	/** Word that changes when an unmasked doorbell arrives, for FUTEX_WAIT; returns NULL where
	 *  the port can only be polled (a real adapter, and a model of one with bridge=1), at both
	 *  ends. Not before the link is up. */
	uint32_t *(*wake_word)(struct ntb_port *port);
	/** The file that bytes [@p off, @p off + @p len) of the window are a mapping of, so that
	 *  another process of this host can map them too: descriptor in this process, valid until
	 *  the link or the peer's region changes, and where in the file.
	 *  0, -ENOTCONN where they lead nowhere, -ENOTSUP on a real adapter: a store of another
	 *  process would need that process's own flush. */
	int (*window_file)(struct ntb_port *port, uint64_t off, uint64_t len, int *ret_fd,
			   uint64_t *ret_off);

	/* A window of messages: NTB_CAP_WINDOW_MESSAGES. All four, and flush, or none. */

	/** Write @p len bytes at @p off of the window: those of all threads arrive in the order of
	 *  the calls, 4 and 8 aligned bytes at once. May wait for the peer; nothing happens where
	 *  the link is down. */
	void (*write)(struct ntb_port *port, uint64_t off, const void *src, size_t len);
	/** What was written leaves now, and does not wait for more. */
	void (*push)(struct ntb_port *port);
	/** Read, behind all that was written. 0, or -EIO where the link is dead. */
	int (*read)(struct ntb_port *port, uint64_t off, void *dst, size_t len);
	/** Receive what has come for any port of the driver, and answer. To be called all the time:
	 *  nobody else does. @p waits: for the peer, so what was written leaves now; else it may
	 *  wait some microseconds for what follows. */
	void (*poll)(struct ntb_port *port, bool waits);
};

/** Memory that a port brings along: bytes of a file. */
struct ntb_port_memory {
	int fd;
	uint64_t off, len;
};

/** One NT port. Read-only to users. */
struct ntb_port {
	const struct ntb_port_ops *ops;
	const struct ntb_provider *provider; /**< of its driver: ntb_port_get() fills it */
	const char *setting; /**< what gives the window another size: "BAR2 to a power of two" */
	/** The inbound region has to be a mapping of this, from its start on. NULL: of any memory.
	 */
	const struct ntb_port_memory *memory;
	void *window;	      /**< peer's inbound region: store here, it appears there */
	uint64_t window_size; /**< bytes of @ref window */
	uint64_t window_iova; /**< bus address of @ref window for DMA engines, 0 = unknown */
	uint16_t db_count;    /**< doorbell bits, 0 = none */
	uint16_t spad_count;  /**< scratchpads of each side, 0 = none */
	uint16_t dev_id;      /**< rawdev id */
	uint32_t caps;	      /**< NTB_CAP_* */
};

enum {
	NTB_CAP_WINDOW_IS_MEMORY = 1
				   << 0, /**< window loads cost what memory loads cost (emulated) */
	NTB_CAP_WINDOW_WC = 1 << 1,	 /**< window is mapped write-combining */
	/** window is addresses alone: ntb_port_ops.write and .read in place of stores and loads */
	NTB_CAP_WINDOW_MESSAGES = 1 << 2,
	/** the window is memory, and coherent: atomics of this CPU on it and of the peer's CPUs on
	 *  its own memory are atomic to each other. No bridge gives that. */
	NTB_CAP_ATOMICS = 1 << 3,
};

/** rte_rawdev_info.dev_private of rte_rawdev_info_get(). */
struct ntb_port_info {
	struct ntb_port *port; /**< handle, valid until close */
	uint64_t window_align; /**< alignment that a region as large as the window needs */
	uint64_t window_size;  /**< largest inbound region that the peer can reach */
	char location[32];     /**< PCI address or vdev name */
};

/** rte_rawdev_info.dev_private of rte_rawdev_configure(): the inbound region. */
struct ntb_port_config {
	void *va;	 /**< page aligned */
	uint64_t iova;	 /**< bus address, contiguous over len, aligned to region_align(len) */
	uint64_t len;	 /**< bytes; at most window_size is reachable, more is not an error */
	int fd;		 /**< file behind it (emulated ports map it at the peer), -1 if none */
	uint64_t fd_off; /**< where it starts in the file */
};

/** Fault hooks for tests: rte_rawdev_set_attr() names of emulated ports; -ENOTSUP on others. */
#define NTB_ATTR_FAULT_CABLE \
	"fault_cable" /**< 1 = pulled, 0 = plugged, 2 = both plugs in this port */
#define NTB_ATTR_FAULT_RETRAIN "fault_retrain" /**< link down and up at once */

/**
 * Ports of any rawdev driver that is known: those whose rawdev calls take the structures above, and
 * DPDK's raw_ntb.
 *
 * @return 0; -ENODEV: not an NTB, or one that is not known
 */
int ntb_port_get(uint16_t dev_id, struct ntb_port_info *ret_info);
/** As the rawdev calls do for drivers of this project. 0 or a negative errno, with a line of log;
 *  -ENODEV where the rawdev was closed, -ENOTSUP where the driver cannot be configured again after
 *  a stop. */
int ntb_port_configure(struct ntb_port *port, const struct ntb_port_config *conf);
int ntb_port_start(struct ntb_port *port);
void ntb_port_stop(struct ntb_port *port);
/** The handle is gone then. */
void ntb_port_close(struct ntb_port *port);

/* Only for ports that have doorbells. */

static inline void
ntb_db_ring(struct ntb_port *port, uint32_t bits)
{
	port->ops->db_ring(port, bits);
}

static inline uint32_t
ntb_db_read(struct ntb_port *port)
{
	return port->ops->db_read(port);
}

static inline void
ntb_db_clear(struct ntb_port *port, uint32_t bits)
{
	port->ops->db_clear(port, bits);
}

/* For all ports. */

/** As ntb_port_ops.flush. Of a port without one the window is read, where ones are a dead link: so
 *  @p off is that of a word which never is. */
static inline int
ntb_flush_at(struct ntb_port *port, uint64_t off, uint64_t *ret)
{
	if (port->ops->flush != NULL)
		return port->ops->flush(port, off, ret);
	rte_mb();
	/* one load, atomic: another thread may store to the word, to flush it too */
	*ret = __atomic_load_n((const volatile uint64_t *)((const uint8_t *)port->window + off),
			       __ATOMIC_RELAXED);
	return *ret == UINT64_MAX ? -EIO : 0;
}

static inline int
ntb_flush(struct ntb_port *port)
{
	uint64_t word;

	return ntb_flush_at(port, 0, &word);
}

static inline enum ntb_link
ntb_link_poll(struct ntb_port *port)
{
	return port->ops->link_poll(port);
}

static inline void
ntb_link_once(struct ntb_port *port)
{
	if (port->ops->link_once != NULL)
		port->ops->link_once(port);
}

static inline void
ntb_why_down(struct ntb_port *port, char *text, size_t size)
{
	text[0] = '\0';
	if (port->ops->why_down != NULL)
		port->ops->why_down(port, text, size);
}

static inline uint32_t *
ntb_wake_word(struct ntb_port *port)
{
	return port->ops->wake_word == NULL ? NULL : port->ops->wake_word(port);
}

static inline int
ntb_window_file(struct ntb_port *port, uint64_t off, uint64_t len, int *ret_fd, uint64_t *ret_off)
{
	return port->ops->window_file == NULL
		       ? -ENOTSUP
		       : port->ops->window_file(port, off, len, ret_fd, ret_off);
}

#ifdef __cplusplus
}
#endif
#endif /* RTE_PMD_NTB_PORT_H */
