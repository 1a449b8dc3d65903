"""Which system calls numpy, torch, transformers and the sandbox's own programs make, and which the filter refuses.

``python bench/sandbox_calls.py``: runs a few programs under strace, outside of the sandbox, so that nothing is refused
yet, and prints every call that is not on the list of those allowed. Needs strace; takes a minute of processor time.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from pentathlon.server.sandbox.syscalls import ALLOWED, FORBIDDEN

FILTERED = ("clone", "fcntl", "ioctl", "socketpair")
"""Allowed with some arguments only; calls with others are named too."""
PROGRAMS = {
    "numpy": """
import numpy as np, tempfile, pathlib
rng = np.random.default_rng(0)
np.linalg.svd(rng.normal(size=(300, 300)))
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "a.npy"
    np.save(path, np.ones(10)); np.load(path, mmap_mode="r")
""",
    "torch": """
import io, os, torch, tempfile, pathlib
torch.set_num_threads(2)
net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.LazyLinear(4))
loss = net(torch.randn(4, 3, 32, 32)).sum(); loss.backward()
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "w.pt"
    torch.save(net.state_dict(), path); torch.load(path, weights_only=True, mmap=True)
torch.jit.trace(torch.nn.Linear(2, 2), torch.ones(1, 2))
torch.fft.fft(torch.randn(64)); torch.linalg.eigh(torch.eye(8))
""",
    "transformers": """
import tempfile, torch
from transformers import CLIPVisionConfig, CLIPVisionModel
sizes = dict(hidden_size=32, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, image_size=32)
config = CLIPVisionConfig(**sizes)
with tempfile.TemporaryDirectory() as folder:
    CLIPVisionModel(config).save_pretrained(folder)
    CLIPVisionModel.from_pretrained(folder)(torch.zeros(1, 3, 32, 32))
""",
    "processes and threads": """
import asyncio, concurrent.futures, multiprocessing, os, select, signal, sqlite3, subprocess, tempfile, threading, time
if __name__ == "__main__":
    with concurrent.futures.ThreadPoolExecutor(4) as pool: list(pool.map(abs, range(9)))
    with multiprocessing.get_context("fork").Pool(2) as pool: pool.map(abs, range(9))
    left, right = multiprocessing.Pipe(); left.send(1); right.recv()
    subprocess.run(["/bin/sh", "-c", "ls /usr > /dev/null; sleep 0.01"], check=True)
    asyncio.run(asyncio.sleep(0.01))
    signal.setitimer(signal.ITIMER_REAL, 0); time.sleep(0.01); os.urandom(8); os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as folder:
        base = sqlite3.connect(f"{folder}/a.db"); base.execute("create table t (a)"); base.commit()
""",
    "pictures": """
import io, tempfile, PIL.Image, mujoco
picture = PIL.Image.new("RGB", (64, 64)); buffer = io.BytesIO(); picture.save(buffer, "PNG"); buffer.seek(0)
PIL.Image.open(buffer).load()
model = mujoco.MjModel.from_xml_string("<mujoco/>"); mujoco.mj_step(model, mujoco.MjData(model))
""",
    "the harness and the unpacker": """
import pentathlon.server.sandbox.harness, pentathlon.server.sandbox.unpacking.unpacker as unpacker
from pentathlon.server.sandbox.limits import limit_process
from pentathlon.server.sandbox.window import Window
Window().close(); limit_process(2**33, 4096, 2**30)
""",
}


def calls_of(program: str) -> set[str]:
    """The names of the calls that a program makes, those of :data:`FILTERED` with what decides about them."""
    with tempfile.TemporaryDirectory() as folder:
        trace, file = Path(folder) / "trace", Path(folder) / "program.py"
        file.write_text(program)
        words = ["strace", "-f", "-qq", "-X", "raw", "-e", "signal=none", "-o", str(trace), sys.executable, str(file)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        found = set()
        for line in trace.read_text(errors="replace").splitlines():
            if match := re.match(r"\d+ +(\w+)\((?:[^,]*, )?([^,)]*)", line):
                found.add(f"{match[1]} {match[2]}" if match[1] in FILTERED else match[1])
        return found


def main() -> None:
    for title, program in PROGRAMS.items():
        calls = calls_of(program)
        names = {call.split()[0] for call in calls}
        unlisted = sorted(names - set(ALLOWED) - set(FILTERED) - set(FORBIDDEN))
        print(f"{title}: {len(names)} calls; forbidden: {sorted(names & set(FORBIDDEN))}; absent: {unlisted}")
        print("  " + "; ".join(sorted(call for call in calls if call.split()[0] in FILTERED)))


if __name__ == "__main__":
    main()
