"""``pentathlon doctor``: what works on this machine, and the command that mends what does not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pentathlon.storage.cpus import cpu_name, usable_cpus, vector_instructions

GIBIBYTE = 2**30
DISK_NEEDED_GIB = 2.0


@dataclass(frozen=True)
class Probe:
    """One thing to try in a child process, so that a hang or a crash cannot take us along.

    Attributes:
        name: what is probed.
        function: its name in ``pentathlon.cli.doctor.probes``.
        mend: the command that mends it.
        required: whether the default events need it.
        time_limit_s: after this it counts as hanging.
    """

    name: str
    function: str
    mend: str
    required: bool = True
    time_limit_s: float = 120.0


@dataclass(frozen=True)
class Finding:
    """What a probe found."""

    probe: Probe
    works: bool
    text: str


PROBES: tuple[Probe, ...] = (
    Probe("ray caster", "probe_raycast", "pip install --upgrade embreex numba mujoco"),
    Probe("torch", "probe_torch", "pip install torch"),
    Probe("video", "probe_video", "pip install --upgrade av"),
    Probe(
        "OpenGL (reference)",
        "probe_opengl",
        "apt install libosmesa6 and set MUJOCO_GL=osmesa; only '--renderer opengl' needs it",
        required=False,
        time_limit_s=30.0,
    ),
    Probe(
        "sandbox (uploads)",
        "probe_sandbox",
        "apt install bubblewrap and pip install 'pentathlon[server]'; only uploads to 'pentathlon serve' need it",
        required=False,
        time_limit_s=60.0,
    ),
    Probe("Ray (clusters)", "probe_ray", "pip install 'pentathlon[ray]'; only '--on ray' needs it", required=False),
)


@dataclass(frozen=True)
class Doctor:
    """Tell what works on this machine, what does not, and the command that mends it."""

    def run(self) -> int:
        """Probes everything; status 0 only if the default events can run."""
        console = Console()
        findings = []
        for probe in PROBES:
            with console.status(f"probing {probe.name} ..."):
                findings.append(examine(probe))
        findings += [examine_disk(Path.cwd()), describe_processor()]
        console.print(_table(findings))
        broken = [finding.probe.name for finding in findings if finding.probe.required and not finding.works]
        if broken:
            console.print(f"The default events cannot run: {', '.join(broken)}.")
            return 1
        console.print("The default events can run. Next: pentathlon sprint")
        return 0


def examine(probe: Probe) -> Finding:
    """Runs one probe in a child process under its time limit."""
    code = f"from pentathlon.cli.doctor.probes import {probe.function} as probe; print(probe())"
    command = [sys.executable, "-P", "-c", code]
    try:
        child = subprocess.run(command, capture_output=True, text=True, timeout=probe.time_limit_s, check=False)
    except subprocess.TimeoutExpired:
        return Finding(probe, False, f"hangs (stopped after {probe.time_limit_s:.0f} s)")
    if child.returncode == 0:
        return Finding(probe, True, _last_line(child.stdout))
    if child.returncode < 0:
        return Finding(probe, False, f"crashes (signal {-child.returncode})")
    return Finding(probe, False, _last_line(child.stderr))


def examine_disk(folder: Path) -> Finding:
    """Checks that runs can be written to ``folder``."""
    free_gib = shutil.disk_usage(folder).free / GIBIBYTE
    probe = Probe("disk", "", f"free {DISK_NEEDED_GIB:.0f} GiB, or write elsewhere with --out")
    return Finding(probe, free_gib >= DISK_NEEDED_GIB, f"{free_gib:.1f} GiB free here")


def describe_processor() -> Finding:
    """Tells what does the work, since speeds differ several times by its vector instructions."""
    parts = (cpu_name(), f"{usable_cpus()} cores", vector_instructions())
    return Finding(Probe("processor", "", ""), True, ", ".join(filter(None, parts)))


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def _table(findings: list[Finding]) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("", "part", "finding", "to mend"):
        table.add_column(name)
    for finding in findings:
        mark = (
            "[green]ok[/]" if finding.works else ("[red]broken[/]" if finding.probe.required else "[yellow]absent[/]")
        )
        mend = "" if finding.works else finding.probe.mend
        # As text, since rich would take the brackets of pentathlon[ray] for a style.
        table.add_row(mark, finding.probe.name, Text(finding.text), Text(mend))
    return table
