"""A few days of the simulated server."""

import pytest

from tests.year.__main__ import simulate


@pytest.mark.slow
@pytest.mark.parametrize(
    ("days", "members", "defaults"),
    [
        (2, 4, True),
        pytest.param(21, 12, True, marks=pytest.mark.soak),
        pytest.param(21, 12, False, marks=pytest.mark.soak),
    ],
)
async def test_nobody_is_wronged_in_some_days(days: int, members: int, *, defaults: bool) -> None:
    figures, wrong = await simulate(days, members, 1, defaults=defaults)
    assert not wrong
    assert figures["warnings and errors in the log"] == "0"
    assert int(figures["games begun"]) > 0
    assert int(figures["entries in their logs"]) > 0
