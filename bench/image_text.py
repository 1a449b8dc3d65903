"""CPU time of the dense image-text network on one thread: a picture, a sentence, and many sentences against one map."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
import tyro

from pentathlon.models.image_text.dense import SENTENCE_TOKENS, DenseImageText, DenseShape, prepare
from pentathlon.models.image_text.fast_tower import fast_tower
from pentathlon.models.image_text.minilm import MiniLm, MiniLmShape
from pentathlon.models.image_text.second_look import enlarged


@dataclass(frozen=True)
class Bench:
    """Weights are random: they do not change the time."""

    repeats: int = 20


@torch.inference_mode()
def main(bench: Bench) -> None:
    torch.set_num_threads(1)
    network = DenseImageText(DenseShape(), MiniLm(MiniLmShape(words=30522))).eval()
    pixels = prepare(torch.randint(0, 256, (1, 224, 224, 3), dtype=torch.uint8), 5 * torch.rand(1, 224, 224))
    plain = _median_ms(lambda: network.pictures(pixels), bench.repeats)
    tower = fast_tower(network.pictures, torch.device("cpu"))
    tokens = torch.randint(1, 30000, (1, SENTENCE_TOKENS))
    vectors, sentences = tower(pixels)[0], torch.randn(200, 256)
    rows = {
        "picture, as trained": plain,
        f"picture, {str(tower.places.dtype).removeprefix('torch.')}": _median_ms(lambda: tower(pixels), bench.repeats),
        "second look at it": _median_ms(lambda: tower(enlarged(pixels)), bench.repeats),
        "sentence": _median_ms(lambda: network.texts(tokens), bench.repeats),
        "200 sentences on a map": _median_ms(lambda: torch.einsum("dhw,qd->qhw", vectors, sentences), bench.repeats),
    }
    for name, milliseconds in rows.items():
        print(f"{name:32} {milliseconds:7.1f} ms of CPU time")


def _median_ms(work: Callable[[], object], repeats: int) -> float:
    work()
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return 1000 * sorted(times)[len(times) // 2]


if __name__ == "__main__":
    main(tyro.cli(Bench))
