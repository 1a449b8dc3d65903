"""What ``pentathlon submit`` writes of what a server answers."""

import zipfile
from pathlib import Path
from typing import Any

import pytest

from pentathlon.cli.main import main
from pentathlon.cli.server.submit import _fetch
from pentathlon.core import DataError


class Answers:
    """A server that calls its trials as it likes."""

    def __init__(self, trial: str) -> None:
        self._trial = trial

    def fetch(self, path: str) -> bytes:
        return b"content"

    def get(self, path: str) -> Any:
        return [{"position": 0, "trial": self._trial, "video": "/video"}]


def test_log_and_videos_are_fetched(tmp_path: Path) -> None:
    folder = _fetch(Answers("seed-0-mug-front_left"), {"id": "00ff"}, tmp_path)
    assert folder == tmp_path / "00ff"
    assert sorted(path.name for path in folder.rglob("*.*")) == ["00-seed-0-mug-front_left.mp4", "log.txt"]


@pytest.mark.parametrize(("submission", "trial"), [("..", "seed-0"), ("/tmp/x", "seed-0"), ("00ff", "/../../../x")])
def test_a_server_cannot_have_files_written_elsewhere(tmp_path: Path, submission: str, trial: str) -> None:
    out = tmp_path / "out"
    with pytest.raises(DataError, match="Expected a plain name"):
        _fetch(Answers(trial), {"id": submission}, out)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] in ([], ["log.txt"])
    assert not (tmp_path / "log.txt").exists()


class Registry:
    """A server that accepts everything."""

    def __init__(self, server: str, token: str) -> None:
        assert (server, token) == ("http://host:8000", "pent_1_2")

    def get(self, path: str) -> list[dict[str, str]]:
        assert path == "/api/tasks"
        return [{"id": "act/pour-sprint-v1"}]

    def register(self, url: str, **fields: str) -> dict[str, str]:
        registered.append({"url": url, **fields})
        return {"id": "00ff"}


registered: list[dict[str, str]] = []


@pytest.mark.parametrize("kind", ["remote", "openpi", "vla-eval"])
def test_a_policy_served_elsewhere_is_registered(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pentathlon.server.client.Client", Registry)
    monkeypatch.setenv("PENTATHLON_TOKEN", "pent_1_2")
    monkeypatch.setenv("PENTATHLON_REMOTE_TOKEN", "hush")
    assert main(["submit", f"{kind}@wss://policy.example/?prompt=a+b", "--to", "http://host:8000/", "--no-wait"]) == 0
    assert registered[-1] == {
        "url": "wss://policy.example/?prompt=a+b",
        "source": kind,
        "token": "hush",
        "task": "act/pour-sprint-v1",
        "challenge": "",
        "title": "",
    }


@pytest.mark.parametrize("agent", ["wss://policy.example", "lerobot@ws://host", "openpi@http://host"])
def test_an_address_of_no_kind_is_told_from_a_folder(
    agent: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PENTATHLON_TOKEN", "pent_1_2")
    monkeypatch.setattr("pentathlon.server.client.Client", Registry)
    assert main(["submit", agent, "--to", "http://host:8000"]) != 0
    assert "Expected a folder, its archive, or remote@, openpi@ or vla-eval@ws://HOST:PORT" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["agent.zip", "agent"])
def test_a_folder_and_its_archive_are_handed_in_alike(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[list[str]] = []

    class Taker(Registry):
        def submit(self, archive: Path, **_: str) -> dict[str, str]:
            with zipfile.ZipFile(archive) as packed:
                sent.append(packed.namelist())
            return {"id": "00ff"}

    monkeypatch.setattr("pentathlon.server.client.Client", Taker)
    monkeypatch.setenv("PENTATHLON_TOKEN", "pent_1_2")
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "agent.py").write_text("x = 1")
    with zipfile.ZipFile(tmp_path / "agent.zip", "w") as packed:
        packed.write(tmp_path / "agent" / "agent.py", "agent.py")
    assert main(["submit", str(tmp_path / name), "--to", "http://host:8000/", "--no-wait"]) == 0
    assert sent == [["agent.py"]]
