"""A few days of the simulated year."""

import pytest

from tests.year.__main__ import simulate


@pytest.mark.soak
@pytest.mark.parametrize("defaults", [False, True])
async def test_nobody_is_wronged_in_some_days(*, defaults: bool) -> None:
    figures, wrong = await simulate(21, 12, 1, defaults=defaults)
    assert not wrong
    assert int(figures["games begun"]) > 0
