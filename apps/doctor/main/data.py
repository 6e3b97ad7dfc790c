# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The report as data: what --json writes."""
import time

import findings


def link_data(link):
    return {"speed": link.speed, "width": link.width, "most_speed": link.most_speed,
            "most_width": link.most_width}


def port_data(m, port):
    chip = m.chips[port.address]
    return {
        "address": port.address,
        "id": f"{port.vendor:04x}:{port.device:04x}",
        "nt": port.nt,
        "driver": port.driver,
        "iommu_group": port.group,
        "numa_node": port.node,
        "path": [f.address for f in m.path(port)],
        "link": link_data(port.link),
        "bars": [{"bar": number, "size": bar.size, "wide": bar.wide,
                  "prefetchable": bar.prefetchable} for number, bar in enumerate(port.bars)
                 if bar.size],
        "combining": port.combining,
        "payload": port.config.payload(),
        "read_request": port.config.read_request(),
        "errors": port.errors,
        "registers": None if chip is None else
        {"nt_config": f"{chip.config.value:#010x}",
         "setup": {name: f"{value:#010x}" for name, value in chip.setup.items()}},
    }


def adapter_data(m, address, own):
    up, above = m.functions[address], m.slot(own[0])
    return {"address": address, "part": f"{own[0].chip_id:04x}" if own[0].chip_id else None,
            "below": above.address if above else None, "link": link_data(up.link),
            "ports": [port_data(m, port) for port in own]}


def report(m, met, found):
    """met: what ringbell-port order found, or None."""
    return {
        "host": m.host,
        "time": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "kernel": m.kernel,
        "adapters": [adapter_data(m, address, own) for address, own in m.adapters().items()],
        "cables": [{"cable": cable.text, "state": cable.state()} for cable in m.cables],
        "jobs": [{"job": job.name, "hosts": job.hosts, "wiring": job.wiring} for job in m.jobs],
        "peer": met,
        "findings": [finding._asdict() for finding in found],
        "errors": findings.count(found, findings.ERROR),
    }
