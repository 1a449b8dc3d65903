"""Opens datasets of ours with LeRobot's own reader and checks what its learners need: sentence, statistics, pictures.

It runs in an environment of LeRobot's, without this package:

    python -m venv lerobot && lerobot/bin/pip install lerobot==0.4.4
    pentathlon data export see/metaworld-drawer-open-sprint-v1 --to see
    pentathlon data get act/pour-sprint                                  # prints its folder
    lerobot/bin/python bench/lerobot_reader.py see/metaworld-drawer-open FOLDER
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch


def main() -> None:
    """Reads every folder and prints a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    for folder in parser.parse_args().folders:
        read(folder)


def read(folder: Path) -> None:
    """Reads a dataset as a learner does, frame by frame and in batches."""
    from lerobot.datasets.lerobot_dataset import LeRobotDataset
    from lerobot.datasets.utils import dataset_to_policy_features

    dataset = LeRobotDataset(f"pentathlon/{folder.name}", root=folder, video_backend="pyav")
    first = dataset[0]
    features = dataset_to_policy_features(dataset.meta.features)
    pictures = [name for name in features if name.startswith("observation.image")]
    assert str(first["task"]).count(" "), f"task is {first['task']!r}, no sentence"
    for name, feature in features.items():
        stats = dataset.meta.stats[name]
        assert {"mean", "std", "min", "max", "count"} <= set(stats), f"{name} has {sorted(stats)}"
        assert np.isfinite(stats["mean"]).all(), f"{name}: mean is {stats['mean']}"
        assert tuple(first[name].shape) == tuple(feature.shape), f"{name}: {first[name].shape}, {feature.shape}"
    batch = next(iter(torch.utils.data.DataLoader(dataset, batch_size=4, shuffle=True)))
    for name in pictures:
        assert 0.0 <= float(batch[name].min()) < float(batch[name].max()) <= 1.0, f"{name} is no picture"
    shapes = ", ".join(f"{name} {tuple(batch[name].shape)}" for name in features)
    print(f"{folder.name}: {dataset.num_episodes} episodes, {len(dataset)} frames; task {first['task']!r}; {shapes}")


if __name__ == "__main__":
    main()
