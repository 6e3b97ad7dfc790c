# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
import sys

import command

try:
    sys.exit(command.main(sys.argv[1:]))
except KeyboardInterrupt:
    sys.exit(130)
