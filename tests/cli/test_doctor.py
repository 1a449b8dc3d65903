"""The doctor survives hanging, crashing and failing probes and says how to mend them."""

import pytest

from pentathlon.cli.doctor import command as doctor
from pentathlon.cli.doctor.command import Doctor, Probe, examine


def child_code(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    real_run = doctor.subprocess.run

    def run(command: list[str], **options: object) -> object:
        return real_run([command[0], "-c", code], **options)

    monkeypatch.setattr(doctor.subprocess, "run", run)


@pytest.mark.parametrize(
    ("code", "works", "text"),
    [
        ("print('noise'); print('torch 2.13')", True, "torch 2.13"),
        ("raise RuntimeError('no GPU here')", False, "RuntimeError: no GPU here"),
        ("import os; os.abort()", False, "crashes (signal 6)"),
        ("import time; time.sleep(60)", False, "hangs (stopped after 1 s)"),
    ],
)
def test_a_probe_cannot_take_the_doctor_along(
    code: str, works: bool, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    child_code(monkeypatch, code)
    finding = examine(Probe("part", "probe_torch", "mend it", time_limit_s=1.0 if "sleep" in code else 30.0))
    assert (finding.works, finding.text) == (works, text)


def test_status_0_only_if_the_default_events_can_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    child_code(monkeypatch, "raise RuntimeError('broken wheel')")
    monkeypatch.setattr(doctor, "PROBES", (Probe("cluster", "x", "pip install it", required=False),))
    assert Doctor().run() == 0
    monkeypatch.setattr(doctor, "PROBES", (Probe("eyes", "x", "pip install embreex"),))
    assert Doctor().run() == 1
    text = capsys.readouterr().out
    assert "pip install embreex" in text
    assert "The default events cannot run: eyes." in text


def test_the_real_probes_work_here() -> None:
    for probe in doctor.PROBES:
        if probe.required:
            finding = examine(probe)
            assert finding.works, finding


def test_the_brackets_of_an_extra_are_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    child_code(monkeypatch, "raise RuntimeError('No module named [ray]')")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(doctor, "PROBES", tuple(probe for probe in doctor.PROBES if "ray]" in probe.mend))
    assert Doctor().run() == 0
    printed = capsys.readouterr().out
    assert "pip install 'pentathlon[ray]'; only '--on ray' needs it" in printed
    assert "No module named [ray]" in printed


def test_it_tells_whether_uploads_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from pentathlon.server.sandbox import sandbox_problem

    (probe,) = (probe for probe in doctor.PROBES if probe.name == "sandbox (uploads)")
    assert examine(probe).works == (sandbox_problem() is None)
    assert "apt install bubblewrap" in probe.mend
    assert "pentathlon[server]" in probe.mend
    monkeypatch.setenv("PATH", "")
    assert not examine(probe).works
