"""`python -m bot.prove`, the name of `python -m bot prove` up to version 0.2."""

import sys

from bot.operators.prove import main

if __name__ == "__main__":
    sys.exit(main())
