"""Extracts archives: plain files and folders only, below the folder given, within limits.

Archives of strangers are extracted in a sandbox (``unpacking.py``). Even so every member is checked before the first
byte is written, and bytes are counted as they come out, because what an archive says of its own sizes need not be true.
"""

from __future__ import annotations

import errno
import gzip
import io
import os
import shutil
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, NoReturn

from pentathlon.server.sandbox.access import open_to_all
from pentathlon.server.sandbox.limits import Limits, SandboxError
from pentathlon.server.sizes import MEBIBYTE

MAX_NAME_BYTES = 200
MAX_PATH_BYTES = 1000
MAX_DEPTH = 20
COPY_BYTES = 256 * 1024
# A file this small cannot be a bomb, however well it packs.
RATIO_FREE_BYTES = MEBIBYTE
MAX_HEADER_BYTES = 64 * 1024
MAX_ENTRY_BYTES = 2 * MAX_PATH_BYTES

# The others are unpacked by the standard library without a limit for one read, which makes gigabytes of kilobytes.
_ZIP_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_TEXT_HEADERS = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
)

_DAMAGE = (
    *(zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error),
    *(EOFError, NotImplementedError, RuntimeError, ValueError),
)


@dataclass(frozen=True)
class _Member:
    name: str
    folder: bool
    size_bytes: int
    packed_bytes: int | None
    source: zipfile.ZipInfo | tarfile.TarInfo


def extract(archive: Path, folder: Path, limits: Limits) -> None:
    """Extracts a zip, tar or tar.gz into ``folder``, which must not exist yet; on refusal nothing is left of it.

    A single folder that holds everything else is taken off, so that the agent's files lie at the top.

    Raises:
        SandboxError: ``refused``, naming the member and what is wrong with it.
        OSError: when the disk has no room for it, before anything is written.
    """
    folder.mkdir(mode=0o755)
    try:
        with _reading():
            if zipfile.is_zipfile(archive):
                with _ZipSource(archive, limits) as source, zipfile.ZipFile(source) as zipped:
                    _extract_zip(zipped, folder, limits)
            elif _is_tar(archive, limits):
                _extract_tar(archive, folder, limits)
            else:
                _refuse("The upload is no archive that can be read: expected a .zip, .tar or .tar.gz.")
        _take_off_wrapper(folder)
        open_to_all(folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _extract_zip(zipped: zipfile.ZipFile, folder: Path, limits: Limits) -> None:
    members = [_zip_member(info) for info in zipped.infolist()]
    _check_all(members, limits)
    _check_room(members, folder)
    left_bytes = limits.archive_bytes
    for member in members:
        if member.folder:
            _make_folder(folder, member.name)
        else:
            assert isinstance(member.source, zipfile.ZipInfo)
            with zipped.open(member.source) as content:
                left_bytes -= _write(content, folder, member, left_bytes)


def _extract_tar(archive: Path, folder: Path, limits: Limits) -> None:
    # Two passes over a stream: a compressed tar must be read to be listed, so listing it is limited as well.
    with _open_tar(archive, limits) as tar:
        members = [_tar_member(info) for info in _first(tar, limits)]
    _check_all(members, limits)
    _check_room(members, folder)
    left_bytes = limits.archive_bytes
    with _open_tar(archive, limits) as tar:
        for info in tar:
            member = _tar_member(info)
            if member.folder:
                _make_folder(folder, member.name)
                continue
            content = tar.extractfile(info)
            assert content is not None
            left_bytes -= _write(content, folder, member, left_bytes)


def _zip_member(info: zipfile.ZipInfo) -> _Member:
    if info.flag_bits & 0x1:
        _refuse(f"The archive's {_shown(info.filename)} is encrypted. Upload it without a password.")
    if info.compress_type not in _ZIP_METHODS:
        _refuse(f"The archive's {_shown(info.filename)} is packed by another method than deflate. Pack it with that.")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        _refuse_kind(info.filename, "a symbolic link" if kind == stat.S_IFLNK else "a special file")
    return _Member(info.filename, info.is_dir(), info.file_size, info.compress_size, info)


def _tar_member(info: tarfile.TarInfo) -> _Member:
    if info.issym():
        _refuse_kind(info.name, "a symbolic link")
    if info.islnk():
        _refuse_kind(info.name, "a hard link")
    if not (info.isreg() or info.isdir()) or info.issparse():
        _refuse_kind(info.name, "a device, a pipe or a sparse file")
    return _Member(info.name, info.isdir(), info.size, None, info)


def _check_all(members: list[_Member], limits: Limits) -> None:
    # Folders that names imply are made too, twenty for a file if need be.
    paths = [PurePosixPath(member.name) for member in members]
    implied = {parent for path in paths for parent in path.parents} - set(paths)
    if len(members) + len(implied) - 1 > limits.archive_files:
        _refuse(f"The archive holds more than {limits.archive_files:,} files and folders.")
    total_bytes = sum(member.size_bytes for member in members)
    if total_bytes > limits.archive_bytes:
        _refuse_size(limits)
    taken: dict[str, str] = {}
    for member in members:
        _check_path(member.name)
        if _ratio(member) > limits.archive_ratio:
            _refuse(f"The archive's {_shown(member.name)} is packed more than {limits.archive_ratio:g} to 1.")
        # Names that some file systems hold to be the same would overwrite each other.
        key = unicodedata.normalize("NFC", str(PurePosixPath(member.name))).casefold()
        if not member.folder and key in taken:
            _refuse(f"The archive holds {_shown(member.name)} twice.")
        taken.setdefault(key, member.name)


def _check_room(members: list[_Member], folder: Path) -> None:
    if sum(member.size_bytes for member in members) > shutil.disk_usage(folder).free:
        raise OSError(errno.ENOSPC, "The archive does not fit on the disk")


def _check_path(name: str) -> None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        _refuse(f"The archive's {_shown(name)} would lie outside its folder. Pack the folder with relative names.")
    if any(unicodedata.category(character).startswith("C") for character in name):
        _refuse(f"The archive's {_shown(name)} has control characters in its name.")
    long = len(name.encode()) > MAX_PATH_BYTES or any(len(part.encode()) > MAX_NAME_BYTES for part in path.parts)
    if long or len(path.parts) > MAX_DEPTH:
        _refuse(
            f"The archive's {_shown(name)} has too long a name: at most {MAX_NAME_BYTES} bytes and {MAX_DEPTH} folders."
        )


def _ratio(member: _Member) -> float:
    if member.packed_bytes is None or member.size_bytes <= RATIO_FREE_BYTES:
        return 0.0
    return member.size_bytes / max(member.packed_bytes, 1)


def _make_folder(folder: Path, name: str) -> None:
    try:
        (folder / name).mkdir(mode=0o755, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        _refuse(f"The archive holds {_shown(name)} both as a file and as a folder.")


def _write(content: IO[bytes], folder: Path, member: _Member, left_bytes: int) -> int:
    path = folder / member.name
    _make_folder(folder, str(PurePosixPath(member.name).parent))
    try:
        # O_EXCL and O_NOFOLLOW: nothing that is there already is ever written to or through.
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
    except FileExistsError:
        _refuse(f"The archive holds {_shown(member.name)} twice.")
    written = 0
    with os.fdopen(opened, "wb") as file:
        while block := content.read(COPY_BYTES):
            written += len(block)
            if written > min(left_bytes, member.size_bytes):
                _refuse(f"The archive's {_shown(member.name)} is longer than the archive says.")
            file.write(block)
    return written


def _take_off_wrapper(folder: Path) -> None:
    entries = list(folder.iterdir())
    if len(entries) != 1 or not entries[0].is_dir():
        return
    place = folder.with_name(f".{folder.name}.wrapper")
    # There where an earlier attempt was killed between the two moves.
    shutil.rmtree(place, ignore_errors=True)
    wrapper = entries[0].rename(place)
    folder.rmdir()
    wrapper.rename(folder)


class _ZipSource(io.FileIO):
    """A zip whose list of files is refused when it is too long to be held in memory."""

    def __init__(self, archive: Path, limits: Limits) -> None:
        super().__init__(archive)
        self._most_bytes = max(limits.archive_files * MAX_ENTRY_BYTES, COPY_BYTES)

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > self._most_bytes:
            _refuse(f"The archive's list of files takes {size:,} bytes: at most {self._most_bytes:,} are read.")
        return super().read(-1 if size is None else size)


class _PlainInfo(tarfile.TarInfo):
    """A header that is refused before what belongs to it is read into memory, however long it says that is."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _PlainInfo:
        info = super().frombuf(buf, encoding, errors)
        if info.type in _TEXT_HEADERS and info.size > MAX_HEADER_BYTES:
            _refuse(f"The archive has a header of {info.size:,} bytes: expected at most {MAX_HEADER_BYTES:,}.")
        if info.type == tarfile.GNUTYPE_SPARSE:
            _refuse_kind(info.name, "a sparse file")
        return info

    def _proc_gnusparse_10(self, next: tarfile.TarInfo, _headers: object, _tar: object) -> NoReturn:
        # The list of the file's parts would be read as far as it goes.
        _refuse_kind(next.name, "a sparse file")


class _Measured:
    """A compressed stream that refuses to give more bytes than its packed length allows."""

    def __init__(self, stream: IO[bytes], packed_bytes: int, limits: Limits) -> None:
        self._stream, self._limits = stream, limits
        self._given_bytes = 0
        # Headers and padding come on top of the files' own bytes.
        self._most_bytes = limits.archive_bytes + limits.archive_files * 4096
        self._most_by_ratio = max(int(packed_bytes * limits.archive_ratio), RATIO_FREE_BYTES)

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._given_bytes += len(data)
        if self._given_bytes > self._most_bytes:
            _refuse_size(self._limits)
        if self._given_bytes > self._most_by_ratio:
            _refuse(f"The archive is packed more than {self._limits.archive_ratio:g} to 1.")
        return data


@contextmanager
def _open_tar(archive: Path, limits: Limits) -> Iterator[tarfile.TarFile]:
    with archive.open("rb") as raw:
        compressed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        stream: IO[bytes] = gzip.GzipFile(fileobj=raw) if compressed else raw  # type: ignore[assignment]
        measured = _Measured(stream, archive.stat().st_size, limits)
        with tarfile.open(fileobj=measured, mode="r|", tarinfo=_PlainInfo) as tar:  # type: ignore[call-overload]
            yield tar


def _is_tar(archive: Path, limits: Limits) -> bool:
    try:
        with _open_tar(archive, limits):
            return True
    except tarfile.TarError:
        return False


def _first(tar: tarfile.TarFile, limits: Limits) -> Iterator[tarfile.TarInfo]:
    for count, info in enumerate(tar):
        if count >= limits.archive_files:
            _refuse(f"The archive holds more than {limits.archive_files:,} files and folders.")
        if info.size > limits.archive_bytes:
            # To come to the next file, the library reads as often as this one is said to be long, also past the end.
            _refuse_size(limits)
        yield info


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise SandboxError("refused", f"The archive is damaged or of an unknown kind: {error}.") from error


def _shown(name: str) -> str:
    printable = "".join(character if character.isprintable() else "?" for character in name)
    return repr(printable if len(printable) <= 60 else printable[:57] + "...")


def _refuse_kind(name: str, kind: str) -> NoReturn:
    _refuse(f"The archive's {_shown(name)} is {kind}: expected plain files and folders only.")


def _refuse_size(limits: Limits) -> NoReturn:
    _refuse(f"The archive unpacks to more than {limits.archive_bytes / MEBIBYTE:,.0f} MiB.")


def _refuse(sentence: str) -> NoReturn:
    raise SandboxError("refused", sentence)
