"""The moves that `/move` suggests while a move is being typed."""

import pytest

from bot.ui.autocomplete import matching_moves
from rules.core.match import Match
from rules.games import BY_KEY


def after(game: str, options: dict[str, int], *moves: str) -> Match:
    match = Match.start(BY_KEY[game], options, 2)
    for text in moves:
        match = match.play(match.to_move[0], text)
    return match


GRID = after("xlines", {"size": 12})
LINES = after("spaghetti", {"size": 5}, "a1", "b1", "c1", "d1", "e1")
WALLS = after("maze", {"size": 3})
RING = after("alaric", {"size": 24})


@pytest.mark.parametrize(
    ("match", "typed", "first", "number"),
    [
        (GRID, "", "a12", 25),
        (GRID, "c", "c12", 12),
        (GRID, "c1", "c1", 4),
        (GRID, "C 3", "c3", 1),
        (GRID, "3c", "c3", 1),
        (GRID, "3", "a3", 12),
        (GRID, "c13", "", 0),
        (GRID, "cc", "", 0),
        (GRID, "resign", "", 0),
        (GRID, "…", "", 0),
        (RING, "1", "1", 11),
        (RING, "#7.", "7", 1),
        (LINES, "3-", "3-7", 9),
        (LINES, "14 to 3", "3-14", 1),
        (LINES, "10-", "10-17", 9),
        (WALLS, "d1", "d1-b3", 4),
        (WALLS, "c4 to b", "c4-b3", 2),
    ],
)
def test_moves_that_begin_with_the_typed_text_come_first(
    match: Match, typed: str, first: str, number: int
) -> None:
    texts = matching_moves(match, match.to_move[0] or 0, typed, 25)
    assert (texts[0] if texts else "", len(texts)) == (first, number)
    assert set(texts) <= set(match.legal() or ())


def test_nothing_is_offered_where_moves_are_secret() -> None:
    match = Match.start(BY_KEY["palindromes"], {"cards": 8}, 2).play(None, "deal 4")
    assert matching_moves(match, 0, "arrange RBRBRBRB", 25) == []
