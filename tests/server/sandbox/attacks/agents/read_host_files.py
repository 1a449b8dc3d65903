"""Reads the host's secrets, by name and by walking everything that can be seen."""

import os
from pathlib import Path

from honest import Honest, attempt


def walk(needle):
    for root, folders, files in os.walk("/"):
        if root.startswith(("/proc", "/sys", "/usr")) or root.count("/") > 5:
            folders.clear()
        if needle in files:
            return Path(root, needle).read_text()
    raise FileNotFoundError(needle)


def make(secret, **_):
    attempt("read the secret", Path(secret).read_text)
    attempt("find the secret", lambda: walk(Path(secret).name))
    for file in ("/etc/shadow", "/etc/passwd", "/root/.bashrc", "/var/log/dpkg.log"):
        attempt(f"read {file}", Path(file).read_text)
    return Honest()
