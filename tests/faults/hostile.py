# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Faults of neighbours, links and devices that do not keep to their rules.

What is forged may be just what a right neighbour could have written: then data may be wrong, or a
wait without end, and nothing in the job can know it. doc/reliability.md says what is promised there:
the program's own comparison, or its limit of time, may end such a round.
"""
import time

import flaps
from kinds import Cable, Kind, pes_of

NO_REGION = 3 # status of the helper
LIMIT = 6 # seconds of an epoch, after which calls ends a program that waits


class Forged(Kind):
    """Writes of a neighbour into the memory of a host, some times."""
    what = ""
    allowed = (range(1, 128), r"oshrun: PE|oshrun: the job|PE \d+: (FAILED|HANGS) seed")
    forges = True
    hang = LIMIT
    bound = LIMIT + 10

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        self.host = draw.randrange(ring.hosts)
        self.seeds = [draw.randrange(1, 1 << 30) for _ in range(draw.choice([1, 1, 3, 20]))]
        self.helper = ring.forge
        self.text = f"{self.what} forged at host {self.host}, {len(self.seeds)} times, at {self.when()}"
        self.applies = ring.setting != "scratchpad"

    def write(self, job, seed):
        """@return whether it was"""
        for pid in pes_of(job).values():
            done = flaps.subprocess.run([self.helper, str(pid), str(self.host), self.what, str(seed)],
                                        check=False, timeout=60, stdout=flaps.subprocess.PIPE, text=True)
            if done.returncode == 0:
                job.notes.append(done.stdout.strip())
                return True
            if done.returncode != NO_REGION:
                raise RuntimeError(f"the helper's status is {done.returncode}")
        return False

    def act(self, job):
        when = None
        if self.wait(job):
            for seed in self.seeds:
                if self.write(job, seed) and when is None:
                    when = time.monotonic()
        return when


class ForgedBytes(Forged):
    what = "bytes"


class ForgedFrame(Forged):
    what = "frame"


class ForgedWord(Forged):
    what = "word"


class ForgedCredit(Forged):
    what = "credit"


class ForgedAck(Forged):
    what = "ack"


class OneWay(Cable):
    """No doorbell passes in one direction, and then the link is lost, for good or to return."""
    def change(self, draw):
        self.draw = draw
        end = draw.randrange(2)
        self.words = [f"deaf={end}", str(int(10 ** draw.uniform(2, 5.3)))]
        self.words += draw.choice([["pull"], [f"hear={end}", "retrain"]])
        self.text = f"{' '.join(self.words)} at {self.when()}"

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        self.helper = ring.helper

    def act(self, job):
        return job.tell_cable(job.cable(self.draw), self.helper, self.words,
                              lambda: self.wait(job))


class Mute(OneWay):
    """Nothing that one end of a cable stores arrives any more, while reads do; then the link is lost, or
    it is not. Only windows that are not memory lose stores."""
    def change(self, draw):
        self.draw = draw
        self.words = [f"mute={draw.randrange(2)}", str(int(10 ** draw.uniform(2, 5.3)))]
        self.words += draw.choice([["pull"], ["retrain"], []])
        self.text = f"{' '.join(self.words)} at {self.when()}"

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        self.env = {"RINGBELL_HUGE": "never"} # the model loses stores into pages of the usual size
        self.applies = ring.setting == "bridge" or ring.setting.startswith("kept")


class Engine(Kind):
    """The DMA engines of one PE, or of all, err, hang, or take nothing any more. Leads have some."""
    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        device = draw.choice(["dma_plx_emu0", "dma_plx_emu0,dma_plx_emu1", "dma_skeleton0"])
        self.text = (f"{draw.choice([-1, -1, 0])}:{draw.choice(['error', 'errors', 'hang', 'refuse'])}:"
                     f"{int(10 ** draw.uniform(0, 1.3))}")
        self.env = {"LD_PRELOAD": ring.engine, "ENGINE": self.text, "RINGBELL_DMA": device}
        self.applies = ring.setting in ("plain", "lcores", "doorbell", "sleep", "bridge", "token")


HOSTILE = {
    "forged-bytes": ForgedBytes, "forged-frames": ForgedFrame, "forged-words": ForgedWord,
    "forged-credits": ForgedCredit, "forged-acks": ForgedAck, "one-way": OneWay, "mute": Mute,
    "engine": Engine,
}
