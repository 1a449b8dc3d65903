"""``python -m pentathlon`` is the command line."""

import sys

if not sys.flags.safe_path:
    # ``-m`` puts the present folder before all others, where a file called as a package of ours would run.
    del sys.path[0]

from pentathlon.cli import main

sys.exit(main())
