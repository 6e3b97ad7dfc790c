/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The command line: a command, its options, and files, devices or settings. */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "say.h"

static const char usage[] =
	"Usage: ringbell-eeprom make -o FILE --chip PART [--base OLD] SETTING=VALUE...\n"
	"       ringbell-eeprom show FILE\n"
	"       ringbell-eeprom diff FILE FILE\n"
	"       ringbell-eeprom check [--chip PART] FILE\n"
	"       ringbell-eeprom read DEVICE -o FILE\n"
	"       ringbell-eeprom write DEVICE FILE --save OLD --write\n"
	"       ringbell-eeprom loaded DEVICE FILE\n"
	"\n"
	"Images for the EEPROM of adapters with a PEX 87xx: NT ports, windows, DMA.\n"
	"\n"
	"make    write a new image; --base takes all that is not named from an old one\n"
	"show    each record in words\n"
	"diff    what differs between two images, in words\n"
	"check   faults: settings that Ringbell needs and the image lacks\n"
	"read    save the image of an adapter\n"
	"write   save the image of an adapter, then write another; without --write, only\n"
	"        save it and print the difference\n"
	"loaded  do the registers of an adapter have the values of the image?\n"
	"\n"
	"Settings: upstream=PORT nt0=PORT|off nt1=PORT|off bar0=32|64 bar2=SIZE\n"
	"          bar4=SIZE|off alut=on|off dma=four|two|one crc=on|off\n"
	"DEVICE is the PCI address of the upstream port or of an NT port (0000:03:00.0).\n"
	"\n"
	"  -o, --output FILE      the new file; an existing one is not overwritten\n"
	"  -c, --chip PART        8749, 8733, 8725, 8717, 8713, 8748, 8747, 8732, 8724,\n"
	"                         8716 or 8712\n"
	"  -b, --base OLD         start from this image\n"
	"  -s, --save OLD         the adapter's image goes here before it is changed\n"
	"      --write            write the image into the adapter\n"
	"      --new-upstream     also write an image with another upstream port\n"
	"      --address-bytes N  1, 2 or 3: for an EEPROM without signature\n"
	"  -h, --help             this text\n"
	"      --version          the version\n"
	"\n"
	"Exit status: 0 done, 1 faults or a difference found, 2 failed.\n";

enum {
	OPT_WRITE = 256,
	OPT_NEW_UPSTREAM,
	OPT_ADDRESS_BYTES,
	OPT_VERSION,
};

static const struct option long_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"chip", required_argument, NULL, 'c'},
	{"base", required_argument, NULL, 'b'},
	{"save", required_argument, NULL, 's'},
	{"write", no_argument, NULL, OPT_WRITE},
	{"new-upstream", no_argument, NULL, OPT_NEW_UPSTREAM},
	{"address-bytes", required_argument, NULL, OPT_ADDRESS_BYTES},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

/* What each command takes. */
static const struct {
	const char *name, *options; /* short names of those that it knows besides help */
	int operands;		    /* -1: settings */
	const char *want;
} commands[] = {
	[COMMAND_MAKE] = {"make", "ocb", -1, "SETTING=VALUE"},
	[COMMAND_SHOW] = {"show", "", 1, "one FILE"},
	[COMMAND_DIFF] = {"diff", "", 2, "two FILEs"},
	[COMMAND_CHECK] = {"check", "c", 1, "one FILE"},
	[COMMAND_READ] = {"read", "oa", 1, "one DEVICE"},
	[COMMAND_WRITE] = {"write", "swua", 2, "a DEVICE and a FILE"},
	[COMMAND_LOADED] = {"loaded", "", 2, "a DEVICE and a FILE"},
};

/* The letter of an option in the table above. */
static char
option_letter(int c)
{
	return c == OPT_WRITE		? 'w'
	       : c == OPT_NEW_UPSTREAM	? 'u'
	       : c == OPT_ADDRESS_BYTES ? 'a'
					: (char)c;
}

static const char *
option_name(int c)
{
	int i;

	for (i = 0; long_options[i].name != NULL && long_options[i].val != c; i++)
		;
	return long_options[i].name;
}

static int
take_width(struct options *o, const char *text)
{
	if (strlen(text) != 1 || text[0] < '1' || text[0] > '3') {
		complain("--address-bytes %s: 1, 2 or 3", text);
		return -EINVAL;
	}
	o->address_bytes = (unsigned int)(text[0] - '0');
	return 0;
}

static int
take_option(struct options *o, int c)
{
	switch (c) {
	case 'o':
		o->output = optarg;
		return 0;
	case 'b':
		o->base = optarg;
		return 0;
	case 's':
		o->save = optarg;
		return 0;
	case 'c':
		o->part = part_parse(optarg);
		return o->part != NULL ? 0 : -EINVAL;
	case OPT_WRITE:
		o->write = true;
		return 0;
	case OPT_NEW_UPSTREAM:
		o->new_upstream = true;
		return 0;
	default:
		return take_width(o, optarg);
	}
}

static int
read_options(struct options *o, int argc, char **argv)
{
	int c, ret = 0;

	while (ret == 0 && (c = getopt_long(argc, argv, "o:c:b:s:h", long_options, NULL)) >= 0) {
		if (c == 'h') {
			fputs(usage, stdout);
			ret = 1;
		} else if (c == OPT_VERSION) {
			puts("ringbell-eeprom " RINGBELL_VERSION);
			ret = 1;
		} else if (c == '?') {
			ret = -EINVAL; /* getopt has said why */
		} else if (strchr(commands[o->command].options, option_letter(c)) == NULL) {
			complain("%s does not take --%s", commands[o->command].name,
				 option_name(c));
			ret = -EINVAL;
		} else {
			ret = take_option(o, c);
		}
	}
	return ret;
}

static int
read_operands(struct options *o, int n, char **words)
{
	int i, ret = 0;

	if (commands[o->command].operands < 0) {
		for (i = 0; i < n && ret == 0; i++)
			ret = settings_take(&o->settings, words[i]);
		return ret;
	}
	if (n != commands[o->command].operands) {
		complain("%s takes %s", commands[o->command].name, commands[o->command].want);
		return -EINVAL;
	}
	for (i = 0; i < n; i++)
		o->operand[i] = words[i];
	return 0;
}

static int
check_needs(const struct options *o)
{
	if ((o->command == COMMAND_MAKE || o->command == COMMAND_READ) && o->output == NULL)
		complain("%s needs --output FILE", commands[o->command].name);
	else if (o->command == COMMAND_MAKE && o->part == NULL)
		complain("make needs --chip PART: which chip is on the adapter?");
	else if (o->command == COMMAND_WRITE && o->save == NULL)
		complain("write needs --save OLD: the adapter's image is saved before anything");
	else
		return 0;
	return -EINVAL;
}

int
options_read(struct options *o, int argc, char **argv)
{
	size_t i;
	int ret;

	*o = (struct options){.command = COMMAND_MAKE};
	if (argc < 2 || argv[1][0] == '-') {
		ret = read_options(o, argc, argv);
		if (ret == 0) {
			complain("the command is missing: make, show, diff, check, read, write or "
				 "loaded; --help explains them");
			ret = -EINVAL;
		}
		return ret;
	}
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(argv[1], commands[i].name) == 0)
			break;
	}
	if (i == sizeof(commands) / sizeof(commands[0])) {
		complain("%s: unknown command; commands are make, show, diff, check, read, write "
			 "and loaded",
			 argv[1]);
		return -EINVAL;
	}
	o->command = (enum command)i;
	argv[1] = argv[0]; /* the name in getopt's lines */
	ret = read_options(o, argc - 1, argv + 1);
	if (ret == 0)
		ret = read_operands(o, argc - 1 - optind, argv + 1 + optind);
	return ret == 0 ? check_needs(o) : ret;
}
