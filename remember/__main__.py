"""`python -m remember` is the `remember` command."""

import sys

from remember.cli import main

sys.exit(main())
