from __future__ import annotations

import signal

import pytest

from pentathlon.engine.interrupts import deferred_interrupts


def test_an_interrupt_waits_for_a_safe_moment() -> None:
    reached = []
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), deferred_interrupts() as interrupts:  # noqa: PT012
        interrupts.check()
        signal.raise_signal(signal.SIGTERM)
        reached.append("after the signal")
        interrupts.check()
        reached.append("after the check")
    assert reached == ["after the signal"]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_a_second_interrupt_does_not_wait() -> None:
    reached = []
    with pytest.raises(KeyboardInterrupt), deferred_interrupts():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        reached.append("after the first")
        signal.raise_signal(signal.SIGINT)
        reached.append("after the second")
    assert reached == ["after the first"]


def test_an_interrupt_at_the_very_end_is_not_lost() -> None:
    with pytest.raises(KeyboardInterrupt), deferred_interrupts():
        signal.raise_signal(signal.SIGINT)
