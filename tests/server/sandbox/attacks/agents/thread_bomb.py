"""Starts threads without end."""

import threading
import time

from honest import Honest


class Bomb(Honest):
    def predict(self, observation):
        count = 0
        try:
            while count < 10_000:
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
                count += 1
            print("SUCCEEDED in starting 10,000 threads")
        finally:
            print(f"started {count} threads")


def make(**_):
    return Bomb()
