/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The rules of doc/hardware.md, section 1. */

#include <stdarg.h>
#include <stdio.h>

#include "check.h"
#include "place.h"
#include "window.h"

struct verdict {
	FILE *out;
	bool faults_only;
	unsigned int faults;
};

__attribute__((format(printf, 2, 3))) static void
fault_found(struct verdict *v, const char *fmt, ...)
{
	va_list ap;

	v->faults++;
	fputs("fault: ", v->out);
	va_start(ap, fmt);
	vfprintf(v->out, fmt, ap);
	va_end(ap);
	fputc('\n', v->out);
}

__attribute__((format(printf, 2, 3))) static void
take_note(struct verdict *v, const char *fmt, ...)
{
	va_list ap;

	if (v->faults_only)
		return;
	fputs("note: ", v->out);
	va_start(ap, fmt);
	vfprintf(v->out, fmt, ap);
	va_end(ap);
	fputc('\n', v->out);
}

static void
check_nt_port(struct verdict *v, const struct part *part, uint32_t config, unsigned int nt)
{
	unsigned int port = NT_CONFIG_PORT(config, nt);

	if (port == NT_CONFIG_UPSTREAM(config))
		fault_found(v, "NT%u is port %u, which is the upstream port: choose another", nt,
			    port);
	if (nt == 1 && NT_CONFIG_ON(config, 0) && port == NT_CONFIG_PORT(config, 0))
		fault_found(v, "NT0 and NT1 are both port %u: choose two", port);
	if (part == NULL)
		return;
	if (nt >= part->nts)
		fault_found(v, "NT%u is on, but a PEX %04x has %u NT port%s", nt, part->number,
			    part->nts, part->nts == 1 ? "" : "s");
	else if ((part->ports >> port & 1) == 0)
		fault_found(v, "NT%u is port %u, which a PEX %04x does not have", nt, port,
			    part->number);
}

static void
check_config(struct verdict *v, const struct part *part, uint32_t config)
{
	unsigned int nt;

	if (!NT_CONFIG_ON(config, 0) && !NT_CONFIG_ON(config, 1))
		fault_found(v, "no NT port is on: set one by nt0=PORT of make");
	if (part != NULL && (part->ports >> NT_CONFIG_UPSTREAM(config) & 1) == 0)
		fault_found(v, "the upstream port is %u, which a PEX %04x does not have",
			    NT_CONFIG_UPSTREAM(config), part->number);
	for (nt = 0; nt < 2; nt++) {
		if (!NT_CONFIG_ON(config, nt))
			continue;
		check_nt_port(v, part, config, nt);
		if (part != NULL && !part->newer) {
			if (NT_CONFIG_ALUT(config, nt))
				fault_found(v, "the A-LUT of NT%u is on, but a PEX %04x has none",
					    nt, part->number);
		} else if (!NT_CONFIG_ALUT(config, nt)) {
			take_note(v,
				  "the A-LUT of NT%u is off: memory must be aligned to the "
				  "whole window",
				  nt);
		}
	}
	if (NT_CONFIG_ON(config, 0) != NT_CONFIG_ON(config, 1))
		take_note(v, "one NT port: enough for two hosts, not for a ring of more");
}

static void
check_bar0(struct verdict *v, const struct image *image, unsigned int nt)
{
	const struct record *r =
		image_find(image, RECORD_ADDRESS(PLACE_NT_VIRTUAL(nt), REG_BAR0_SETUP));

	if (r == NULL)
		take_note(v, "NT%u: no record for BAR0 (0xe4): the chip's default applies", nt);
	else if ((r->value & 2) == 0)
		fault_found(v,
			    "NT%u: BAR0 is off (0xe4 is 0x%08x): 2 or 3 is needed, for the "
			    "registers",
			    nt, r->value);
	else if (r->value & BAR_PREFETCH)
		fault_found(v,
			    "NT%u: BAR0, the registers, is prefetchable (0xe4 is 0x%08x): 2 or "
			    "3 is needed",
			    nt, r->value);
}

static void
check_data_window(struct verdict *v, const struct window *w, unsigned int nt, bool shared)
{
	uint64_t least = shared ? 2 * BAR_MIN : BAR_MIN;

	if (!w->on) {
		fault_found(v, "NT%u: BAR2, the data window, is off (0xe8, 0xec)", nt);
		return;
	}
	if (!w->wide)
		fault_found(v, "NT%u: BAR2 is a BAR of 32 bits: bit 2 of 0xe8 is needed", nt);
	if (!w->prefetch)
		fault_found(v,
			    "NT%u: BAR2 is not prefetchable: bit 3 of 0xe8 is needed, or each "
			    "store becomes a packet of its own",
			    nt);
	if (!w->solid)
		fault_found(v,
			    "NT%u: the size mask of BAR2 is not contiguous: 0xe8 and 0xec "
			    "do not match",
			    nt);
	else if (w->size < least)
		fault_found(v, "NT%u: BAR2 has 1 MiB; without BAR4 it needs 2 or more", nt);
	else if (w->size > 1ull << 40)
		fault_found(v, "NT%u: BAR2 is larger than 1 TiB, which no host gives an address",
			    nt);
}

static void
check_peer_window(struct verdict *v, const struct window *w, unsigned int nt)
{
	if (!w->on) {
		take_note(v,
			  "NT%u: BAR4 is off: the lower half of BAR2 reaches the peer's "
			  "registers; both ends of the cable need that setting",
			  nt);
		return;
	}
	if (!w->wide)
		fault_found(v, "NT%u: BAR4 is a BAR of 32 bits: bit 2 of 0xf0 is needed", nt);
	if (w->prefetch)
		fault_found(v,
			    "NT%u: BAR4, the peer's registers, is prefetchable: bit 3 of 0xf0 "
			    "must be 0",
			    nt);
	if (!w->solid)
		fault_found(v,
			    "NT%u: the size mask of BAR4 is not contiguous: 0xf0 and 0xf4 "
			    "do not match",
			    nt);
}

static void
check_bars(struct verdict *v, const struct image *image, unsigned int nt)
{
	struct window data = window_of(image, nt, 2), regs = window_of(image, nt, 4);

	check_bar0(v, image, nt);
	if (data.known)
		check_data_window(v, &data, nt, !regs.on);
	else
		fault_found(v, "NT%u: no record for BAR2, the data window (0xe8, 0xec)", nt);
	check_peer_window(v, &regs, nt);
}

static void
check_records(struct verdict *v, const struct image *image, const struct part *part)
{
	size_t i;

	for (i = 0; i < image->n; i++) {
		uint16_t address = image->record[i].address;
		unsigned int place = RECORD_PLACE(address);
		char name[PLACE_NAME];

		place_name(place, name);
		if (image_find(image, address) != &image->record[i])
			take_note(v,
				  "record %zu: %s, 0x%03x is set again by a later record, which "
				  "applies",
				  i, name, RECORD_REG(address));
		if (part != NULL && place < PLACE_PORTS && (part->ports >> place & 1) == 0)
			take_note(v, "record %zu: a PEX %04x has no %s", i, part->number, name);
		if (place >= PLACE_END || (place >= PLACE_PORTS && place < PLACE_ALUT))
			take_note(v, "record %zu: %s is unknown", i, name);
	}
}

unsigned int
image_check(const struct image *image, const struct part *part, FILE *out, bool faults_only)
{
	const struct record *config = image_find(image, RECORD_ADDRESS(0, REG_NT_CONFIG));
	struct verdict v = {out, faults_only, 0};
	unsigned int nt;

	if ((image->flags & IMAGE_FLAG_CRC) == 0)
		take_note(&v, "the checksum is off: the chip loads a damaged image as well");
	else if (part != NULL && !part->newer)
		take_note(&v, "the checksum is on, which a PEX %04x does not check", part->number);
	if (config == NULL)
		fault_found(&v, "no record of port 0, 0x360: the straps of the board decide "
				"which NT ports are on");
	else
		check_config(&v, part, config->value);
	for (nt = 0; nt < 2; nt++) {
		if (config != NULL && NT_CONFIG_ON(config->value, nt))
			check_bars(&v, image, nt);
	}
	check_records(&v, image, part);
	return v.faults;
}
