"""The thread that tells that a worker lives, and brings its orders."""

import threading

from pentathlon.server.workers.heart import Heart


def test_it_beats_on_after_an_arm_that_fails_to_stop() -> None:
    beaten = threading.Event()
    beats = 0

    def beat() -> None:
        nonlocal beats
        beats += 1
        if beats == 1:
            raise RuntimeError("the arm does not answer")
        beaten.set()

    with Heart(beat, 0.001):
        assert beaten.wait(10)
