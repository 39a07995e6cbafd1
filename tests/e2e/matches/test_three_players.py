"""Games of three members, played over the wire: to the end, and with one of them leaving."""

import pytest

from tests.e2e.club import Club
from tests.e2e.messages import message_with, text_of
from tests.e2e.panels import no_controls, panels
from tests.e2e.play import challenge, to_the_end


@pytest.mark.soak
@pytest.mark.parametrize("game", ["maze", "cocomposite"])
async def test_three_play_to_the_end(club: Club, game: str) -> None:
    """In `make test`, `test_the_host_starts_with_three` and `test_a_lobby_in_a_group` begin such games."""
    three = (club.ada, club.grace, club.emmy)
    first = await challenge(club.ada, (club.grace, club.emmy), game, "quick")
    assert all(f"<@{member.id}>" in first.text for member in three)
    last, used = await to_the_end(three, first)
    assert {"typed", "autocomplete"} <= used
    assert (
        " beat " in last.text
        or " drew " in last.text
        or " shared the win" in last.text
        or " won with " in last.text
    )
    for board in await panels(club.ada):
        await no_controls(club.ada, board)
    await club.emmy.command("leaderboard", game=game)
    listed = text_of(await message_with(club.emmy, "Leaderboard:"))
    assert all(f"<@{member.id}>" in listed for member in three)
