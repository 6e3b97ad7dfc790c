/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "ntb_rawdev.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <bus_vdev_driver.h>
#include <rte_kvargs.h>
#include <rte_rawdev_pmd.h>
#include <rte_string_fns.h>

#include "ntb_log.h"

RTE_LOG_REGISTER(ntb_logtype, pmd.raw.ntb, NOTICE);

static int
dev_info_get(struct rte_rawdev *rawdev, rte_rawdev_obj_t obj, size_t size)
{
	struct ntb_rawdev *r = rawdev->dev_private;
	struct ntb_port_info *info = obj;

	if (r->closed)
		return -ENODEV;
	if (size != sizeof(*info))
		return -EINVAL;
	info->port = &r->port;
	info->window_align = r->window_align;
	info->window_size = r->port.window_size;
	strlcpy(info->location, rawdev->name, sizeof(info->location));
	return 0;
}

static int
dev_configure(const struct rte_rawdev *rawdev, rte_rawdev_obj_t obj, size_t size)
{
	struct ntb_rawdev *r = rawdev->dev_private;
	const struct ntb_port_config *conf = obj;
	int ret;

	if (r->closed)
		return -ENODEV;
	if (obj == NULL || size != sizeof(*conf) || conf->va == NULL || conf->len == 0) {
		NTB_LOG(ERR, r->name, "configure: this is no struct ntb_port_config with a region");
		return -EINVAL;
	}
	ret = r->ops->configure(r, conf);
	if (ret == 0)
		r->configured = true;
	return ret;
}

/* Whether it is started the rawdev library knows, and keeps the other calls from it then. */
static int
dev_start(struct rte_rawdev *rawdev)
{
	struct ntb_rawdev *r = rawdev->dev_private;

	if (r->closed || !r->configured) {
		NTB_LOG(ERR, r->name, "start: %s",
			r->closed ? "the device is closed" : "configure an inbound region first");
		return r->closed ? -ENODEV : -EINVAL;
	}
	return r->ops->start(r);
}

static void
dev_stop(struct rte_rawdev *rawdev)
{
	struct ntb_rawdev *r = rawdev->dev_private;

	r->ops->stop(r);
}

static int
dev_close(struct rte_rawdev *rawdev)
{
	struct ntb_rawdev *r = rawdev->dev_private;

	if (!r->closed && r->ops->close != NULL)
		r->ops->close(r);
	r->port.provider = NULL; /* the handle is gone */
	r->closed = true;
	return 0;
}

static unsigned int
list_counters(struct ntb_rawdev *r, struct ntb_counter c[NTB_RAWDEV_COUNTERS])
{
	return r->closed || r->ops->counters == NULL ? 0 : r->ops->counters(r, c);
}

static int
dev_xstats_names(const struct rte_rawdev *rawdev, struct rte_rawdev_xstats_name *names,
		 unsigned int size)
{
	struct ntb_counter c[NTB_RAWDEV_COUNTERS];
	unsigned int n = list_counters(rawdev->dev_private, c), i;

	for (i = 0; names != NULL && size >= n && i < n; i++)
		strlcpy(names[i].name, c[i].name, sizeof(names[i].name));
	return (int)n;
}

static int
dev_xstats(const struct rte_rawdev *rawdev, const unsigned int ids[], uint64_t values[],
	   unsigned int n)
{
	struct ntb_rawdev *r = rawdev->dev_private;
	struct ntb_counter c[NTB_RAWDEV_COUNTERS];
	unsigned int have = list_counters(r, c), i;

	if (ids == NULL || values == NULL)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		if (ids[i] >= have)
			return -EINVAL;
		values[i] = c[ids[i]].value - r->base[ids[i]];
	}
	return (int)n;
}

static int
dev_xstats_reset(struct rte_rawdev *rawdev, const uint32_t ids[], uint32_t n)
{
	struct ntb_rawdev *r = rawdev->dev_private;
	struct ntb_counter c[NTB_RAWDEV_COUNTERS];
	unsigned int have = list_counters(r, c), i;

	for (i = 0; i < (ids == NULL ? have : n); i++) {
		unsigned int id = ids == NULL ? i : ids[i];

		if (id >= have)
			return -EINVAL;
		r->base[id] = c[id].value;
	}
	return 0;
}

static int
dev_dump(struct rte_rawdev *rawdev, FILE *f)
{
	struct ntb_rawdev *r = rawdev->dev_private;
	struct ntb_counter c[NTB_RAWDEV_COUNTERS];
	char why[256];
	unsigned int n, i;

	if (r->closed)
		return -ENODEV;
	fprintf(f, "%s: %s, %s\n", r->name, rawdev->device->name,
		rawdev->started ? "started"
		: r->configured ? "configured"
				: "probed");
	fprintf(f, "  window %p + 0x%" PRIx64 "\n", r->port.window, r->port.window_size);
	ntb_why_down(&r->port, why, sizeof(why));
	if (why[0] != '\0')
		fprintf(f, "  %s\n", why);
	if (r->ops->dump != NULL)
		r->ops->dump(r, f);
	n = list_counters(r, c);
	for (i = 0; i < n; i++)
		fprintf(f, "  %s %" PRIu64 "\n", c[i].name, c[i].value - r->base[i]);
	return 0;
}

const struct rte_rawdev_ops ntb_rawdev_calls = {
	.dev_info_get = dev_info_get,
	.dev_configure = dev_configure,
	.dev_start = dev_start,
	.dev_stop = dev_stop,
	.dev_close = dev_close,
	.dump = dev_dump,
	.xstats_get = dev_xstats,
	.xstats_get_names = dev_xstats_names,
	.xstats_reset = dev_xstats_reset,
};

struct ntb_rawdev *
ntb_rawdev_create(struct rte_device *device, const char *driver, const char *name, size_t size,
		  const struct ntb_rawdev_ops *ops)
{
	struct rte_rawdev *rawdev = rte_rawdev_pmd_allocate(name, size, device->numa_node);
	struct ntb_rawdev *r;

	if (rawdev == NULL)
		return NULL;
	rawdev->device = device;
	rawdev->driver_name = driver;
	rawdev->dev_ops = ops->calls;
	r = rawdev->dev_private;
	strlcpy(r->name, name, sizeof(r->name));
	r->port.dev_id = rawdev->dev_id;
	r->ops = ops;
	return r;
}

struct ntb_rawdev *
ntb_rawdev_of(const struct rte_device *device)
{
	for (unsigned int i = 0; i < RTE_RAWDEV_MAX_DEVS; i++)
		if (rte_rawdevs[i].attached == RTE_RAWDEV_ATTACHED &&
		    rte_rawdevs[i].device == device)
			return rte_rawdevs[i].dev_private;
	return NULL;
}

void
ntb_rawdev_destroy(struct ntb_rawdev *r)
{
	struct rte_rawdev *rawdev = rte_rawdev_pmd_get_named_dev(r->name);

	if (rawdev->started) /* a program may end without */
		rte_rawdev_stop(rawdev->dev_id);
	rte_rawdev_pmd_release(rawdev);
}

/* In turns the hosts before and after this one, the nearest first. So the first two ports lead to
 * the neighbours in a ring. Where all hosts use only the first 2, 4, 6 or 8, each port that a host
 * uses leads to a host that uses its port back. */
unsigned int
ntb_rawdev_beyond(unsigned int host, unsigned int hosts, unsigned int i)
{
	return (host + (i % 2 == 0 ? hosts - 1 - i / 2 : 1 + i / 2)) % hosts;
}

/* A machine that is busy gives a peer that is alive no CPU for seconds, now and then. */
uint64_t
ntb_rawdev_patience(uint64_t longest)
{
	const uint64_t least_ms = 1500, most_ms = 10000;

	return RTE_MIN(RTE_MAX(least_ms, 8 * longest), most_ms);
}

uint64_t
ntb_rawdev_align(struct ntb_port *port, uint64_t len)
{
	(void)len;
	return container_of(port, struct ntb_rawdev, port)->window_align;
}

/* ---- devargs ---- */

int
ntb_devarg_text(const struct ntb_devarg *d, const char *value)
{
	*(const char **)d->to = value;
	return value == NULL || value[0] == '\0' ? -EINVAL : 0;
}

int
ntb_devarg_number(const struct ntb_devarg *d, const char *value)
{
	unsigned long v;
	char *end;

	if (value == NULL && d->most == 1)
		value = "1";
	if (value == NULL || value[0] < '0' || value[0] > '9') /* no sign, no blank */
		return -EINVAL;
	v = strtoul(value, &end, 0);
	if (*end != '\0' || v < d->least || v > d->most)
		return -EINVAL;
	*(unsigned int *)d->to = (unsigned int)v;
	return 0;
}

static bool
take_pair(const struct rte_kvargs *kv, unsigned int pair, const struct ntb_devarg *list,
	  unsigned int n)
{
	const char *key = kv->pairs[pair].key;
	unsigned int i;

	for (i = 0; i < n && strcmp(list[i].key, key) != 0; i++)
		;
	return i < n && rte_kvargs_count(kv, key) == 1 &&
	       list[i].take(&list[i], kv->pairs[pair].value) == 0;
}

struct rte_kvargs *
ntb_devargs_parse(const char *text, const struct ntb_devarg *list, unsigned int n, const char *name,
		  const char *help)
{
	struct rte_kvargs *kv = rte_kvargs_parse(text == NULL ? "" : text, NULL);
	unsigned int i;

	for (i = 0; kv != NULL && i < kv->count; i++) {
		const char *value = kv->pairs[i].value;

		if (take_pair(kv, i, list, n))
			continue;
		NTB_LOG(ERR, name, "devarg %s=%s: want %s, each once at most", kv->pairs[i].key,
			value == NULL ? "" : value, help);
		rte_kvargs_free(kv);
		return NULL;
	}
	if (kv == NULL)
		NTB_LOG(ERR, name, "devargs \"%s\": want %s", text, help);
	return kv;
}
