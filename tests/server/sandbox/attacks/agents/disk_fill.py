"""Writes until every disk is full: one long file, then many."""

from honest import Honest


def fill(folder):
    written = 0
    try:
        for number in range(1000):
            with open(f"{folder}/fill-{number}", "wb") as file:
                for _ in range(16):
                    written += file.write(bytes(2**20))
    except OSError as error:
        print(f"blocked after {written // 2**20} MiB in {folder}: {error}")
        return
    print(f"SUCCEEDED in writing {written // 2**20} MiB to {folder}")


def make(**_):
    for folder in ("/tmp", "/dev/shm", "/var/tmp", "/run"):
        fill(folder)
    return Honest()
