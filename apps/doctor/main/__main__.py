# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
import os
import sys

import doctor

try:
    sys.exit(doctor.main(sys.argv[1:]))
except KeyboardInterrupt:
    sys.exit(130)
except BrokenPipeError:  # the reader, such as a pager, has seen enough
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(doctor.FOUND)
