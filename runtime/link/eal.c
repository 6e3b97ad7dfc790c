/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/eal.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include <rte_eal.h>
#include <rte_lcore.h>
#include <rte_rawdev.h>

#include "base/error.h"
#include "base/limit.h"
#include "base/rules.h"
#include "base/state.h"
#include "link/eal_init.h"
#include "mem/layout.h"

#define HEX "0123456789abcdefABCDEF"

static bool
has_option(const wordexp_t *w, const char *opt)
{
	size_t i;

	for (i = 0; i < w->we_wordc; i++)
		if (strncmp(w->we_wordv[i], opt, strlen(opt)) == 0)
			return true;
	return false;
}

/* True with emulated ports, and on a ring of one host, where only telemetry needs an EAL. */
static bool
no_adapter(void)
{
	return rb_emulated() || rb.hosts == 1;
}

/* ---- RINGBELL_CABLES ---- */

/* The arguments that one cable is short for. A port opens a packet socket itself, since it asks the
 * kernel for the MTU. The ethdev of an adapter has its address as a name. */
static void
add_network_cable(FILE *out, const char *cable, unsigned int n)
{
	static const char packets[] = "net_af_packet,", port[] = "raw_ntb_";
	int name = (int)strcspn(cable, ",");

	if (cable[strspn(cable, HEX)] == ':')
		fprintf(out, " -a %.*s --vdev=raw_ntb_ether%u,port=%s", name, cable, n, cable);
	else if (strncmp(cable, port, strlen(port)) == 0)
		fprintf(out, " --vdev=%s", cable);
	else if (strncmp(cable, packets, strlen(packets)) == 0)
		fprintf(out, " --vdev=raw_ntb_ether%u%s", n, cable + name);
	else
		fprintf(out, " --vdev=%s --vdev=raw_ntb_ether%u,port=%.*s", cable, n, name, cable);
}

/* A host's only cable, where a ring has two, leads to a switch, and so to all other hosts, as
 * memory does that they share, but where it says otherwise. */
static bool
leads_to_all(const char *cable)
{
	bool shared = strncmp(cable, "raw_ntb_shared", strlen("raw_ntb_shared")) == 0;

	return (shared || rb.hosts > 2) && strcmp(cable, rb.env.cables) == 0 &&
	       strstr(cable, ",host") == NULL && !rb_env_names_device(&rb.env);
}

/* Writes the user's arguments, those of cables first. */
static int
write_user_args(FILE *out)
{
	const char *at = no_adapter() ? "" : rb.env.cables;
	char cable[128];
	unsigned int n;
	size_t len;

	for (n = 0; *at != '\0'; n++, at += len, at += *at == '+') {
		len = strspn(at, HEX "ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ:.,=_-/@");
		if (len == 0 || len >= sizeof(cable) || (at[len] != '\0' && at[len] != '+'))
			return rb_fail(-EINVAL,
				       "RINGBELL_CABLES: want CABLE+CABLE..., each as "
				       "net_af_packet,iface=eth1 or 0000:05:00.0, not \"%s\"",
				       at);
		snprintf(cable, sizeof(cable), "%.*s", (int)len, at);
		add_network_cable(out, cable, n);
		if (leads_to_all(cable))
			fprintf(out, ",host=%d,hosts=%d", rb.host, rb.hosts);
	}
	fprintf(out, " %s", rb.env.eal);
	return 0;
}

/* ---- the arguments ---- */

/* Ports of no adapter: the region is theirs, and the EAL needs no more than for emulated ones. */
static bool
brings_memory(const wordexp_t *user)
{
	return (has_option(user, "--vdev=raw_ntb_shared") ||
		has_option(user, "--vdev=raw_ntb_ether")) &&
	       !has_option(user, "-a") && !has_option(user, "--allow");
}

static bool
is_small(const wordexp_t *user)
{
	return no_adapter() || brings_memory(user);
}

static void
add_cables(FILE *out)
{
	uint64_t bar = 1024 * 1024;
	unsigned int i, n = 0;

	while (bar < rb_mem.lay.shown)
		bar *= 2;
	for (i = 0; i < rb.ports; i++) {
		if (rb.env.cable[i].file.fd < 0)
			continue;
		fprintf(out, " '--vdev=raw_ntb_plx_emu%u,cable=/proc/self/fd/%d", n++,
			rb.env.cable[i].file.fd);
		if (rb.env.one_chip) /* NT0 has the cable of port 0, NT1 that of 1 */
			fprintf(out, ",hosts=%d,host=%d,nt=%d", rb.hosts, rb.host,
				i == RB_PORT_NEXT);
		else
			fprintf(out, ",end=%d", rb.env.cable[i].end);
		if (rb.env.bar2 == 0)
			fprintf(out, ",bar2=%lluM", (unsigned long long)bar >> 20);
		fprintf(out, "%s%s'", rb.env.emu[0] != '\0' ? "," : "", rb.env.emu);
	}
}

/* Service lcores float over the CPUs that this process may use, or over those that oshrun keeps for
 * them, unless the user places the lcores. Pinned lcores of all emulated hosts would share the same
 * two CPUs. */
static int
add_lcores(FILE *out)
{
	char list[CPU_SETSIZE * 4] = "";
	cpu_set_t set;
	size_t at = 0;
	int i;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return rb_fail(-errno, "cannot read the CPU affinity: %s", strerror(errno));
	for (i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%d", at ? "," : "",
					       i);
	if (rb.env.service_cpus[0] != '\0')
		fprintf(out, " '--lcores=0@(%s),(1-%u)@(%.512s)'", list, rb.lcores,
			rb.env.service_cpus);
	else
		fprintf(out, " '--lcores=(0-%u)@(%s)'", rb.lcores, list);
	return 0;
}

/* The region of a real port is contiguous in bus addresses. By default the EAL takes pages one by
 * one, in the order of the kernel's list, which is usually descending. Only its older mode, which
 * takes all pages at the start, sorts them. */
static bool
wants_sorted_pages(const wordexp_t *user)
{
	static const char *const other[] = {"--legacy-mem", "--in-memory", "--no-huge",
					    "--match-allocations", "--single-file-segments"};
	size_t i;

	for (i = 0; i < RTE_DIM(other); i++)
		if (has_option(user, other[i]))
			return false;
	return true;
}

/* Without telemetry the EAL of an emulated host shares nothing, and has no folder. */
static bool
shares_files(const wordexp_t *user)
{
	return !is_small(user) || rb.env.telemetry || has_option(user, "--telemetry");
}

/* The prefix must be unique on this machine, or a client would use another host's socket. */
static void
file_prefix(char *s, size_t len)
{
	if (rb.env.job == 0)
		snprintf(s, len, "ringbell-%d", (int)getpid());
	else
		/* only the first digits: the hello sets some bits of the others */
		snprintf(s, len, "ringbell-%07llx-%d", (unsigned long long)rb.env.job >> 36,
			 rb.host);
}

/* Newer DPDK takes an argument once only, and the user may give the same one. */
static void
add_flag(FILE *out, const wordexp_t *user, const char *flag)
{
	if (!has_option(user, flag))
		fprintf(out, " %s", flag);
}

static void
add_name(FILE *out, const wordexp_t *user)
{
	char name[48] = ".";

	if (rb.env.telemetry)
		file_prefix(name, sizeof(name));
	else if (has_option(user, "--telemetry"))
		snprintf(name, sizeof(name), "ringbell-%d", (int)getpid());
	else
		add_flag(out, user, "--no-telemetry");
	if ((is_small(user) || rb.env.telemetry) && !has_option(user, "--file-prefix"))
		fprintf(out, " --file-prefix=%s", name);
}

/* A device that is not a function on a bus is created here, unless the user's arguments create it.
 */
static void
add_dma(FILE *out, const wordexp_t *user)
{
	static const char plx[] = "dma_plx_emu";
	int ports = rb_env_cables(&rb.env);
	const char *at = rb.env.dma;
	char s[80];

	for (; *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
		int len = (int)strcspn(at, ",");

		snprintf(s, sizeof(s), "--vdev=%.*s", len < 64 ? len : 64, at);
		if (len == 0 || memchr(at, ':', (size_t)len) != NULL || has_option(user, s))
			continue;
		fprintf(out, " '%s", s);
		/* the chip's own engine belongs to a port: assign engines to ports by their numbers
		 * in turn */
		if (ports > 0 && strncmp(at, plx, sizeof(plx) - 1) == 0)
			fprintf(out, ",ntb=raw_ntb_plx_emu%ld",
				strtol(at + sizeof(plx) - 1, NULL, 10) % ports);
		fputc('\'', out);
	}
}

/* Without an adapter DPDK needs no more than a heap. */
static void
add_small(FILE *out, const wordexp_t *user)
{
	add_flag(out, user, "--no-huge");
	add_flag(out, user, "--no-shconf");
	add_flag(out, user, "--no-pci");
	if (!has_option(user, "-m"))
		fprintf(out, " -m 64");
}

/* The arguments in front of the user's. */
static int
write_args(FILE *out, const wordexp_t *user)
{
	fprintf(out, "ringbell");
	if (is_small(user))
		add_small(out, user);
	else if (wants_sorted_pages(user))
		fprintf(out, " --legacy-mem");
	add_name(out, user);
	if (no_adapter())
		add_cables(out);
	add_dma(out, user);
	if (has_option(user, "-l") || has_option(user, "--lcores") || has_option(user, "-c"))
		return 0;
	return add_lcores(out);
}

/* Fills @p all with the words of all arguments. */
static int
compose_args(wordexp_t *all, const wordexp_t *user)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int ret, bad;

	if (out == NULL)
		return rb_fail(-ENOMEM, "no memory for the EAL arguments");
	ret = write_args(out, user);
	bad = ferror(out);
	if ((fclose(out) != 0 || bad || text == NULL) && ret == 0) /* text lacks words then */
		ret = rb_fail(-ENOMEM, "no memory for the EAL arguments");
	if (ret == 0 && wordexp(text, all, WRDE_NOCMD | WRDE_UNDEF) != 0)
		ret = rb_fail(-EINVAL,
			      "RINGBELL_EMU, RINGBELL_DMA: not the words of an EAL argument, or no "
			      "memory for them");
	free(text);
	return ret;
}

/* Position of a device in the user's arguments; after all of them if it is not named. Ports of one
 * device have its name and then a dash. */
static size_t
rank_of(const wordexp_t *user, const char *location)
{
	char device[sizeof(((struct ntb_port_info *)0)->location)];
	size_t i;

	snprintf(device, sizeof(device), "%.*s", (int)strcspn(location, "-"), location);
	for (i = 0; i < user->we_wordc; i++)
		if (strstr(user->we_wordv[i], device) != NULL)
			break;
	return i;
}

/* The ports in the order of the arguments. The PCI bus does not keep this order. */
static unsigned int
list_ports(const wordexp_t *user, struct ntb_port *found[RB_MAX_PORTS])
{
	size_t ranks[RB_MAX_PORTS], rank;
	unsigned int most = rb_emulated() ? rb.ports : RB_MAX_PORTS, n = 0, i, at;

	for (i = 0; i < rte_rawdev_count() && n < most; i++) {
		struct ntb_port_info info;

		if (ntb_port_get((uint16_t)i, &info) != 0)
			continue;
		rank = rank_of(user, info.location);
		for (at = n++; at > 0 && ranks[at - 1] > rank; at--) {
			ranks[at] = ranks[at - 1];
			found[at] = found[at - 1];
		}
		ranks[at] = rank;
		found[at] = info.port;
	}
	return n;
}

/* Do the user's arguments create NT ports? */
static bool
creates_ports(const wordexp_t *user)
{
	size_t i;

	for (i = 0; i < user->we_wordc; i++)
		if (strstr(user->we_wordv[i], "raw_ntb") != NULL)
			return true;
	return false;
}

/* Emulated ports are those that have cables. Where host 0 has one port, it is that to host 1 on a
 * chain. */
static void
use_ports(struct ntb_port *const found[RB_MAX_PORTS], unsigned int n)
{
	unsigned int port, next = 0;

	for (port = 0; port < rb.ports && next < n; port++) {
		if (rb_env_cables(&rb.env) > 0 && rb.env.cable[port].file.fd < 0)
			continue;
		if (rb_env_cables(&rb.env) == 0 && n == 1 && rb.host == 0)
			port = RB_PORT_NEXT;
		rb.link[port].port = found[next++];
	}
}

static int
find_ports(const wordexp_t *user)
{
	struct ntb_port *found[RB_MAX_PORTS];
	unsigned int n = list_ports(user, found), want;
	int cables = rb_env_cables(&rb.env);

	want = cables > 0 ? (unsigned int)cables : 1;
	if (n < want && cables == 0 && !creates_ports(user))
		return rb_fail(
			-ENODEV,
			"%u of %u NT ports found: bind them with dpdk-devbind.py and allow them "
			"with -a in the EAL arguments, or name network cables by --cable",
			n, want);
	if (n < want && (creates_ports(user) || rb.env.emu[0] != '\0'))
		return rb_fail(-ENODEV, "%u of %u NT ports came up, see those of %s: %s%s", n, want,
			       rb.env.cables[0] != '\0' ? "RINGBELL_CABLES"
			       : creates_ports(user)	? "RINGBELL_EAL"
							: "RINGBELL_EMU",
			       rb_eal_reason(), rb_limit_words());
	if (n < want)
		return rb_fail(-ENODEV,
			       "%u of %u emulated NT ports came up (%s): lower "
			       "SHMEM_SYMMETRIC_SIZE%s",
			       n, want, rb_eal_reason(), rb_limit_words());
	rb.ports = RTE_MAX(rb.ports, n);
	use_ports(found, n);
	return 0;
}

static int
start_eal(const wordexp_t *user)
{
	wordexp_t all = {0};
	char **argv;
	size_t argc;
	int ret;

	if (has_option(user, "-h") || has_option(user, "--help"))
		return rb_fail(-EINVAL, "RINGBELL_EAL: --help would end the program: DPDK's manual "
					"lists the arguments");
	ret = compose_args(&all, user);
	if (ret < 0)
		return ret;
	argc = all.we_wordc + user->we_wordc;
	argv = calloc(argc + 1, sizeof(*argv)); /* the EAL permutes and overwrites it */
	if (argv == NULL)
		return rb_fail(-ENOMEM, "no memory for the EAL arguments");
	memcpy(argv, all.we_wordv, all.we_wordc * sizeof(*argv));
	memcpy(argv + all.we_wordc, user->we_wordv, user->we_wordc * sizeof(*argv));
	ret = rb_eal_init((int)argc, argv, shares_files(user));
	free(argv);
	wordfree(&all);
	return ret;
}

static int
start_with(const char *user_text)
{
	wordexp_t user;
	int ret;

	if (wordexp(user_text, &user, WRDE_NOCMD | WRDE_UNDEF) != 0)
		return rb_fail(-EINVAL,
			       "RINGBELL_EAL=%s is not a list of arguments: check its quotes",
			       rb.env.eal);
	ret = start_eal(&user);
	if (ret == 0 && rb.hosts > 1) {
		ret = find_ports(&user);
		if (ret < 0)
			rb_eal_stop();
	}
	wordfree(&user);
	return ret;
}

int
rb_eal_start(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int ret = out == NULL ? -ENOMEM : write_user_args(out);

	if ((out != NULL && fclose(out) != 0) || ret == -ENOMEM)
		ret = rb_fail(-ENOMEM, "no memory for the EAL arguments");
	if (ret == 0)
		ret = start_with(text);
	free(text);
	return ret;
}

bool
rb_eal_whole(void)
{
	return rb_eal_init_whole();
}

/* It would close numbers that are other files by now. */
void
rb_eal_stop(void)
{
	if (rb_eal_whole())
		rte_eal_cleanup();
}
