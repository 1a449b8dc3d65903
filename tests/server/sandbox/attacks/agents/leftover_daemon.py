"""Leaves a daemon behind that has a session of its own and outlives the agent."""

import os
import subprocess
import sys

from honest import Honest


def make(marker, **_):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            code = "import time, signal; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
            with open(os.devnull, "r+") as null:
                subprocess.Popen([sys.executable, "-c", code, marker], stdin=null, stdout=null, stderr=null)
        os._exit(0)
    return Honest()
