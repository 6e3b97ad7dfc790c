/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* ringbell-device: the models of the chips as PCI devices of virtual machines. */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "device.h"

enum {
	LEFT,
	RIGHT,
	BRIDGES = 3, /* root port, upstream, downstream port: buses of an adapter */
	EEPROM_SIZE = 8192,
	INTEL_BAR4 = 1 << 20, /* DPDK's driver uses BAR2 alone */
};

static struct cable cables[DEVICE_HOSTS_MAX];
static struct irq_line lines[DEVICE_HOSTS_MAX]; /* by host */
static struct fn fns[DEVICE_HOSTS_MAX * DEVICE_SIDES * DEVICE_FNS];
static unsigned int n_fns;

static void *
host_memory(void *fn, uint64_t bus, uint64_t *len)
{
	return sysmem_find(&((struct fn *)fn)->mem, bus, len);
}

static int
fail_with(int error, const char *what)
{
	fprintf(stderr, "ringbell-device: %s: %s\n", what, strerror(-error));
	return error;
}

/* Requests of a DMA function carry the bus of its upstream port. No message contains that bus, so
 * the adapters of a host must be plugged in behind bridges of their own, the left one first. */
static uint8_t
dma_bus(const struct options *o, int host, unsigned int side)
{
	bool has_left = (host + o->hosts - 1) % o->hosts < o->cables;

	return side == RIGHT && has_left ? 1 + BRIDGES : 1;
}

static int
listen_on(struct fn *f)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};

	memcpy(addr.sun_path, f->path, sizeof(addr.sun_path));
	f->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (f->listen_fd < 0)
		return fail_with(-errno, "socket");
	if (bind(f->listen_fd, (struct sockaddr *)&addr, sizeof(addr)) < 0 ||
	    listen(f->listen_fd, 1) < 0)
		return fail_with(-errno, f->path);
	return 0;
}

/* A function with its socket. */
static int
add_function(const struct options *o, int host, unsigned int side, const char *suffix,
	     const struct fn_ops *ops)
{
	static const char *const names[DEVICE_SIDES] = {"left", "right"};
	struct fn *f = &fns[n_fns];
	int ret;

	f->ops = ops;
	f->host = host;
	f->side = side;
	if (snprintf(f->path, sizeof(f->path), "%s/h%d.%s%s", o->folder, host, names[side],
		     suffix) >= (int)sizeof(f->path))
		return fail_with(-ENAMETOOLONG, o->folder);
	ret = listen_on(f);
	if (ret == 0)
		n_fns++;
	return ret;
}

/* The NT function of one adapter and the DMA channels beside it. */
static int
add_adapter(const struct options *o, int host, unsigned int side, struct plxm_port *port,
	    struct plxm_serial *serial)
{
	int ret;

	for (int i = 0; i <= o->channels; i++) {
		struct fn *f = &fns[n_fns];
		struct plxm_dma_host memory = {
			.mem = host_memory, .ctx = f, .bus = dma_bus(o, host, side)};
		char suffix[16] = "";

		f->port = port;
		f->serial = serial;
		f->bar2 = o->bar2;
		if (i > 0)
			snprintf(suffix, sizeof(suffix), ".dma%d", i - 1);
		ret = i == 0 ? 0 : plxm_dma_open(port, (unsigned int)i - 1, &memory, &f->dma);
		if (ret < 0)
			return fail_with(ret, "DMA channel");
		ret = add_function(o, host, side, suffix, i == 0 ? &nt_ops : &dma_ops);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* Its EEPROM, with an image of no records: the signature, flags, the count, and a checksum that the
 * flags do not ask for. */
static int
add_eeprom(struct plxm_port *port, struct plxm_serial **ret_serial)
{
	uint8_t *part = malloc(EEPROM_SIZE);
	int ret;

	if (part == NULL)
		return fail_with(-ENOMEM, "EEPROM");
	memset(part, 0xFF, EEPROM_SIZE);
	memset(part, 0, 8);
	part[0] = 0x5A;
	ret = plxm_serial_open(port, part, EEPROM_SIZE, ret_serial);
	if (ret < 0) {
		free(part);
		return fail_with(ret, "EEPROM");
	}
	return 0; /* the part stays until the process ends */
}

static int
add_plx(const struct options *o, int cable, int fd)
{
	struct plxm_serial *serial;
	struct plxm_eeprom e;
	int ret = 0;

	plxm_eeprom_default(&e, o->bar2);
	for (unsigned int end = 0; end < DEVICE_SIDES && ret == 0; end++) {
		struct plxm_port **port = &cables[cable].plx[end];

		ret = plxm_port_open(fd, 0, end, &e, port);
		if (ret < 0)
			return fail_with(ret, "no adapter");
		plxm_port_power(*port, false); /* its machine has not started */
		ret = add_eeprom(*port, &serial);
		if (ret == 0)
			ret = add_adapter(o, end == 0 ? cable : (cable + 1) % o->hosts,
					  end == 0 ? RIGHT : LEFT, *port, serial);
	}
	return ret;
}

static int
add_intel(const struct options *o, int cable, int fd)
{
	struct fn *first = &fns[n_fns];
	int ret = 0;

	for (unsigned int end = 0; end < DEVICE_SIDES && ret == 0; end++) {
		const struct intm_conf conf = {
			.fd = fd,
			.end = end,
			.gen = (unsigned int)o->intel,
			.reading = o->reading,
			.bar_size = {INTM_BAR0_SIZE, o->bar2, INTEL_BAR4},
		};
		struct fn *f = &fns[n_fns];
		int host = end == 0 ? cable : (cable + 1) % o->hosts;

		ret = intm_open(&conf, &f->intel);
		if (ret < 0)
			return fail_with(ret, "no NTB");
		intm_power(f->intel, false); /* its machine has not started */
		cables[cable].intel[end] = f->intel;
		pthread_rwlock_init(&f->mem_lock, NULL);
		f->line = &lines[host];
		ret = add_function(o, host, end == 0 ? RIGHT : LEFT, "", &intel_ops);
	}
	first[0].peer = &first[1];
	first[1].peer = &first[0];
	return ret;
}

/* End 0 of a cable is the right adapter of its host, end 1 the left one of the next. */
static int
add_cable(const struct options *o, int cable)
{
	int fd = memfd_create("ringbell-cable", MFD_CLOEXEC), ret;

	if (fd < 0)
		return fail_with(-errno, "no file for a cable");
	ret = o->intel != 0 ? add_intel(o, cable, fd) : add_plx(o, cable, fd);
	close(fd);
	return ret;
}

static int
name_lines(const struct options *o)
{
	for (int host = 0; host < o->hosts; host++) {
		struct irq_line *l = &lines[host];

		l->fd = -1;
		pthread_mutex_init(&l->lock, NULL);
		if (snprintf(l->path, sizeof(l->path), "%s/h%d.irq", o->folder, host) >=
		    (int)sizeof(l->path))
			return fail_with(-ENAMETOOLONG, o->folder);
	}
	return 0;
}

static void
remove_sockets(void)
{
	for (unsigned int i = 0; i < n_fns; i++)
		unlink(fns[i].path);
}

/* Functions serve until the process ends; only the names of the sockets have to be removed. */
static void *
end_on_signal(void *set)
{
	int sig;

	sigwait(set, &sig);
	remove_sockets();
	_exit(128 + sig);
}

static int
start_device(void)
{
	static sigset_t set;
	pthread_t thread;
	int ret;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	ret = pthread_create(&thread, NULL, end_on_signal, &set);
	for (unsigned int i = 0; i < n_fns && ret == 0; i++) {
		ret = pthread_create(&fns[i].thread, NULL, fn_serve, &fns[i]);
		if (ret == 0 && fns[i].intel != NULL)
			ret = pthread_create(&fns[i].irq_thread, NULL, irq_serve, &fns[i]);
	}
	return ret == 0 ? 0 : fail_with(-ret, "no thread");
}

int
main(int argc, char **argv)
{
	struct options o;
	int ret;

	options_read(&o, argc, argv);
	ret = name_lines(&o);
	for (int cable = 0; cable < o.cables && ret == 0; cable++)
		ret = add_cable(&o, cable);
	if (ret == 0)
		ret = start_device();
	if (ret == 0) {
		printf("ready\n");
		fflush(stdout);
		control(cables, o.cables);
	}
	remove_sockets();
	/* not exit(): threads still use what its handlers would free */
	fflush(NULL);
	_exit(ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
