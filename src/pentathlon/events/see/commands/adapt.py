"""``pentathlon see adapt``: continue an encoder's masked-autoencoder training on a task's demonstration frames."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core import Runs, content_hash


@dataclass(frozen=True)
class Adapt:
    """Adapt a vision transformer to a task of see by masked autoencoding; the same command again continues."""

    encoder: tyro.conf.Positional[str]
    """A registered id, id@weights or module:factory."""
    task: Annotated[str, tyro.conf.arg(aliases=["-t"])]
    """A task of see, such as see/metaworld-hammer-lite-v1; its tier says how many demonstrations are used."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Folder for checkpoint, encoder and attention picture; adapted/<encoder>-<task> when not given."""
    epochs: float = 100.0
    """How often each frame is seen, on average; the paper's 100."""
    batch_size: int = 256
    """Frames per step."""
    base_lr: float = 1.5e-4
    """Learning rate per 256 frames."""
    threads: int = 4
    """Readers of frames."""
    rehearse: bool = False
    """Shrink the task to seconds, to try it out; the result means nothing."""

    def run(self, runs: Runs) -> int:
        """Adapts and prints how to enter the result."""
        from pentathlon.events.see.adaptation import AdaptSettings, adapt

        settings = AdaptSettings(self.epochs, self.batch_size, self.base_lr, self.threads, self.rehearse)
        adapted = adapt(self.encoder, self.task, self.out or self._folder(), settings)
        print(f"Wrote {adapted.encoder} and {adapted.picture}, which shows its attention before and after.")
        print(f"Run it with: pentathlon run {self.task} --entrant trained@{adapted.encoder}")
        return 0

    def _folder(self) -> Path:
        name = self.task.split("/")[-1]
        slug = "".join(letter if letter.isalnum() else "-" for letter in self.encoder)[-40:].strip("-")
        return Path("adapted") / f"{slug}-{name}-{content_hash([self.encoder, self.rehearse], length=6)}"
