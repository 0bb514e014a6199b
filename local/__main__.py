"""`python -m local`."""

import sys

from local.commands import main

if __name__ == "__main__":
    sys.exit(main())
