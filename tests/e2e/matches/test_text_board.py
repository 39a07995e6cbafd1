"""A whole game over the wire by members who see no picture: `/board` as text, then `/move`."""

import pytest

from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import once, text_of
from tests.e2e.panels import panel_at
from tests.e2e.play import by_command, challenge
from tests.ui.matches.test_text_board import readable


async def in_letters(player: Player, match: int) -> str:
    """The answer to `/board` in letters, which only this member sees."""
    answer = (await player.command("board", number=match, as_text=True))["message"]
    assert answer["ephemeral_for"] == player.id
    return text_of(await once(player, answer, lambda now: text_of(now) != ""))


@pytest.mark.soak
async def test_a_game_without_a_picture(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "maze", "2")
    members = {player.id: player for player in (club.ada, club.grace)}
    while panel.turn is not None:
        player = members[panel.turn]
        moves = readable(await in_letters(player, panel.match))
        await by_command(player, panel, moves[panel.plies % len(moves)])
        panel = await panel_at(player, panel.match, panel.plies + 1)
    over = await in_letters(club.ada, panel.match)
    assert "turn.**" not in over
    assert "the score is" in over
