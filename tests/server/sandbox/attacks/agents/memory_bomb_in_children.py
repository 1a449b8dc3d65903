"""Takes memory in many processes, each of them within the limit of one."""

import os
import time

from honest import Honest


class Bomb(Honest):
    def predict(self, observation):
        for _ in range(16):
            if os.fork() == 0:
                try:
                    held = bytearray(b"x" * (100 * 2**20))
                    time.sleep(60 + len(held) % 2)
                finally:
                    # One that got no memory must not go on as a second agent, which would answer too.
                    os._exit(0)
        time.sleep(60)


def make(**_):
    return Bomb()
