"""The files of a site: written, copied, and removed again when a later site has them no more."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path, PurePosixPath

MANIFEST = "site.json"


class OwnedFiles:
    """Writes files below a folder and remembers which, so that nothing of anybody else is ever removed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written: set[str] = set()

    def write(self, address: str, text: str) -> Path:
        """Writes ``text`` and returns its path."""
        path = self._claim(address)
        path.write_text(text, encoding="utf-8")
        return path

    def copy(self, source: Path, address: str) -> Path:
        """Copies ``source``, unless it lies there already, and returns the path of the copy."""
        path, wanted = self._claim(address), source.stat()
        if not path.is_file() or (path.stat().st_size, path.stat().st_mtime_ns) != (wanted.st_size, wanted.st_mtime_ns):
            shutil.copyfile(source, path)
            os.utime(path, ns=(wanted.st_atime_ns, wanted.st_mtime_ns))
        return path

    def finish(self) -> None:
        """Removes what an earlier site wrote here and this one did not."""
        for address in self._earlier() - self._written:
            path = self.folder / address
            path.unlink(missing_ok=True)
            for parent in path.parents[: len(PurePosixPath(address).parts) - 1]:
                if parent.is_dir() and not any(parent.iterdir()):
                    parent.rmdir()
        (self.folder / MANIFEST).write_text(json.dumps(sorted(self._written), indent=0), encoding="utf-8")

    def _claim(self, address: str) -> Path:
        self._written.add(address)
        path = self.folder / address
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _earlier(self) -> set[str]:
        """What the manifest names, below this folder only."""
        try:
            named = json.loads((self.folder / MANIFEST).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return set()
        inside = self.folder.resolve()
        texts = (name for name in named if isinstance(name, str)) if isinstance(named, list) else ()
        return {name for name in texts if (self.folder / name).resolve().is_relative_to(inside)}
