"""`python -m bot.rerate`, the name of `python -m bot rerate` up to version 0.2."""

import sys

from bot.operators.rerate import main

if __name__ == "__main__":
    sys.exit(main())
