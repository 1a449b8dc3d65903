"""``python -m pentathlon`` is the command line."""

import sys

from pentathlon.cli import main

sys.exit(main())
