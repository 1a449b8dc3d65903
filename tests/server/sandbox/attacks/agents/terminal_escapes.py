"""Prints sequences that repaint the terminal of whoever reads the log."""

from honest import Honest


def make(**_):
    print("\x1b[2J\x1b[1;1Hroot@host:~# \x1b]0;owned\x07\u202egpj.exe\r\x9b31m")
    return Honest()
