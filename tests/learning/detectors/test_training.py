from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from pentathlon.core.errors import DataError
from pentathlon.learning.detectors.corpus import group_paths, house_attributes
from pentathlon.learning.detectors.measuring.report import find_part, measure_trained
from pentathlon.learning.detectors.settings import ImageTextSettings
from pentathlon.learning.detectors.training import Trainer, train
from pentathlon.learning.detectors.views import array_path
from pentathlon.models.image_text.dense import DenseShape
from pentathlon.models.image_text.trained import load_dense

SHAPE = DenseShape(width=32, vector=32, layers=1, text_width=32, text_layers=1, image_size=64, fine=2)


@pytest.fixture
def settings(tmp_path: Path, painted_views: Path, text_model: Path) -> ImageTextSettings:
    return ImageTextSettings(
        views=painted_views,
        out=tmp_path / "out",
        minilm=text_model,
        steps=60,
        minutes=5.0,
        batch_size=8,
        pixels=48,
        queries=3,
        peak_lr=4e-3,
        workers=0,
    )


def test_a_minute_of_training_finds_painted_things(settings: ImageTextSettings) -> None:
    weights = train(settings, say=lambda line: None, shape=SHAPE)
    path = measure_trained(weights, settings, say=lambda line: None)
    measures = json.loads(path.read_text())
    assert measures["rgb and depth"]["type"]["views"] == 3 * 16
    assert measures["rgb and depth"]["type"]["mean_ap"] > 0.6
    trained = load_dense(weights)
    assert trained.history["steps_done"] == 60
    assert set(trained.thresholds["type"]) == {"go", "stop", "quiet", "f1"}


def test_the_highest_place_of_a_word_lies_on_its_thing(settings: ImageTextSettings) -> None:
    weights = train(settings, say=lambda line: None, shape=SHAPE)
    _, findings = find_part(load_dense(weights), settings.views, "held-out", depth=True)
    asked = [question.sentence for question in findings.questions]
    for word in ("apple", "mug", "sofa"):
        mine = findings.hits.question == asked.index(word)
        others = findings.alarms.score[findings.alarms.question == asked.index(word)]
        assert np.median(findings.hits.score[mine]) > (np.median(others) if len(others) else -4.0)


def test_things_kept_from_training_carry_no_loss(settings: ImageTextSettings) -> None:
    trainer = Trainer(settings, lambda line: None, SHAPE)
    batch = next(trainer.batches)
    asked = trainer.bits[:, batch.queries].all(-1)
    assert not asked[trainer.uncommon].any(), "no sentence of a batch may fit an uncommon thing"
    torch.manual_seed(3)
    before = trainer.losses(batch).total()
    trainer.bits[trainer.uncommon] = True
    torch.manual_seed(3)
    assert torch.equal(before, trainer.losses(batch).total())


def test_an_upper_bound_learns_the_uncommon_types_too(settings: ImageTextSettings) -> None:
    from dataclasses import replace

    trainer = Trainer(replace(settings, with_uncommon=True), lambda line: None, SHAPE)
    assert not trainer.uncommon.any()
    number = house_attributes().number["type:Surfboard"]
    assert any((next(trainer.batches).queries == number).any() for _ in range(5))


def test_a_folder_without_views_is_refused(settings: ImageTextSettings, tmp_path: Path) -> None:
    from dataclasses import replace

    with pytest.raises(DataError, match="Expected views of houses"):
        train(replace(settings, views=tmp_path / "nothing"), shape=SHAPE)


def test_views_that_are_rendered_meanwhile_join_those_that_are_there(settings: ImageTextSettings) -> None:
    first, *_ = group_paths(settings.views, "train")
    trainer = Trainer(settings, lambda line: None, SHAPE)
    before = trainer.pictures.clone()
    for old in (first, array_path(first)):
        shutil.copy(old, old.with_name(f"houses-00000-again{old.suffix}"))
    trainer.settings = replace(settings, grow_minutes=0.0)
    assert trainer._may_grow()
    trainer._take_in()
    more = len(np.load(array_path(first)))
    assert len(trainer.pictures) == len(trainer.base) == len(before) + more
    assert torch.equal(trainer.pictures[: len(before)], before)
    assert torch.equal(trainer.pictures[len(before) :].cpu(), torch.from_numpy(np.load(array_path(first))))
    assert not trainer._may_grow()
