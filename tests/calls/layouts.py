# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Layouts that the call fuzzer runs on: options of oshrun, and environment."""

LAYOUTS = {
    "alone": (["-n", "1"], {}),
    "ring2": (["--hosts", "2"], {}),
    "ring3": (["--hosts", "3"], {}),
    "ring5": (["--hosts", "5"], {}),
    "host": (["-n", "4"], {}),
    "host-copy": (["-n", "3"], {"RINGBELL_STATIC": "copy"}),
    "block": (["--hosts", "2", "-n", "6"], {}),
    "cyclic": (["--hosts", "3", "-n", "9", "--map-by", "host"], {}),
    "cyclic-wide": (["--hosts", "2", "-n", "12", "--map-by", "host"], {}),
    "uneven": (["--hosts", "3", "-n", "7"], {}),
    "crowd": (["--hosts", "2", "-n", "12"], {}),
    "copy": (["--hosts", "4"], {"RINGBELL_STATIC": "copy"}),
    "tight": (["--hosts", "5"], {"RINGBELL_CHUNK": "4K", "RINGBELL_SLOTS": "4"}),
    "tight-crowd": (["--hosts", "3", "-n", "6"], {"RINGBELL_CHUNK": "4K", "RINGBELL_SLOTS": "4"}),
    "narrow": (["--hosts", "4"], {"RINGBELL_CHANNELS": "1"}),
    "wide": (["--hosts", "4"], {"RINGBELL_CHANNELS": "12"}),
    "lcores": (["--hosts", "4"], {"RINGBELL_LCORES": "3"}),
    "doorbell": (["--hosts", "4"], {"RINGBELL_NOTIFY": "doorbell"}),
    "bells": (["--hosts", "3", "-n", "6"],
              {"RINGBELL_NOTIFY": "doorbell", "RINGBELL_LCORES": "2", "RINGBELL_CHANNELS": "5"}),
    "classic": (["--hosts", "3"], {"RINGBELL_NOTIFY": "classic"}),
    "classic-crowd": (["--hosts", "2", "-n", "4"], {"RINGBELL_NOTIFY": "classic"}),
    "startend": (["--hosts", "4"], {"RINGBELL_BARRIER": "startend"}),
    "sleep": (["--hosts", "3", "-n", "5"], {"RINGBELL_WAIT": "sleep"}),
    "dma": (["--hosts", "3", "--dma", "dma_skeleton0"], {}),
    "dma-plx": (["--hosts", "2", "-n", "4", "--dma", "dma_plx_emu0,dma_plx_emu1"], {}),
    "check": (["--hosts", "3", "-n", "6"], {"SHMEM_CHECK": "1"}),
}
