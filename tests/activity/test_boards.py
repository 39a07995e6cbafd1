"""The page is told nothing of a match that its member may not know."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.activity.boards import version
from bot.activity.watching import Standing
from db.values.challenges import Answer
from db.values.proposals import Matter, Proposal
from rules.core.match import Match
from rules.games import find
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
