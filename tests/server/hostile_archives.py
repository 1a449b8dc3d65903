"""The hostile archives: how each is made, and a word of the sentence that must refuse it."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

from pentathlon.server.sandbox import Limits

LIMITS = Limits(archive_files=50, archive_bytes=4 * 2**20, archive_ratio=100.0)
MANIFEST = b'{"format": "pentathlon-entrant-v1", "kind": "policy", "factory": "agent:make"}'


def make_zip(path: Path, members: list[tuple[str | zipfile.ZipInfo, bytes]]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("entrant.json", MANIFEST)
        for name, content in members:
            archive.writestr(name, content)
    return path


def make_tar(path: Path, members: list[tarfile.TarInfo], content: bytes = b"x", mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:
        for member in members:
            if member.isreg():
                member.size = len(content)
            archive.addfile(member, io.BytesIO(content) if member.isreg() else None)
    return path


def tar_member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, link
    return member


def zip_symlink(path: Path) -> Path:
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    return make_zip(path, [(link, b"/etc/passwd"), ("link/written", b"x")])


def zip_encrypted(path: Path) -> Path:
    make_zip(path, [("weights.bin", b"x" * 100)])
    data = bytearray(path.read_bytes())
    # The flag of the first member, in its local and in its central header.
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    path.write_bytes(data)
    return path


def zip_lying_about_size(path: Path) -> Path:
    make_zip(path, [("weights.bin", bytes(3 * 2**20))])
    data = bytearray(path.read_bytes())
    name = data.rindex(b"weights.bin")
    central = data.rindex(b"PK\x01\x02", 0, name)
    data[central + 24 : central + 28] = struct.pack("<I", 1000)
    path.write_bytes(data)
    return path


def zip_duplicates(path: Path) -> Path:
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return make_zip(path, [("agent.py", b"good"), ("agent.py", b"evil")])


def truncated(path: Path) -> Path:
    make_tar(path, [tar_member("agent.py")], b"x" * 200_000, "w:gz")
    path.write_bytes(path.read_bytes()[:100])
    return path


def tar_link_then_through_it(path: Path) -> Path:
    return make_tar(path, [tar_member("way", tarfile.SYMTYPE, ".."), tar_member("way/outside.txt")])


def tar_sparse(path: Path) -> Path:
    member = tar_member("weights.bin")
    member.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(2**50)}
    return make_tar(path, [member], b"1\n0\n1\n".ljust(512, b"\0") + b"x")


def zip_by(method: int) -> Callable[[Path], Path]:
    def make(path: Path) -> Path:
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("agent.py", b"x")
        return path

    return make


def zip_of_endless_list(path: Path) -> Path:
    return make_zip(path, [(f"{n:040}", b"") for n in range(4000)])


def tar_with_long_header(path: Path) -> Path:
    """The header alone, gzipped: what it announces would be read into memory before anything is listed."""
    header = tar_member("pax", tarfile.XHDTYPE)
    header.size = 2**30
    path.write_bytes(gzip.compress(header.tobuf() + bytes(2 * 2**20)))
    return path


def tar_with_endless_file(path: Path) -> Path:
    """A file of 2**60 bytes of which none is there."""
    header = tarfile.TarInfo("weights.bin")
    header.size = 2**60
    path.write_bytes(header.tobuf(tarfile.GNU_FORMAT) + bytes(2 * tarfile.BLOCKSIZE))
    return path


def tar_with_negative_size(path: Path) -> Path:
    """A header that leads back to itself."""
    header = bytearray(tarfile.TarInfo("weights.bin").tobuf(tarfile.GNU_FORMAT))
    header[124:136] = b"\xff" * 10 + (2**16 - 1024).to_bytes(2, "big")
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    path.write_bytes(bytes(header) + bytes(20 * tarfile.BLOCKSIZE))
    return path


def tar_with_notes(path: Path, /, **notes: str) -> Path:
    """A plain file whose extended header says something else."""
    member = tar_member("weights.bin")
    member.pax_headers = notes
    return make_tar(path, [member, tar_member("agent.py")])


def zip_named_otherwise_inside(path: Path) -> Path:
    make_zip(path, [("agent.py", b"x")])
    data = path.read_bytes()
    path.write_bytes(data.replace(b"agent.py", b"/etc/pw1", 1))
    return path


def zip_of_implied_folders(path: Path) -> Path:
    return make_zip(path, [("/".join(f"{n}-{depth}" for depth in range(19)), b"") for n in range(3)])


def tar_with_endless_sparse_map(path: Path) -> Path:
    member = tar_member("weights.bin")
    member.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "1"}
    return make_tar(path, [member], b"1000000\n" + b"1\n" * 1_000_000, "w")


Maker = Callable[[Path], Path]
HOSTILE_ARCHIVES: dict[str, tuple[Maker, str]] = {
    "zip climbs out": (lambda path: make_zip(path, [("../outside.txt", b"x")]), "outside its folder"),
    "zip climbs out later": (lambda path: make_zip(path, [("a/b/../../../outside.txt", b"x")]), "outside its folder"),
    "zip is absolute": (lambda path: make_zip(path, [("/tmp/outside.txt", b"x")]), "outside its folder"),
    "zip has a drive": (lambda path: make_zip(path, [("C:\\outside.txt", b"x")]), "outside its folder"),
    "zip links": (zip_symlink, "'link' is a symbolic link"),
    "zip is encrypted": (zip_encrypted, "is encrypted"),
    "zip lies about a size": (zip_lying_about_size, "longer than the archive says|damaged"),
    "zip has a name twice": (zip_duplicates, "holds 'agent.py' twice"),
    "zip has names alike": (lambda path: make_zip(path, [("agent.py", b"good"), ("Agent.PY", b"evil")]), "twice"),
    "zip has a file as folder": (lambda path: make_zip(path, [("a", b"x"), ("a/b", b"x")]), "both as a file and"),
    "zip bomb of one file": (lambda path: make_zip(path, [("zeros", bytes(3 * 2**20))]), "packed more than 100 to 1"),
    "zip bomb of many": (lambda path: make_zip(path, [(f"{n}", bytes(2**20)) for n in range(9)]), "more than 4 MiB"),
    "zip of too many files": (lambda path: make_zip(path, [(f"{n}", b"") for n in range(60)]), "more than 50 files"),
    "zip of implied folders": (zip_of_implied_folders, "more than 50 files and folders"),
    "zip names a file otherwise inside": (zip_named_otherwise_inside, "damaged"),
    "zip has a long name": (lambda path: make_zip(path, [("x" * 300, b"x")]), "too long a name"),
    "zip is deep": (lambda path: make_zip(path, [("d/" * 40 + "x", b"x")]), "too long a name"),
    "zip has an invisible name": (lambda path: make_zip(path, [("agent\u202eyp.py", b"x")]), "control characters"),
    "zip by bzip2": (zip_by(zipfile.ZIP_BZIP2), "another method than deflate"),
    "zip by lzma": (zip_by(zipfile.ZIP_LZMA), "another method than deflate"),
    "zip of an endless list": (zip_of_endless_list, "list of files takes"),
    "tar has an endless header": (tar_with_long_header, "a header of 1,073,741,824 bytes"),
    "tar has an endless file": (tar_with_endless_file, "more than 4 MiB"),
    "tar has a negative size": (tar_with_negative_size, "damaged"),
    "tar has a negative size by its notes": (lambda path: tar_with_notes(path, size="-1024"), "damaged"),
    "tar is absolute by its notes": (lambda path: tar_with_notes(path, path="/tmp/outside.txt"), "outside its folder"),
    "tar is sparse by its notes": (lambda path: tar_with_notes(path, **{"GNU.sparse.map": "0,1"}), "sparse"),
    "tar has an endless sparse map": (tar_with_endless_sparse_map, "'weights.bin' is a sparse file"),
    "tar by bzip2": (lambda path: make_tar(path, [tar_member("x")], mode="w:bz2"), "no archive that can be read"),
    "tar climbs out": (lambda path: make_tar(path, [tar_member("../outside.txt")]), "outside its folder"),
    "tar is absolute": (lambda path: make_tar(path, [tar_member("/tmp/outside.txt")]), "outside its folder"),
    "tar links and writes through": (tar_link_then_through_it, "'way' is a symbolic link"),
    "tar hard-links": (lambda path: make_tar(path, [tar_member("p", tarfile.LNKTYPE, "/etc/passwd")]), "a hard link"),
    "tar has a device": (lambda path: make_tar(path, [tar_member("disk", tarfile.BLKTYPE)]), "a device"),
    "tar has a pipe": (lambda path: make_tar(path, [tar_member("pipe", tarfile.FIFOTYPE)]), "a device, a pipe"),
    "tar is sparse": (tar_sparse, "sparse|more than 4 MiB"),
    "tar bomb": (lambda path: make_tar(path, [tar_member("zeros")], bytes(3 * 2**20), "w:gz"), "more than 100 to 1"),
    "tar of too many files": (lambda path: make_tar(path, [tar_member(f"{n}") for n in range(60)]), "more than 50"),
    "tar is torn": (truncated, "damaged"),
    "no archive": (lambda path: path.write_bytes(b"MZ" * 1000) and path, "no archive that can be read"),
}
