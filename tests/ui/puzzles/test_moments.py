"""Puzzles from the games of a server are listed, opened and solved, without Discord."""

from dataclasses import replace
from io import BytesIO

import pytest
from discord import File, ui

from bot.app.errors import Refused
from bot.app.puzzles.daily import Rivalry, Week
from bot.ui.puzzles.buttons import (
    PuzzleButton,
    PuzzleTarget,
    ServerPuzzlesButton,
    choose_puzzle,
    show_server_puzzles,
)
from bot.ui.puzzles.posts import weekly_view
from db.values.places import Place
from db.values.puzzles import Solver
from tests.app.conftest import ADA, EMMY, GRACE, Host
from tests.app.moments.test_moments import played, searched_games
from tests.app.puzzles.test_weekly import MONDAY
from tests.ui.exercises import LoneMember
from tests.ui.words import words


def options(member: LoneMember) -> dict[str, str]:
    """The options of the only menu, by value."""
    view = member.seen[-1].view
    assert isinstance(view, ui.LayoutView)
    found = (getattr(part, "item", part) for part in view.walk_children())
    (menu,) = (part for part in found if isinstance(part, ui.Select))
    return {option.value: f"{option.label}: {option.description}" for option in menu.options}


async def test_the_puzzles_of_a_server_are_listed_without_their_moves(host: Host) -> None:
    member = LoneMember(host)
    await member.use(ServerPuzzlesButton())
    assert "No finished game of this server has a puzzle yet." in member.text
    loaded = await played(host)
    await searched_games(host)
    await member.use(ServerPuzzlesButton())
    assert f"Amazon Skull #{loaded.id}: <@{GRACE}> " in member.text
    assert "move 4: one move wins, 2 times in a row" in member.text
    assert options(member) == {
        f"match-{loaded.id}-4": f"#{loaded.id}, move 5: The Amazon Skull Game: one move wins, 2 times in a row",
        f"match-{loaded.id}-3": f"#{loaded.id}, move 4: The Amazon Skull Game: one move wins, 2 times in a row",
    }
    assert "c4" not in member.text
    assert "d1" not in member.text


async def test_a_puzzle_of_a_server_is_solved_and_says_what_was_played(host: Host) -> None:
    loaded = await played(host)
    await searched_games(host)
    name = f"match-{loaded.id}-3"
    member = LoneMember(host)
    await member.use(PuzzleButton(name))
    member.check()
    assert f"Amazon Skull #{loaded.id}, move 4" in member.text
    assert "In the game" not in member.text
    puzzle = await host.services.puzzles.find(name)
    for found in range(2):
        await member.enter(puzzle.after(found), PuzzleTarget(name), 1, puzzle.line[2 * found])
    assert "**Solved.** You found all 2 moves: `c4`, `d4`." in member.text
    assert f"In the game, <@{GRACE}> " in member.text
    assert "played `d3`." in member.text
    assert "puzzles:server" in member.buttons
    assert await host.store.puzzles.attempted(ADA) == {name: True}
    assert "does not change your puzzle rating" in member.text
    assert await host.store.puzzles.solver(ADA) == Solver()


async def test_the_post_of_a_week_does_not_name_a_member_who_is_not_listed(host: Host) -> None:
    loaded = await played(host)
    await searched_games(host)
    (moment, _) = await host.services.store.moments.of_match(loaded.id)
    puzzle = await host.services.moments.puzzle(moment)
    shown = words(weekly_view(Week(moment=(moment, puzzle)), MONDAY))
    assert shown.startswith("### The week · 5 January to 11 January")
    assert f"<@{GRACE}> had this position" in shown
    unnamed = words(weekly_view(Week(moment=(replace(moment, user=0), puzzle)), MONDAY))
    assert "A player had this position" in unnamed
    assert "<@" not in unnamed


def test_the_post_of_a_week_tells_of_rivals_and_streaks() -> None:
    week = Week(rivalry=Rivalry(GRACE, ADA, (3, 1, 2)), streaks=((ADA, 12), (EMMY, 5), (GRACE, 3)))
    lines = words(weekly_view(week, MONDAY)).splitlines()
    assert lines[1:] == [
        f"**Closest rivalry** · <@{GRACE}> 3\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}2 <@{ADA}> (1 of 6 rated games drawn)",
        f"**Puzzle streaks** · <@{ADA}> 12 days in a row, <@{EMMY}> 5 days and <@{GRACE}> 3 days",
    ]


async def test_the_post_of_a_week_shows_the_poster_of_its_board(host: Host) -> None:
    loaded = await played(host)
    poster = File(BytesIO(b""), filename="board.png", description="the poster")
    shown = words(weekly_view(Week(loaded), MONDAY, poster))
    assert f"**Board of the week** · Amazon Skull #{loaded.id}: <@{ADA}>" in shown
    assert "The longest game for its kind" in shown


async def test_the_puzzle_of_today_leads_to_those_of_the_server_alone(host: Host) -> None:
    member = LoneMember(host)
    member.seen.append(await choose_puzzle(member.context, None, None))
    member.check()
    assert "puzzles:server" in member.buttons
    elsewhere = replace(member.context, place=Place(None, 5))
    member.seen.append(await choose_puzzle(elsewhere, None, None))
    assert "puzzles:server" not in member.buttons
    with pytest.raises(Refused, match="In direct messages there are no such puzzles"):
        await show_server_puzzles(elsewhere)


async def test_a_position_of_a_running_game_is_neither_listed_nor_opened(host: Host) -> None:
    loaded = await played(host)
    await searched_games(host)
    running = await host.begin("skull", "quick", rated=False)
    for ply, entry in enumerate(loaded.match.log[:3]):
        await host.services.matches.play(running.id, (ADA, GRACE)[ply % 2], entry.text)
    member = LoneMember(host)
    await member.use(ServerPuzzlesButton())
    assert "No finished game of this server has a puzzle yet." in member.text
    assert await host.services.puzzles.of_match(loaded.id) == []
    with pytest.raises(Refused, match="A game that is being played"):
        await member.use(PuzzleButton(f"match-{loaded.id}-3"))
