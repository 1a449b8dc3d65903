"""Kills the server, its own first process and then everything it may."""

import os
import signal

from honest import Honest, attempt


class Killer(Honest):
    def predict(self, observation):
        attempt("kill the server", lambda: os.kill(self.targets["host_pid"], signal.SIGKILL))
        attempt("kill everything else", lambda: os.kill(-1, signal.SIGKILL))
        os.kill(os.getpid(), signal.SIGKILL)


def make(**targets):
    attempt("kill process 1 of the host", lambda: os.kill(targets["host_pid"], signal.SIGTERM))
    return Killer(**targets)
