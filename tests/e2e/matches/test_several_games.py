"""Several games at once in one channel: every board says which it is, and nothing is meant for another."""

from collections.abc import Sequence

import pytest

from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import message_with, text_of, told
from tests.e2e.page_events import listening
from tests.e2e.panels import Panel, called, calls_in, panel_at, panels
from tests.e2e.play import accept, ask, by_command, legal, press_accept


async def begun(challenger: Player, opponents: Sequence[Player], game: str) -> tuple[Panel, str]:
    """The first board of a game in which the challenger begins, and the id of the challenge."""
    answer = await ask(challenger, opponents, game, "quick", order="listed")
    for opponent in opponents[:-1]:
        await press_accept(opponent, answer["id"])
    return await accept(opponents[-1], answer["id"]), answer["id"]


@pytest.mark.soak
async def test_three_games_in_one_channel(club: Club) -> None:
    members = {player.id: player for player in (club.ada, club.grace, club.emmy)}
    async with listening(club.local.url, *members.values()) as pages:
        games, challenges = await three_games(club)
        titles = {match: panel.text.splitlines()[1].removeprefix("### ") for match, panel in games.items()}
        assert {f"#{match}" for match in games} == {title.rpartition(" ")[2] for title in titles.values()}
        assert len({title.rpartition(" ")[0] for title in titles.values()}) == 3

        due: dict[str, list[str]] = {id_: [] for id_ in members}
        for panel in games.values():
            due[panel.turn or ""].append(panel.message["id"])
        for match, panel in games.items():
            mover = members[panel.turn or ""]
            await by_command(mover, panel, (await legal(mover, panel))[0])
            games[match] = await panel_at(club.emmy, match, panel.plies + 1)
            assert games[match].message["id"] == panel.message["id"]
            call = await called(club.emmy, games[match])
            assert f"[{titles[match]}](" in text_of(call)
            due[games[match].turn or ""].append(call["id"])

        boards = await panels(club.emmy)
        assert [(board.match, board.plies) for board in boards] == [(match, 1) for match in games]
        assert all(f"### {titles[board.match]}\n" in board.text for board in boards)
        asked = await club.emmy.messages()
        assert len(calls_in(asked)) == 3
        # A message below a board mentions the player on turn, and a challenge those who are asked.
        received = {events.player.id: sorted(await events.calls()) for events in pages}
        assert received == {
            club.ada.id: sorted(due[club.ada.id]),
            club.grace.id: sorted(due[club.grace.id] + challenges),
            club.emmy.id: sorted(due[club.emmy.id] + challenges[2:]),
        }

    for member, heading in ((club.ada, "Waiting for "), (club.emmy, "Also played here (2)")):
        await member.command("games")
        listed = text_of(await message_with(member, heading))
        assert all(f"[{title}](https://discord.com/" in listed for title in titles.values())


async def three_games(club: Club) -> tuple[dict[int, Panel], list[str]]:
    """Three games in the same channel, all begun by Ada: their first boards, and the ids of the challenges."""
    first = [
        await begun(club.ada, [club.grace], "alaric"),
        await begun(club.ada, [club.grace], "skull"),
        await begun(club.ada, [club.grace, club.emmy], "maze"),
    ]
    return {panel.match: panel for panel, _ in first}, [challenge for _, challenge in first]


async def test_a_move_links_to_the_next_game(club: Club) -> None:
    first, _ = await begun(club.ada, [club.grace], "alaric")
    second, _ = await begun(club.ada, [club.grace], "skull")
    await by_command(club.ada, first, (await legal(club.ada, first))[0])
    line = text_of(await told(club.ada, "Next: "))
    assert f"{second.message['id']}), where your turn came" in line
