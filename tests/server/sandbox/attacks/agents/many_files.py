"""Makes empty files, each of which takes a little of the kernel's memory."""

import os

from honest import Honest


class Maker(Honest):
    def predict(self, observation):
        for folder in ("/tmp", "/dev/shm"):
            for number in range(100_000):
                os.close(os.open(f"{folder}/{number}", os.O_CREAT | os.O_WRONLY))
        print("SUCCEEDED make files")
        return super().predict(observation)


def make(**targets):
    return Maker(**targets)
