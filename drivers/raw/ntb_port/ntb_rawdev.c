/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "ntb_rawdev.h"

#include <errno.h>

#include <bus_vdev_driver.h>
#include <rte_log.h>
#include <rte_rawdev_pmd.h>
#include <rte_string_fns.h>

RTE_LOG_REGISTER(ntb_rawdev_logtype, pmd.raw.ntb_rawdev, NOTICE);
#define LOG_ERR(name, fmt, ...) \
	rte_log(RTE_LOG_ERR, ntb_rawdev_logtype, "NTB_PORT: %s: " fmt "\n", name, ##__VA_ARGS__)

static int
dev_info_get(struct rte_rawdev *rawdev, rte_rawdev_obj_t obj, size_t size)
{
	struct ntb_rawdev *r = rawdev->dev_private;
	struct ntb_port_info *info = obj;

	if (r->state == NTB_RAWDEV_CLOSED)
		return -ENODEV;
	if (size != sizeof(*info)) {
		LOG_ERR(r->name, "info_get: %zu bytes are no struct ntb_port_info (%zu)", size,
			sizeof(*info));
		return -EINVAL;
	}
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

	if (r->state == NTB_RAWDEV_CLOSED)
		return -ENODEV;
	if (obj == NULL || size != sizeof(*conf) || conf->va == NULL || conf->len == 0) {
		LOG_ERR(r->name,
			"configure: %zu bytes are no struct ntb_port_config (%zu) with a region",
			size, sizeof(*conf));
		return -EINVAL;
	}
	ret = r->ops->configure(r, conf);
	if (ret == 0)
		r->state = NTB_RAWDEV_CONFIGURED;
	return ret;
}

static int
dev_start(struct rte_rawdev *rawdev)
{
	struct ntb_rawdev *r = rawdev->dev_private;
	int ret;

	if (r->state == NTB_RAWDEV_CLOSED) {
		LOG_ERR(r->name, "start: the device is closed");
		return -ENODEV;
	}
	if (r->state != NTB_RAWDEV_CONFIGURED) {
		LOG_ERR(r->name, "start: configure an inbound region first");
		return -EINVAL;
	}
	ret = r->ops->start(r);
	if (ret == 0)
		r->state = NTB_RAWDEV_STARTED;
	return ret;
}

static void
dev_stop(struct rte_rawdev *rawdev)
{
	struct ntb_rawdev *r = rawdev->dev_private;

	if (r->state != NTB_RAWDEV_STARTED)
		return;
	r->ops->stop(r);
	r->state = NTB_RAWDEV_CONFIGURED;
}

static int
dev_close(struct rte_rawdev *rawdev)
{
	struct ntb_rawdev *r = rawdev->dev_private;

	dev_stop(rawdev);
	r->state = NTB_RAWDEV_CLOSED;
	return 0;
}

static int
dev_dump(struct rte_rawdev *rawdev, FILE *f)
{
	struct ntb_rawdev *r = rawdev->dev_private;

	if (r->state == NTB_RAWDEV_CLOSED)
		return -ENODEV;
	r->ops->dump(r, f);
	return 0;
}

static const struct rte_rawdev_ops rawdev_ops = {
	.dev_info_get = dev_info_get,
	.dev_configure = dev_configure,
	.dev_start = dev_start,
	.dev_stop = dev_stop,
	.dev_close = dev_close,
	.dump = dev_dump,
};

struct ntb_rawdev *
ntb_rawdev_create(struct rte_vdev_device *vdev, const char *name, size_t size,
		  const struct ntb_rawdev_ops *ops)
{
	struct rte_rawdev *rawdev = rte_rawdev_pmd_allocate(name, size, 0);
	struct ntb_rawdev *r;

	if (rawdev == NULL) {
		LOG_ERR(name, "no room for one more rawdev");
		return NULL;
	}
	rawdev->device = &vdev->device;
	rawdev->driver_name = ops->driver;
	rawdev->dev_ops = &rawdev_ops;
	r = rawdev->dev_private;
	strlcpy(r->name, name, sizeof(r->name));
	r->port.dev_id = rawdev->dev_id;
	r->ops = ops;
	r->state = NTB_RAWDEV_PROBED;
	return r;
}

struct ntb_rawdev *
ntb_rawdev_find(const char *name)
{
	struct rte_rawdev *rawdev = rte_rawdev_pmd_get_named_dev(name);

	return rawdev == NULL ? NULL : rawdev->dev_private;
}

void
ntb_rawdev_destroy(struct ntb_rawdev *r)
{
	struct rte_rawdev *rawdev = rte_rawdev_pmd_get_named_dev(r->name);

	if (rawdev->started) /* a program may end without */
		rte_rawdev_stop(rawdev->dev_id);
	rte_rawdev_pmd_release(rawdev);
}

int
ntb_rawdev_text(const char *key, const char *value, void *ret_text)
{
	(void)key;
	*(const char **)ret_text = value;
	return 0;
}
