"""The source of randomness of tests."""

import os
import random

import pytest
from hypothesis import strategies as st

SEED = os.environ.get("PENCILBOX_SEED", "")
"""Empty: every run makes the same choices. Anything else makes others, and the same ones again with the same seed."""


def chance_for(what: object) -> random.Random:
    """Random choices for a test, by what they are for."""
    return random.Random(f"{what} {SEED}" if SEED else str(what))


SHARE = float(os.environ.get("PENCILBOX_TRIALS", "0.03"))
"""The share of the examples asked for that are tried: three in a hundred in `make test`, all in `make soak`."""


def sample(number: int) -> int:
    """Return how many of `number` examples this run tries."""
    return max(3, round(number * SHARE))


def seeds(number: int) -> pytest.MarkDecorator:
    """Run a test once for each `seed` of a sample."""
    params = [pytest.param(seed, marks=pytest.mark.sampled) for seed in range(sample(number))]
    return pytest.mark.parametrize("seed", params)


CHARACTERS = st.characters(exclude_categories=["Cs"])
"""Any characters. `st.text()` tries the same, but it first encodes all of them, which takes seconds in a new clone."""
