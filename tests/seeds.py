"""Where tests take chance from."""

import os
import random

SEED = os.environ.get("PENCILBOX_SEED", "")
"""Empty: every run makes the same choices. Anything else makes others, and the same ones again with the same seed."""


def chance_for(what: object) -> random.Random:
    """Random choices for a test, by what they are for."""
    return random.Random(f"{what} {SEED}" if SEED else str(what))
