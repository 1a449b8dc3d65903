"""An archive that took the unpacking program over: what it can do in the sandbox, and what is believed of it."""

import dataclasses
import errno
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from pentathlon.server import disk
from pentathlon.server.disk import is_full
from pentathlon.server.sandbox import Limits, SandboxError, sandbox_problem
from pentathlon.server.sandbox.sandbox_messages import NoRoom, Unpacked, to_frame
from pentathlon.server.sandbox.unpacking import unpack as unpacking
from pentathlon.server.sandbox.unpacking.unpack import unpack

LIMITS = Limits(archive_bytes=4 * 2**20, unpack_s=20.0, output_bytes=10_000)

BEGIN = """
import os, sys, time
os.mkdir("/unpacked/agent")
os.chdir("/unpacked/agent")
def answer(frame):
    os.read(0, 1)  # Who is gone before the request is written has hung up, whatever it answered.
    sys.stdout.buffer.write(frame)
    sys.stdout.buffer.flush()
"""
END = f"answer({to_frame(Unpacked())!r})\n"

Unpacker = Callable[..., Path]


@pytest.fixture
def unpacked_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Unpacker]:
    """Unpacks an archive by a program of the attacker's; afterwards nothing of it is left and others unpack as ever."""
    archive = tmp_path / "upload"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("entrant.json", b"{}")
    before = archive.read_bytes()
    folders = tmp_path / "folders"
    folders.mkdir()

    def run(code: str, **changes: Any) -> Path:
        monkeypatch.setattr(unpacking, "UNPACKER", ("-c", BEGIN + code))
        unpack(archive, folders / "agent", dataclasses.replace(LIMITS, **changes))
        return folders / "agent"

    yield run
    assert archive.read_bytes() == before
    assert {path.name for path in folders.iterdir()} <= {"agent"}
    assert [child for child in psutil.Process().children(recursive=True) if "bwrap" in child.name()] == []
    monkeypatch.undo()
    unpack(archive, tmp_path / "next", LIMITS)
    assert (tmp_path / "next" / "entrant.json").read_bytes() == b"{}"


ATTEMPTS = {
    "reads a secret": "open({secret!r}).read()",
    "reads other uploads": "os.listdir({folder!r})",
    "writes to the archive": "open('/archive', 'ab')",
    "replaces the archive": "os.rename('x', '/archive')",
    "writes to the system": "open('/usr/x', 'w')",
    "makes a device": "os.mknod('disk', 0o60666, 0)",
    "asks the network": "__import__('socket').socket()",
    "mounts": "__import__('ctypes').CDLL(None, use_errno=True).mount(b'a', b'/tmp', b'tmpfs', 0, None) and 1 / 0",
    "kills the server": "os.kill({server}, 9)",
}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_it_gets_at_nothing(unpacked_by: Unpacker, tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hush")
    attempt = ATTEMPTS[name].format(secret=str(secret), folder=str(tmp_path), server=psutil.Process().pid)
    code = f"""
open("x", "w").close()
try:
    {attempt}
    print("SUCCEEDED", file=open("said", "w"))
except Exception as error:
    print(type(error).__name__, file=open("said", "w"))
"""
    folder = unpacked_by(code + END)
    said = (folder / "said").read_text().strip()
    assert said in ("FileNotFoundError", "PermissionError", "OSError", "ProcessLookupError", "ZeroDivisionError"), said
    assert secret.read_text() == "hush"


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (f"os.symlink('/etc/passwd', 'weights.bin')\n{END}", "something else than plain files"),
        (f"os.symlink('/', 'all')\n{END}", "something else than plain files"),
        (f"os.mkfifo('pipe')\n{END}", "something else than plain files|could not be unpacked"),
        (f"os.chdir('..')\nos.rmdir('agent')\nos.symlink('/etc', 'agent')\n{END}", "something else than plain files"),
        (f"for n in range(3): open(str(n), 'wb').write(bytes(2**21))\n{END}", "more than 4 MiB"),
        (f"open('x', 'wb').write(bytes(2**23))\n{END}", "more than 4 MiB|could not be unpacked"),
        ("held = bytearray(2**30)\nfor n in range(0, 2**30, 4096): held[n] = 1\n", "memory to unpack|could not be"),
        ("os._exit(0)\n", "could not be unpacked"),
        ("answer(b'\\xff\\xff\\xff\\xff')\ntime.sleep(60)\n", "could not be unpacked"),
        ("answer(b'\\x01\\x00\\x00\\x00x')\n", "could not be unpacked"),
        ("while True: os.write(2, b'x' * 1000)\n", "could not be unpacked"),
    ],
)
def test_what_it_leaves_is_not_believed(unpacked_by: Unpacker, code: str, sentence: str) -> None:
    with pytest.raises(SandboxError) as refusal:
        unpacked_by(code)
    assert refusal.value.state == "refused"
    assert any(words in str(refusal.value) for words in sentence.split("|")), refusal.value


def test_it_cannot_go_on_for_ever(unpacked_by: Unpacker) -> None:
    with pytest.raises(SandboxError, match="takes more than 2 s to unpack"):
        unpacked_by("while True: pass\n", unpack_s=2.0)


def test_modes_and_owners_are_ours(unpacked_by: Unpacker, tmp_path: Path) -> None:
    folder = unpacked_by(f"open('tool', 'w').close()\nos.chmod('tool', 0o6777)\nos.chmod('.', 0o707)\n{END}")
    assert stat.S_IMODE((folder / "tool").stat().st_mode) == 0o644
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert (folder / "tool").stat().st_uid == tmp_path.stat().st_uid


def test_want_of_room_is_no_fault_of_the_archive(unpacked_by: Unpacker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "WORKING_BYTES", 2**62)
    with pytest.raises(OSError, match="No space") as full:
        unpacked_by(f"answer({to_frame(NoRoom())!r})\n")
    assert full.value.errno == errno.ENOSPC
    assert is_full(full.value)


def test_an_archive_that_only_we_may_read_is_unpacked(tmp_path: Path) -> None:
    archive = tmp_path / "upload"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("entrant.json", b"{}")
    archive.chmod(0o600)
    unpack(archive, tmp_path / "agent", LIMITS)
    assert (tmp_path / "agent" / "entrant.json").is_file()


def test_a_machine_without_bubblewrap_unpacks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox_problem.cache_clear()
    try:
        with pytest.raises(SandboxError, match="bubblewrap is not installed"):
            unpack(tmp_path / "upload", tmp_path / "agent", LIMITS)
        assert list(tmp_path.iterdir()) == []
    finally:
        sandbox_problem.cache_clear()
