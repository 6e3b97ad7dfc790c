/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The command line of ringbell-device. */

#include "cli.h"
#include "device.h"

#define AT(member) .at = offsetof(struct options, member)

static const char *const families[] = {"plx", "intel3", "intel4", NULL};

static const char *
read_reading(void *args, const char *words)
{
	return intm_reading(words, &((struct options *)args)->reading) < 0 ? "see intm.h" : NULL;
}

static const char *
read_window(void *args, const char *text)
{
	long mib;

	if (!cli_number(text, 1, 1024, false, &mib) || (mib & (mib - 1)) != 0)
		return "a power of two up to 1024 is needed";
	((struct options *)args)->bar2 = (uint64_t)mib << 20;
	return NULL;
}

static const struct cli_option options[] = {
	{"hosts", 'H', CLI_INT, "N", "2",
	 "hosts of the ring, 1 to 8; the two adapters of one host are joined", AT(hosts), 1,
	 DEVICE_HOSTS_MAX},
	{"cables", 'c', CLI_INT, "N", NULL, "only the first N cables (default: as many as hosts)",
	 AT(cables), 1, DEVICE_HOSTS_MAX},
	{"ntb", 'n', CLI_CHOICE, "FAMILY", "plx",
	 "of the adapters: plx, intel3 (Skylake) or intel4 (Ice Lake)", AT(family),
	 .words = families},
	{"reading", 'r', CLI_READ, "WORDS", "none",
	 "what Intel's registers mean where drivers disagree, words joined by +",
	 .read = read_reading},
	{"dma", 'd', CLI_INT, "N", "1", "DMA channels of each PLX adapter, 0 to 4", AT(channels), 0,
	 PLXM_DMA_CHANNELS},
	{"window", 'w', CLI_READ, "MIB", "64", "size of the data windows, a power of two",
	 .read = read_window},
	{0},
};

static const struct cli line = {
	.usage = "[OPTION]... FOLDER",
	.about = "The adapters of a ring of virtual machines, for QEMU's x-pci-proxy-dev. FOLDER "
		 "gets a\n"
		 "socket for each PCI function: hK.left and hK.right are the NT functions of host "
		 "K,\n"
		 "hK.left.dma0 a DMA channel beside one. Cable C joins the right adapter of host C "
		 "to\n"
		 "the left one of the next host. The program prints \"ready\" on standard output. "
		 "Then it\n"
		 "reads commands from standard input until its end: pull C, plug C, quit.\n"
		 "\n"
		 "Interrupts of Intel's NTBs, by MSI-X alone, are writes to memory, which go by "
		 "QEMU's "
		 "option\n"
		 "-qtest unix:FOLDER/hK.irq,server=on,wait=off.\n",
	.options = options,
};

void
options_read(struct options *o, int argc, char **argv)
{
	int first;

	*o = (struct options){.cables = -1};
	first = cli_read_or_exit(&line, o, argc, argv);
	o->intel = o->family == 0 ? 0 : o->family + 2;
	if (o->cables < 0)
		o->cables = o->hosts;
	if (o->cables > o->hosts)
		cli_fail(CLI_USAGE, "--cables %d: a ring has as many cables as hosts", o->cables);
	if (first != argc - 1)
		cli_fail(CLI_USAGE, "one FOLDER for the sockets is needed");
	o->folder = argv[first];
}
