"""The line that remains of a board tells the moves that were made on it, and no more than everybody may know."""

from dataclasses import replace

from discord import ui

from bot.app.matches.seals import SHOWN_DIGITS, seals
from bot.app.matches.table import Table
from bot.app.matches.takebacks import back_to
from bot.ui.matches.boards.move_lines import MOST_MOVES, move_line
from render import seat_mark
from rules.core.match import Match, Ply
from rules.games import BY_KEY
from tests.ui.test_messages import table

LINK = "https://discord.com/channels/1/2/3"


def whole(seen: Table, plies: int, until: int) -> str:
    """The only text of a line."""
    (text,) = move_line(seen, plies, until, LINK).walk_children()
    assert isinstance(text, ui.TextDisplay)
    return text.content


def line(seen: Table, plies: int, until: int) -> str:
    """The text of a line, with A and B for the two members, but for its last part, the linked name of the game."""
    moves, _, game = whole(seen, plies, until).removeprefix("-# ").rpartition(" · ")
    assert game == f"[{seen.name}]({LINK})"
    for seat, name in enumerate("AB"):
        moves = moves.replace(f"<@{seen.stored.users[seat]}> {seat_mark(seat)}", name)
    return moves


def alaric(*texts: str) -> Match:
    match = Match.start(BY_KEY["alaric"], {"size": 5}, 2)
    for text in texts:
        match = match.play(match.to_move[0], text)
    return match


def test_each_move_has_its_number_and_its_text() -> None:
    seen = table(alaric("1", "3", "2"))
    assert [line(seen, plies, plies + 1) for plies in range(3)] == ["1. A 1", "2. B 3", "3. A 2"]
    assert line(seen, 0, 3) == "1. A 1 · 2. B 3 · 3. A 2"


def test_only_so_many_moves_are_told() -> None:
    match = Match.start(BY_KEY["alaric"], {"size": 26}, 2)
    for _ in range(MOST_MOVES + 1):
        match = match.play(match.to_move[0], (match.legal() or ())[-1])
    assert line(table(match), 0, MOST_MOVES + 1).endswith(f" · {MOST_MOVES}. B {match.log[-2].text} · …")


def test_a_board_that_was_only_posted_again_says_where_it_is() -> None:
    seen = table(alaric("1"))
    assert whole(seen, 1, 1) == f"-# The board of [{seen.name}]({LINK}) stands below."


def test_the_end_and_what_was_taken_back() -> None:
    resigned = table(alaric("1").play(0, "resign"))
    assert line(resigned, 1, 2) == "A resigned"
    agreed = table(alaric("1").play(None, "draw"))
    assert line(agreed, 1, 2) == "2. a draw was agreed"
    stored = table(alaric("1", "3")).stored
    log = (*stored.log, back_to(1), Ply(1, "4"), back_to(0))
    seen = Table.of(replace(stored, log=log))
    told = [line(seen, plies, plies + 1) for plies in range(1, 5)]
    assert told == ["2. B 3", "taken back to move 1", "2. B 4", "taken back to the start"]


def test_hidden_moves_are_told_when_they_are_seen_to_be_made_and_never_quoted() -> None:
    match = Match.start(BY_KEY["palindromes"], {"cards": 8}, 2)
    match = match.play(None, "deal 4")
    for seat in (0, 1):
        reds, blacks = match.state.hand(seat)
        match = match.play(seat, f"arrange {'R' * reds + 'B' * blacks}")
    first, second = (seal.digest[:SHOWN_DIGITS] for seal in seals(table(match)))
    told = line(table(match), 0, 3).split(" · ")[1:]
    assert told == [f"2. A sealed a move `{first}`", f"3. B sealed a move `{second}`"]
    match = match.play(0, "find R").play(0, "done").play(1, "done")
    seen = table(match)
    # The find was seen by nobody when it was made, and is not told afterwards either.
    assert line(seen, 3, 5) == "4. A finished"
    assert line(seen, 5, 6).endswith("B finished")
    assert "RR" not in line(seen, 0, 6)
