"""Games are seen from all places of their server, and in direct messages only from the same channel."""

import pytest

from db.values.places import Place

NEAR = [
    (Place(1, 2), Place(1, 3), True),
    (Place(1, 2), Place(4, 5), False),
    (Place(None, 2), Place(None, 2), True),
    (Place(None, 2), Place(None, 3), False),
    (Place(None, 2), Place(1, 3), False),
    # The bot has joined a server, or left it, where members had brought it along.
    (Place(None, 2), Place(1, 2), True),
]


@pytest.mark.parametrize(("one", "other", "near"), NEAR)
def test_near(one: Place, other: Place, near: bool) -> None:
    assert (one.near(other), other.near(one)) == (near, near)
