"""Whatever is shown fits Discord's limits, on the largest boards and with the longest lists."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from discord import ui

import render
from bot.app.table import Table
from bot.entry.letters import in_letters
from bot.entry.offer import offer
from bot.entry.overview import overview
from bot.entry.panel import panel
from bot.entry.pictures import FILE_ALT, GALLERY_ALT
from bot.entry.sheet import sheet
from bot.entry.standing import leaderboard
from db.values import Answer, Challenge, Panel, Participant, Place, Reply, Standing, StoredMatch, Terms
from render.drawn import DRAWN
from rules.core.game import Game
from rules.core.match import Match, setup_of
from rules.games import GAMES
from tests.rules.walks import step

BIGGEST_ID = 2**63 - 1
NOW = datetime(2026, 1, 1, tzinfo=UTC)
CONTENT, COMPONENTS, TEXT = 2000, 40, 4000
"""Characters of a plain message, components of a message, characters of all its texts."""

every_game = pytest.mark.parametrize("game", DRAWN, ids=lambda game: game.key)


def table(match: Match, number: int = 999_999) -> Table:
    """The match as stored, with ids as long as they get."""
    users = tuple(BIGGEST_ID - seat for seat in range(match.setup.players))
    place = Place(BIGGEST_ID, BIGGEST_ID)
    shown = Panel(BIGGEST_ID, BIGGEST_ID, len(match.log))
    salts = tuple(f"{ply:032x}" if ply in match.sealed else None for ply in range(len(match.log)))
    stored = StoredMatch(number, match.setup, 1, place, users, match.log, salts, NOW, None, None, shown)
    return Table(stored, match)


def challenge(number: int, users: tuple[int, ...], terms: Terms, answer: Answer) -> Challenge:
    """A challenge of the first to the others."""
    place = Place(BIGGEST_ID, BIGGEST_ID)
    asked = tuple(Participant(user, Reply.ASKED) for user in users[1:])
    late = NOW + timedelta(hours=1)
    return Challenge(
        number,
        terms,
        place,
        users[0],
        (Participant(users[0], Reply.IN), *asked),
        False,
        NOW,
        late,
        answer,
        None,
        None,
    )


def largest(game: Game[Any, Any]) -> dict[str, int]:
    return {option.key: option.high for option in game.options}


@every_game
def test_panels_fit_all_along_the_largest_game(game: Game[Any, Any]) -> None:
    match = Match.start(game, largest(game), 2)
    chance = random.Random(1)
    while True:
        shown = table(match)
        view = panel(shown, "paper", live=True)
        assert view.total_children_count <= COMPONENTS
        assert view.content_length() <= TEXT
        seen = match.observe(None)
        assert 0 < len(render.alt(seen, GALLERY_ALT)) <= GALLERY_ALT
        assert 0 < len(render.alt(seen, FILE_ALT)) <= FILE_ALT
        assert all(len(in_letters(shown, seat)) <= TEXT for seat in (None, 0, 1))
        if match.over or len(match.log) > 80:
            break
        match = step(match, chance)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_rules_fit(game: Game[Any, Any]) -> None:
    view = sheet(game)
    assert view.total_children_count <= COMPONENTS
    assert view.content_length() <= TEXT


@every_game
@pytest.mark.parametrize("answer", Answer)
def test_a_challenge_says_who_what_and_how_it_stands(game: Game[Any, Any], answer: Answer) -> None:
    setup = setup_of(game, largest(game), 2)
    made = challenge(1, (1, 2), Terms(setup.game, setup.options, 2, 2), answer)
    view = offer(made)
    texts = [item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay)]
    assert game.sheet.title in texts[0]
    assert "<@1> challenges <@2>" in texts[0]
    assert ("expires" if answer is Answer.OPEN else answer.value) in texts[0]
    assert any(isinstance(item, ui.ActionRow) for item in view.walk_children()) == (answer is Answer.OPEN)


def test_many_games_still_fit_into_one_message() -> None:
    longest = max(DRAWN, key=lambda game: len(game.sheet.title))
    games = [table(Match.start(longest, {}, 2), 100_000 + number) for number in range(60)]
    terms = Terms(longest.key, games[0].stored.setup.options, 2, 2)
    challenges = [challenge(number, (1, BIGGEST_ID), terms, Answer.OPEN) for number in range(60)]
    mine, others = games[0].stored.users
    for user in (mine, others, 1):
        view = overview(user, games, games, challenges)
        assert view.content_length() <= TEXT
        texts = [item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay)]
        assert all("- and 55 more" in text for text in texts)
        assert all("https://discord.com/channels/" in text for text in texts if "Challenges" not in text)


def test_members_with_the_same_record_share_a_place() -> None:
    rows = [
        Standing(BIGGEST_ID - 1, 3, 0, 1),
        Standing(2, 2, 1, 0),
        Standing(3, 2, 1, 0),
        Standing(4, 0, 0, 9),
    ]
    lines = leaderboard("Leaderboard", rows).splitlines()[1:]
    assert [line.split(".")[0] for line in lines] == ["1", "2", "2", "4"]
    assert len(leaderboard("Leaderboard of all games", rows * 5)) <= CONTENT
