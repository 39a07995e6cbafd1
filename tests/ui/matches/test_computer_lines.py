"""The lines of boards about computer players."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bot.app.matches.loaded import LoadedMatch, back_to
from bot.ui.matches.panel import introductions, last_answers, panel
from db.values.matches import StoredMatch
from db.values.members import computer_player
from db.values.places import DiscordId, Place
from rules.core.match import Match
from rules.games import find
from rules.lessons import lesson_of
from tests.ui.words import words

ADA, NIB, QUILL = 101, computer_player(5), computer_player(4)


def loaded(game: str, users: tuple[DiscordId, ...], *moves: str) -> LoadedMatch:
    """Return a match between these users after these moves."""
    match = Match.start(find(game), {}, len(users))
    for text in moves:
        match = match.play(match.to_move[0], text)
    salts = tuple(None for _ in match.log)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    stored = StoredMatch(7, match.setup, 1, Place(1, 2), users, match.log, salts, at, None, None)
    return LoadedMatch(stored, match)


def said(shown: LoadedMatch) -> str:
    return words(panel(shown, "paper", live=True))


def labels(shown: LoadedMatch) -> list[str]:
    view: Any = panel(shown, "paper", live=True)
    return re.findall(r"'label': '([^']+)'", str(view.to_components()))


def test_a_computer_player_is_introduced_until_the_member_has_moved() -> None:
    how, line = introductions(loaded("alaric", (NIB, ADA)))
    lesson = lesson_of("alaric")
    assert lesson is not None
    assert how == f"*{lesson.how}*"
    assert line == "🖋️ **Nib**, level 5 of 5"
    assert introductions(loaded("alaric", (NIB, ADA), "1")) == [how, line]
    assert introductions(loaded("alaric", (NIB, ADA), "1", "3")) == []
    assert introductions(loaded("alaric", (ADA, 102))) == [how]
    assert introductions(loaded("alaric", (NIB, ADA)), 1138) == [how, f"{line} · suits your rating of 1138"]


def test_a_board_tells_the_members_move_and_the_answers() -> None:
    two = loaded("alaric", (ADA, NIB), "1", "3")
    assert last_answers(two) == 1
    assert "<@101> ◎ played 1" in said(two)
    assert "Nib ≡ played 3" in said(two)
    assert last_answers(loaded("alaric", (ADA, NIB), "1", "3", "5")) == 0
    assert last_answers(loaded("alaric", (NIB, ADA), "1")) == 0
    three = loaded("cocomposite", (ADA, QUILL, NIB))
    for _ in range(3):
        three = loaded(
            "cocomposite", three.stored.users, *(text for _, text in three.match.log), first(three)
        )
    assert last_answers(three) == 2
    taken_back = replace(two.stored, log=(*two.stored.log, back_to(0)), salts=(None,) * 3)
    assert last_answers(LoadedMatch.of(taken_back)) == 0


def first(shown: LoadedMatch) -> str:
    """The first legal move."""
    return (shown.match.legal() or ())[0]


def test_a_board_says_who_thinks_and_offers_no_move_for_it() -> None:
    shown = loaded("alaric", (ADA, NIB), "1")
    assert "**Nib ≡ is thinking.**" in said(shown)
    assert "your turn" not in said(shown)
    assert labels(shown) == ["More"]
    assert "<@90" not in said(shown)
