"""Chooses an image-text network's thresholds on tuning houses and measures it on held-out ones, as its training does.

    pentathlon data views --out views --train 0 --tune 16 --held-out 16 --measured-frames 60
    python bench/image_text_measures.py views measured [--weights FILE]

`measured/` gets a copy of the weights with the new thresholds, and `measures.json`.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from pentathlon.learning.detectors.measuring.report import measure_trained
from pentathlon.learning.detectors.settings import ImageTextSettings
from pentathlon.learning.detectors.training import WEIGHTS
from pentathlon.models.localizers.opening import DENSE
from pentathlon.models.weights import resolve_weights


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("views", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--weights", type=Path, default=resolve_weights(DENSE), help="the built-in ones by default")
    parser.add_argument("--minutes", type=float, default=1.0, help="begin no measure without depth after this time")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    weights = Path(shutil.copyfile(chosen.weights, chosen.out / WEIGHTS))
    print(measure_trained(weights, ImageTextSettings(views=chosen.views, measure_minutes=chosen.minutes)))


if __name__ == "__main__":
    main()
