/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The command line of ringbell-device. */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

static const char usage[] =
	"Usage: ringbell-device [OPTION]... FOLDER\n"
	"\n"
	"The adapters of a ring of virtual machines, for QEMU's x-pci-proxy-dev. FOLDER gets a\n"
	"socket for each PCI function: hK.left and hK.right are the NT functions of host K,\n"
	"hK.left.dma0 a DMA channel beside one. Cable C joins the right adapter of host C to\n"
	"the left one of the next host. The program prints \"ready\" on standard output. Then it\n"
	"reads commands from standard input until its end: pull C, plug C, retrain C, stats C,\n"
	"intx FUNCTION PART PIN, quit.\n"
	"\n"
	"Interrupts of Intel's NTBs go by QEMU's option -qtest "
	"unix:FOLDER/hK.irq,server=on,wait=off:\n"
	"MSI and MSI-X as writes to memory, INTx once a command says to which input of which part "
	"of\n"
	"the machine, as intx h0.right /machine/ioapic 12 does.\n"
	"\n"
	"  -H, --hosts N     hosts of the ring, 1 to 8 (2); the two adapters of one host are "
	"joined\n"
	"  -c, --cables N    only the first N cables (as many as hosts)\n"
	"  -n, --ntb LIST    family of each cable's adapters, plx, intel3 (Skylake) or intel4 "
	"(Ice\n"
	"                    Lake), joined by commas; the last is that of all others too (plx)\n"
	"  -d, --dma N       DMA channels of each PLX adapter, 0 to 4 (1)\n"
	"  -w, --window MIB  size of the data windows, a power of two (64)\n"
	"  -v, --verbose     each message on standard error\n"
	"  -h, --help        this text\n";

static const struct option long_options[] = {
	{"hosts", required_argument, NULL, 'H'},  {"cables", required_argument, NULL, 'c'},
	{"ntb", required_argument, NULL, 'n'},	  {"dma", required_argument, NULL, 'd'},
	{"window", required_argument, NULL, 'w'}, {"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, 'h'},	  {NULL, 0, NULL, 0},
};

static bool
parse_number(const char *text, long min, long max, int *ret)
{
	char *end;
	long v = strtol(text, &end, 10);

	if (end == text || *end != '\0' || v < min || v > max)
		return false;
	*ret = (int)v;
	return true;
}

/* What is not named is as the last one. */
static bool
parse_families(const char *list, uint8_t intel[DEVICE_HOSTS_MAX])
{
	static const struct {
		const char *name;
		uint8_t intel;
	} families[] = {{"plx", 0}, {"intel3", 3}, {"intel4", 4}};
	const size_t count = sizeof(families) / sizeof(families[0]);
	int cable = 0;

	for (const char *at = list;; at++) {
		size_t len = strcspn(at, ","), i = 0;

		while (i < count &&
		       (strlen(families[i].name) != len || strncmp(families[i].name, at, len) != 0))
			i++;
		if (i == count || cable == DEVICE_HOSTS_MAX)
			return false;
		memset(intel + cable, families[i].intel, DEVICE_HOSTS_MAX - (size_t)cable);
		cable++;
		at += len;
		if (*at == '\0')
			return true;
	}
}

static int
bad_value(const char *what, const char *value, const char *want)
{
	fprintf(stderr, "ringbell-device: %s '%s': %s\n", what, value, want);
	return 3;
}

int
options_read(struct options *o, int argc, char **argv)
{
	int c, mib = 64;

	*o = (struct options){.hosts = 2, .cables = -1, .channels = 1};
	while ((c = getopt_long(argc, argv, "H:c:n:d:w:vh", long_options, NULL)) >= 0) {
		switch (c) {
		case 'H':
			if (!parse_number(optarg, 1, DEVICE_HOSTS_MAX, &o->hosts))
				return bad_value("--hosts", optarg, "1 to 8 are possible");
			break;
		case 'c':
			if (!parse_number(optarg, 1, DEVICE_HOSTS_MAX, &o->cables))
				return bad_value("--cables", optarg, "1 to 8 are possible");
			break;
		case 'n':
			if (!parse_families(optarg, o->intel))
				return bad_value("--ntb", optarg,
						 "plx, intel3 or intel4 for each cable");
			break;
		case 'd':
			if (!parse_number(optarg, 0, PLXM_DMA_CHANNELS, &o->channels))
				return bad_value("--dma", optarg, "0 to 4 are possible");
			break;
		case 'w':
			if (!parse_number(optarg, 1, 1024, &mib) || (mib & (mib - 1)) != 0)
				return bad_value("--window", optarg,
						 "a power of two up to 1024 is needed");
			break;
		case 'v':
			o->verbose = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return 1;
		default:
			fputs("Try: ringbell-device --help\n", stderr);
			return 3;
		}
	}
	o->bar2 = (uint64_t)mib << 20;
	if (o->cables < 0)
		o->cables = o->hosts;
	if (o->cables > o->hosts)
		return bad_value("--cables", "", "a ring has as many cables as hosts");
	if (optind != argc - 1) {
		fputs("ringbell-device: one FOLDER for the sockets is needed\n", stderr);
		return 3;
	}
	o->folder = argv[optind];
	return 0;
}
