"""Lists tensor names so that people can read all of them: what differs only in the block is told once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"(?:^|(?<=\.))\d+(?=\.|$)")


def fold_names(names: Iterable[str]) -> str:
    """Joins ``names``, those that differ only in their first numbered part as ``blocks.0-11.norm1.bias``."""
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    plain = []
    for name in names:
        number = _NUMBER.search(name)
        if number is None:
            plain.append(name)
        else:
            places[name[: number.start()], name[number.end() :]].append(int(number[0]))
    folded = [f"{before}{_ranges(sorted(numbers))}{after}" for (before, after), numbers in places.items()]
    return ", ".join(sorted(plain + folded))


def _ranges(numbers: Sequence[int]) -> str:
    """Writes sorted ``numbers`` as ``0-3,5``."""
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    return ",".join(str(start) if start == end else f"{start}-{end}" for start, end in zip(starts, ends, strict=True))
