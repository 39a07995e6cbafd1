"""The page is told nothing of a match that its member may not know."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.activity.boards import preview, version
from bot.activity.watching import Standing
from db.values.challenges import Answer
from db.values.proposals import Matter, Proposal
from render.picture import scene
from render.touch import named, places
from rules.core.match import Match
from rules.core.prompt import SegmentPrompt
from rules.games import GAMES, find
from tests.ui.test_messages import loaded

DEAL, ROWS = "deal 7", ("arrange RRRBRRRBRB", "arrange RBRBBBRBBB")


def standing(match: Match, *proposals: Proposal) -> Standing:
    return Standing(loaded(match), None, proposals)


def searching() -> Match:
    """A game of palindromes in which both search."""
    game = find("palindromes")
    match = Match.start(game, game.sizes["quick"], 2).play(None, DEAL)
    for seat, row in enumerate(ROWS):
        match = match.play(seat, row)
    return match


def test_hidden_move_changes_nothing_for_the_opponent() -> None:
    before = searching()
    after = before.play(0, "find RBR")
    for user, versions in zip((*loaded(before).stored.users, 999), (2, 1, 1), strict=True):
        assert len({str(version(standing(it), user)) for it in (before, after)}) == versions


def test_offer_changes_what_everybody_sees() -> None:
    match = Match.start(find("skull"), find("skull").sizes["quick"], 2)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    offer = Proposal(1, 1, Matter.DRAW, 0, 0, at, Answer.OPEN, ())
    declined = replace(offer, answer=Answer.DECLINED)
    assert len({str(version(standing(match, *it), 999)) for it in ((), (offer,), (declined,))}) == 3


@pytest.mark.parametrize("key", [game.key for game in GAMES if game.key != "palindromes"])
def test_touched_points_name_the_move_that_is_there(key: str) -> None:
    game = find(key)
    match = Match.start(game, next(iter(game.sizes.values())), 2)
    for _ in range(3):
        legal = match.legal() or ()
        match = match.play(match.to_move[0], legal[len(legal) // 2])
        seen = match.observe(match.to_move[0])
        assert seen.prompt is not None
        shown, moves = scene(seen), seen.prompt.choices
        for place in places(seen, shown, moves)[:2]:
            if len(place.points) == 1 or place.move.count("-") == 1:
                assert named(seen, shown, place.points, moves) == place.move


async def test_preview_says_what_a_line_would_cross_or_why_it_is_refused() -> None:
    game = find("spaghetti")
    match = Match.start(game, game.sizes["quick"], 2)
    while not isinstance((prompt := match.observe(seat := match.to_move[0]).prompt), SegmentPrompt):
        match = match.play(seat, (match.legal() or ())[0])
    assert seat is not None
    first = prompt.choices[0]
    before = loaded(match.play(seat, first))
    allowed = before.match.legal() or ()
    found = [await preview(before, 1 - seat, move, (), "paper") for move in (first, allowed[0], allowed[-1])]
    assert [it and it["legal"] for it in found] == [False, True, True]
    assert all(it and it["sentence"] and it["svg"] for it in found)
    assert await preview(before, 1 - seat, None, ((-500.0, -500.0),), "paper") is None


async def test_preview_of_a_hidden_move_says_nothing() -> None:
    assert await preview(loaded(searching()), 0, "find RBR", (), "paper") is None
