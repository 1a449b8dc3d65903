"""Fills memory that it shares with nobody, and lets go of the pages at once: they stay, and count to no process."""

import mmap

from honest import Honest

STEP = 16 * 2**20


class Bomb(Honest):
    def predict(self, observation):
        held = []
        for _ in range(200):
            memory = mmap.mmap(-1, STEP)
            memory.write(bytes(STEP))
            memory.madvise(mmap.MADV_DONTNEED)
            held.append(memory)
        print("SUCCEEDED fill memory:", len(held) * STEP)
        return super().predict(observation)


def make(**targets):
    return Bomb(**targets)
