#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-devbind over the system's dpdk-devbind.py, with an lspci that lists an adapter.

Binding itself is a write to sysfs, which the guests of tests/vm do; here it is shown that the
devices are known, that nothing else changes, and that the script's own words come through.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

DEVBIND = sys.argv.pop(1)

LSPCI = """\
#!/bin/sh
printf 'Slot:\\t0000:03:00.0\\nClass:\\tPCI bridge [0604]\\nVendor:\\tPLX [10b5]\\n'
printf 'Device:\\tPEX 8749 [8749]\\nRev:\\tca\\n\\n'
printf 'Slot:\\t0000:03:00.1\\nClass:\\tSystem peripheral [0880]\\nVendor:\\tPLX [10b5]\\n'
printf 'Device:\\tPEX DMA [87d0]\\nRev:\\tca\\n\\n'
printf 'Slot:\\t0000:05:00.0\\nClass:\\tBridge [0680]\\nVendor:\\tPLX [10b5]\\n'
printf 'Device:\\tPEX NT0 Port Virtual Interface [87b0]\\nRev:\\tca\\n'
printf 'Driver:\\tuio_pci_generic\\n\\n'
printf 'Slot:\\t0000:06:00.0\\nClass:\\tBridge [0680]\\nVendor:\\tPLX [10b5]\\n'
printf 'Device:\\tPEX NT1 Port Virtual Interface [87b1]\\nRev:\\tca\\n\\n'
printf 'Slot:\\t0000:16:00.0\\nClass:\\tBridge [0680]\\nVendor:\\tIntel Corporation [8086]\\n'
printf 'Device:\\tSky Lake-E Non-Transparent Bridge Registers [201c]\\nDriver:\\tvfio-pci\\n\\n'
printf 'Slot:\\t0000:17:00.0\\nClass:\\tBridge [0680]\\nVendor:\\tIntel Corporation [8086]\\n'
printf 'Device:\\tIce Lake NTB [347e]\\nDriver:\\tntb_hw_intel\\n\\n'
"""


def run(*args, **more):
    """Output and status of ringbell-devbind, with our lspci and no routes."""
    with tempfile.TemporaryDirectory() as bin_dir:
        for name, text in (("lspci", LSPCI), ("ip", "#!/bin/sh\n")):
            path = os.path.join(bin_dir, name)
            with open(path, "w", encoding="ascii") as f:
                f.write(text)
            os.chmod(path, 0o755)
        env = dict(os.environ, PATH=bin_dir + ":" + os.environ["PATH"], **more)
        return subprocess.run([sys.executable, DEVBIND, *args], env=env, text=True, timeout=60,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)


class Devbind(unittest.TestCase):
    def test_nt_functions_are_raw_devices(self):
        out = run("--status-dev", "misc").stdout
        line = {text.split()[0]: text for text in out.splitlines() if text[:5] == "0000:"}
        self.assertIn("Misc (rawdev) devices using", out)
        self.assertIn("drv=uio_pci_generic", line["0000:05:00.0"])
        self.assertIn("Other Misc (rawdev) devices", out)
        self.assertNotIn("drv=", line["0000:06:00.0"])
        self.assertNotIn("0000:03:00.0", out, "the transparent bridge is not ours to bind")

    def test_xeons_are_raw_devices(self):
        """Those that the system's script has are there once."""
        out = run("--status-dev", "misc").stdout
        lines = [text for text in out.splitlines() if text[:7] in ("0000:16", "0000:17")]
        self.assertEqual(sorted(text.split()[0] for text in lines), ["0000:16:00.0", "0000:17:00.0"])
        self.assertIn("drv=vfio-pci", out)

    def test_dma_functions_are_dma_devices(self):
        out = run("--status-dev", "dma").stdout
        self.assertIn("0000:03:00.1", out)
        self.assertNotIn("0000:05:00.0", out)

    def test_the_script_judges(self):
        done = run("-b", "no_such_driver", "0000:05:00.0")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no_such_driver", done.stdout)

    def test_no_script(self):
        done = run("-s", DPDK_DEVBIND="/nowhere/devbind.py")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertIn("/nowhere/devbind.py", done.stdout)

    def test_another_script(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as f:
            f.write("dma_devices = []\n")
            f.flush()
            done = run("-s", DPDK_DEVBIND=f.name)
        self.assertEqual(done.returncode, 1)
        self.assertIn("misc_devices", done.stdout)


if __name__ == "__main__":
    if shutil.which("dpdk-devbind.py") is None:
        print("no dpdk-devbind.py here: Debian's package dpdk has it")
        sys.exit(77)
    unittest.main(verbosity=2)
