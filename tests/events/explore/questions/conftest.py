"""Puts the table of facts that these tests share on the path."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
