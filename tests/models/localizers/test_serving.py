"""A server of localizers answers several walkers at once as each localizer alone would."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing.connection import Client
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from pentathlon.core.errors import MachineError, UnknownIdError, UsageError
from pentathlon.models.image_text import second_look
from pentathlon.models.localizers import PhraseLocalizer, open_localizer, opening
from pentathlon.models.localizers.opening import fingerprint_of, open_here, open_to_all
from pentathlon.models.localizers.serving.client import ADDRESS
from pentathlon.models.localizers.serving.server import ANSWERS, ENCODER, Ask, LocalizerServer, Look
from pentathlon.models.localizers.thresholds import Thresholds

SENTENCES = ("mug", "red mug", "sofa", "mug on a desk")
RANDOM = np.random.default_rng(0)
PICTURES = [RANDOM.integers(0, 256, (64, 64, 3), np.uint8) for _ in SENTENCES]
DEPTHS = [RANDOM.uniform(0.5, 5.0, (64, 64)).astype(np.float32) for _ in SENTENCES]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalizerServer]:
    server = LocalizerServer(tmp_path / "eyes", open_to_all, fingerprint_of)
    thread = Thread(target=server.serve)
    thread.start()
    monkeypatch.setenv(ADDRESS, str(tmp_path / "eyes"))
    yield server
    server.stop.set()
    thread.join()


@pytest.mark.parametrize(
    "name", ["builtin", "clip-grad-photo:builtin", "clip-ref-photo:builtin", "clip-patch-photo:builtin"]
)
def test_pictures_seen_together_are_seen_as_each_alone(name: str) -> None:
    localizer = open_to_all(name)
    asked = [localizer.understand(sentence, "mug") for sentence in SENTENCES]
    together = localizer.look(asked, PICTURES, DEPTHS)
    for words, rgb, depth_m, (seen, *_) in zip(asked, PICTURES, DEPTHS, together, strict=True):
        (alone,) = localizer.look([words], [rgb], [depth_m])
        assert np.allclose(seen.map, alone[0].map, atol=1e-4)
        assert (seen.go, seen.stop) == (alone[0].go, alone[0].stop)
    assert not np.allclose(together[0][0].map, together[1][0].map, atol=1e-4)


def test_a_second_look_is_taken_where_it_is_worth_it_alone_or_together(monkeypatch: pytest.MonkeyPatch) -> None:
    localizer = open_to_all("builtin")
    asked = [localizer.understand(sentence, "mug") for sentence in SENTENCES]
    monkeypatch.setattr(second_look, "WORTH", np.inf)
    once = [seen[0].map for seen in localizer.look(asked, PICTURES, DEPTHS)]
    peaks = sorted(float(seen.max()) for seen in once)
    monkeypatch.setattr(second_look, "WORTH", (peaks[1] + peaks[2]) / 2)
    together = [seen[0].map for seen in localizer.look(asked, PICTURES, DEPTHS)]
    again = [not np.allclose(first, second, atol=1e-4) for first, second in zip(once, together, strict=True)]
    assert again == [float(seen.max()) > second_look.WORTH for seen in once]
    assert sum(again) == 2
    for words, rgb, depth_m, seen in zip(asked, PICTURES, DEPTHS, together, strict=True):
        assert np.allclose(localizer.look([words], [rgb], [depth_m])[0][0].map, seen, atol=1e-4)


def test_walkers_of_a_server_keep_their_own_sentences(server: LocalizerServer) -> None:
    walkers = [open_localizer("") for _ in SENTENCES]
    here = open_here("builtin")
    for walker, sentence in zip(walkers, SENTENCES, strict=True):
        walker.describe(sentence, "mug")
        assert isinstance(walker, PhraseLocalizer)
        walker.describe_beside(["desk"])
    for walker, sentence, rgb, depth_m in zip(walkers, SENTENCES, PICTURES, DEPTHS, strict=True):
        here.describe(sentence, "mug")
        wanted = here.relevance(rgb, depth_m)
        found = walker.relevance(rgb, depth_m)
        assert np.allclose(found.map, wanted.map, atol=1e-4)
        assert (found.go, found.stop) == (wanted.go, wanted.stop)
        assert len(walker.beside()) == 1
    assert server.pictures == len(SENTENCES)


def test_a_server_tells_what_is_wrong_and_goes_on(server: LocalizerServer) -> None:
    walker = open_localizer("builtin")
    with pytest.raises(UsageError, match="a sentence before a picture"):
        walker.relevance(PICTURES[0], DEPTHS[0])
    with pytest.raises(UsageError, match="Expected a description"):
        walker.describe(" . ", "mug")
    walker.describe("mug", "mug")
    assert walker.relevance(PICTURES[0], DEPTHS[0]).map.shape == (16, 16)


def test_a_server_outlives_what_is_no_message(server: LocalizerServer, tmp_path: Path) -> None:
    with Client(str(tmp_path / "eyes"), "AF_UNIX") as stranger:
        for said in (b"nonsense", ENCODER.encode(Ask("builtin", "mug", "mug")), ENCODER.encode(Look(4, 4, b"", b""))):
            stranger.send_bytes(said)
        answers = [ANSWERS.decode(stranger.recv_bytes()) for _ in range(3)]
    assert "a sentence or a picture" in answers[0].error
    assert answers[1].error == ""
    assert "a picture of 4 x 4 and its depth" in answers[2].error
    walker = open_localizer("builtin")
    walker.describe("mug", "mug")
    assert walker.relevance(PICTURES[0], DEPTHS[0]).map.shape == (16, 16)


def test_a_network_of_ones_own_is_opened_here(server: LocalizerServer) -> None:
    with pytest.raises(UnknownIdError, match="weights"):
        open_localizer("dense:builtin")


def test_a_walker_tells_what_looks_for_it(server: LocalizerServer) -> None:
    walker = open_localizer("builtin")
    walker.describe("mug", "mug")
    assert getattr(walker, "device", "") == f"{open_to_all('builtin').device}, for all walkers"


def test_a_server_that_fails_blames_itself_and_goes_on(
    server: LocalizerServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    walker = open_localizer("builtin")
    walker.describe("mug", "mug")
    with monkeypatch.context() as patch:
        patch.setattr(LocalizerServer, "_look", fail)
        with pytest.raises(MachineError, match="RuntimeError: out of memory"):
            walker.relevance(PICTURES[0], DEPTHS[0])
    assert walker.relevance(PICTURES[0], DEPTHS[0]).map.shape == (16, 16)


def fail(server: LocalizerServer, group: object) -> None:
    raise RuntimeError("out of memory")


def test_a_walker_refuses_a_server_with_another_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = LocalizerServer(tmp_path / "eyes", open_to_all, lambda name: "of another training")
    thread = Thread(target=server.serve)
    thread.start()
    monkeypatch.setenv(ADDRESS, str(tmp_path / "eyes"))
    try:
        with pytest.raises(MachineError, match="weights and thresholds of this process"):
            open_localizer("builtin").describe("mug", "mug")
    finally:
        server.stop.set()
        thread.join()


def test_fingerprints_tell_thresholds_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint_of("clip-grad:builtin")
    assert before == fingerprint_of("clip-grad:builtin") != fingerprint_of("clip-patch:builtin")
    assert fingerprint_of("") == fingerprint_of("builtin") != before
    assert fingerprint_of("clip-grad:openai/clip-vit-base-patch32") == ""
    with pytest.raises(UnknownIdError, match="clip-pach"):
        fingerprint_of("clip-pach:builtin")
    monkeypatch.setattr(opening, "read_thresholds", lambda weights, kind: Thresholds(0.1, 0.2))
    assert fingerprint_of("clip-grad:builtin") != before


def test_a_walker_whose_server_is_gone_blames_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ADDRESS, str(tmp_path / "nobody"))
    with pytest.raises(MachineError, match="Expected a server of localizers"):
        open_localizer("builtin")
