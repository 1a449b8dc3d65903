"""Never begins an episode; sleeps, so that no processor time is used."""

import time

from honest import Honest


class Stuck(Honest):
    def reset(self):
        time.sleep(3600)


def make(**_):
    return Stuck()
