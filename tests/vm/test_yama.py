#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A job on emulated hosts in a guest whose kernel has Yama, in its usual mode and in the last one, where not even
root may look into another process. With the others root, who runs it, is as free as with the usual one."""
import sys

import rig

SCOPE = "/proc/sys/kernel/yama/ptrace_scope"
SECONDS = 150
# PEs without ports, two hops apart
JOB = "oshrun --hosts 4 -n 8 --timeout 140 -x SHMEM_SYMMETRIC_SIZE=8M confined"


def test(report, kit, programs):
    with rig.Rig(kit, programs) as r:
        guest = r.boot(0, [])
        guest.wait_boot()
        report.note("the guest is up")
        rc, _ = guest.run(f"test -f {SCOPE}")
        if rc != 0:
            rig.skip("the guest's kernel has no Yama")
        for scope in (1, 3):
            guest.must(f"echo {scope} > {SCOPE}")
            rc, out = guest.run(JOB, SECONDS)
            report.check(f"a job with ptrace_scope={scope}", rc == 0 and out.count("right") == 8, out)


sys.exit(rig.main(test))
