"""The terms of a challenge and of its game: the order, the clock, rated or not."""

import pytest

from tests.e2e.clocks.test_clocks import ENDS
from tests.e2e.club import Club
from tests.e2e.messages import Json, text_of
from tests.e2e.play import accept, ask, offered, press_accept


@pytest.mark.soak
async def test_a_game_is_played_as_the_challenge_says(club: Club) -> None:
    ada, grace, emmy = club.ada, club.grace, club.emmy
    cases: tuple[tuple[Json, str, str, set[str]], ...] = (
        (
            {"order": "first", "size": "4x3", "clock": "3d"},
            "4 columns, 3 rows",
            f"3 days for each move · rated**\n-# <@{ada.id}> begins",
            {ada.id},
        ),
        (
            {"order": "last"},
            "standard",
            f"no clock · casual, not rated**\n-# about 8 minutes · <@{ada.id}> goes last",
            {grace.id},
        ),
    )
    for options, size, terms, first in cases:
        made = await offered(ada, ada.command("challenge", member=grace.id, game="skull", **options))
        said = text_of(made)
        assert all(words in said for words in ("### The Amazon Skull Game", size, terms, "expires <t:"))
        panel = await accept(grace, made["id"])
        assert panel.turn in first
        assert (ENDS.search(panel.text) is not None) == ("clock" in options)

    made = await ask(ada, [emmy, grace], "maze", "quick", order="listed")
    assert f"seats in the order <@{ada.id}>, <@{emmy.id}> and <@{grace.id}>" in text_of(made)
    await press_accept(grace, made["id"])
    panel = await accept(emmy, made["id"])
    places = [panel.text.splitlines()[2].index(f"<@{player.id}>") for player in (ada, emmy, grace)]
    assert places == sorted(places)
    assert panel.turn == ada.id
