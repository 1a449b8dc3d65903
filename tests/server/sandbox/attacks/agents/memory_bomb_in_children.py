"""Takes memory in many processes, each of them within the limit of one."""

import os
import time

from honest import Honest


class Bomb(Honest):
    def predict(self, observation):
        for _ in range(16):
            if os.fork() == 0:
                held = bytearray(b"x" * (100 * 2**20))
                time.sleep(60)
                os._exit(len(held) % 2)
        time.sleep(60)


def make(**_):
    return Bomb()
