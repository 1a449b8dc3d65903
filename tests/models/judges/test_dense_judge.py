"""The judge over the built-in network: blind to order, sees what is there."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.core.errors import DataError
from pentathlon.core.registry import resolve_entrant
from pentathlon.models.judges.dense import make_dense

CLIP = np.random.default_rng(0).integers(0, 255, (10, 224, 224, 3), dtype=np.uint8)
SENTENCES = ("We pick up an apple from the counter top", "a red mug", "we do nothing")


def test_shuffling_the_frames_changes_nothing() -> None:
    judge = make_dense(frames=10)
    scores = judge.score(CLIP, SENTENCES)
    shuffled = judge.score(CLIP[np.random.default_rng(1).permutation(10)], SENTENCES)
    np.testing.assert_allclose(scores, shuffled, atol=1e-5)
    assert np.ptp(scores) > 1e-3
    assert (np.abs(scores) < 2).all()


def test_a_sentence_s_score_depends_on_no_other() -> None:
    judge = make_dense(frames=3)
    together = judge.score(CLIP[:3], SENTENCES)
    np.testing.assert_allclose(together, [judge.score(CLIP[:3], [one])[0] for one in SENTENCES], atol=1e-5)


def test_it_is_registered_and_its_file_is_checked() -> None:
    entered = resolve_entrant("frames-dense").make()
    assert entered.spec.frames == 16
    assert entered.fingerprint == make_dense().fingerprint
    with pytest.raises(DataError, match="Expected an image-text network at gone"):
        make_dense("gone")
