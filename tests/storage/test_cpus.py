from __future__ import annotations

from pathlib import Path

import pytest

from pentathlon.storage import cpus


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("flags\t\t: fpu sse2 avx avx2 avx512f avx512_bf16", "AVX-512, bfloat16"),
        ("flags : fpu avx avx2", "AVX2"),
        ("Features\t: fp asimd bf16", "NEON, bfloat16"),
        ("flags : fpu sse2", ""),
        ("", ""),
    ],
)
def test_the_widest_vector_instructions_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, told: str
) -> None:
    monkeypatch.setattr(cpus, "CPUINFO", tmp_path / "cpuinfo")
    cpus.CPUINFO.write_text(f"model name : Some CPU\n{line}\n")
    assert cpus.vector_instructions() == told
    assert cpus.cpu_name() == "Some CPU"


def test_a_system_that_tells_nothing_is_described_all_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cpus, "CPUINFO", tmp_path / "none")
    assert cpus.vector_instructions() == ""
    assert cpus.cpu_name()
