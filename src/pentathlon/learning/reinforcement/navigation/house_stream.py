"""Houses that become ready while something else runs: packed by processes, prepared by a thread, taken when wanted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from threading import Event, Thread
from types import TracebackType
from typing import Self

from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.packed import PackedHouse, PreparedHouse
from pentathlon.worlds.houses.gpu.packing import packed_houses

_PAUSE_S = 0.05
_PREPARING = 3  # threads: most of the work lies in compiled code


class HouseStream:
    """Houses of a split, in the order in which they become ready.

    Args:
        split: `train`, `val` or `test`.
        places: of the houses in their split.
        workers: processes that pack.
    """

    def __init__(self, split: str, places: Sequence[int], workers: int) -> None:
        self._ready: SimpleQueue[tuple[PackedHouse, PreparedHouse]] = SimpleQueue()
        self._enough, self._failed = Event(), list[BaseException]()
        self._thread = Thread(target=self._make, args=(split, places, workers), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Packs no more; what is ready stays so."""
        self._enough.set()
        self._thread.join()

    def add_to(self, houses: HouseSet) -> int:
        """Adds the houses that are ready now to a set and returns how many there were."""
        added = 0
        while True:
            try:
                house, scene = self._ready.get_nowait()
            except Empty:
                break
            houses.add(house, scene=scene)
            added += 1
        if self._failed:
            raise self._failed[0]
        return added

    def fill(self, houses: HouseSet, least: int, minutes: float) -> None:
        """Waits for so many houses, or fewer when the time is over; for one house for ever."""
        started = time.perf_counter()
        while len(houses.numbers) < least:
            late = time.perf_counter() - started > 60 * minutes
            ended = not self._thread.is_alive()
            if not self.add_to(houses) and (ended or (late and houses.numbers)):
                break
            time.sleep(_PAUSE_S)

    def _prepare(self, house: PackedHouse) -> None:
        self._ready.put((house, house.prepared()))

    def _make(self, split: str, places: Sequence[int], workers: int) -> None:
        try:
            jobs: list[Future[None]] = []
            with ThreadPoolExecutor(_PREPARING) as preparing:
                for house in packed_houses(split, places, workers=workers):
                    if self._enough.is_set():
                        break
                    jobs.append(preparing.submit(self._prepare, house))
                for job in jobs:
                    job.result()
        except BaseException as error:
            self._failed.append(error)
            raise
