"""Embeddings of a dataset's pictures by any encoder, kept by content."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np

from pentathlon.core import content_hash
from pentathlon.core.entrants import Encoder, Floats
from pentathlon.events.act.data.dataset import Dataset
from pentathlon.learning.policies.trajectories import Trajectory
from pentathlon.models.encoders.crew import Crew, device_of, encode_frames
from pentathlon.storage import ArrayCache

Progress = Callable[[int, int], None]
"""Called with the episodes encoded so far and in all."""


def embedded(
    dataset: Dataset,
    encoder: Encoder,
    cache: ArrayCache,
    *,
    crew: Crew,
    needed: Collection[str] | None = None,
    progress: Progress = lambda done, wanted: None,
) -> list[Trajectory]:
    """Reads all trajectories with their embeddings; those of a held picture are held too.

    Args:
        dataset: whose pictures are encoded.
        encoder: what encodes them.
        cache: where embeddings are kept.
        crew: who encodes.
        needed: ids of those that need embeddings, the others get none; all when not given.
        progress: called with the episodes encoded so far and in all.
    """
    trajectories = dataset.trajectories()
    result = []
    for index, trajectory in enumerate(trajectories):
        progress(index, len(trajectories))
        if needed is not None and trajectory.id not in needed:
            result.append(replace(trajectory, embeddings=None))
            continue
        few = _embeddings(dataset, index, trajectory, encoder, cache, crew)
        every_step = np.repeat(few, dataset.frame_every, axis=0)[: len(trajectory)]
        result.append(replace(trajectory, embeddings=np.ascontiguousarray(every_step)))
    progress(len(trajectories), len(trajectories))
    return result


def _embeddings(
    dataset: Dataset, index: int, trajectory: Trajectory, encoder: Encoder, cache: ArrayCache, crew: Crew
) -> Floats:
    """``facts["pictures"]`` is a digest of what is to be encoded, so that the same pictures are encoded once."""

    def encode() -> dict[str, Floats]:
        return {"pooled": encode_frames(encoder, dataset.pictures(index), crew)}

    fingerprint, pictures = getattr(encoder, "fingerprint", None), trajectory.facts.get("pictures")
    if fingerprint is None or pictures is None:
        return encode()["pooled"]
    key = content_hash(["act", fingerprint, device_of(encoder), pictures], length=40)
    embeddings: Floats = cache.get_or_compute(key, encode)["pooled"]
    # The same episode in a dataset of another rate shows fewer or more of its pictures.
    fits = len(embeddings) == -(-len(trajectory) // dataset.frame_every)
    return embeddings if fits else encode()["pooled"]
