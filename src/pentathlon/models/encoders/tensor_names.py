"""Lists tensor names so that people can read all of them: what blocks or layers share is told once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"(?:^|(?<=\.))\d+(?=\.|$)")


def fold_names(names: Iterable[str]) -> str:
    """Joins ``names``, folding their first numbered part and their last: ``blocks.0-11.norm1.{bias, weight}``."""
    numbers: dict[tuple[str, str], list[int]] = defaultdict(list)
    folded = []
    for name in names:
        number = _NUMBER.search(name)
        if number is None:
            folded.append(name)
        else:
            numbers[name[: number.start()], name[number.end() :]].append(int(number[0]))
    folded += [f"{before}{_ranges(sorted(found))}{after}" for (before, after), found in numbers.items()]
    parts: dict[str, list[str]] = defaultdict(list)
    for name in sorted(folded):
        owner, dot, part = name.rpartition(".")
        parts[owner + dot].append(part)
    return ", ".join(f"{owner}{_braced(found)}" for owner, found in sorted(parts.items()))


def _ranges(numbers: Sequence[int]) -> str:
    """Writes sorted ``numbers`` as ``0-3,5``."""
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    return ",".join(str(start) if start == end else f"{start}-{end}" for start, end in zip(starts, ends, strict=True))


def _braced(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{{{', '.join(parts)}}}"
