"""The content of pictures as text: alt text, captions, and boards of plain characters. No picture library here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch

from render.board.annotations.advice import Advice, advice_text
from render.board.annotations.correction import RejectedMove, RejectedMoves, rejection_text
from render.board.phrases import counted, early_ending, is_draw, sentence, shortened
from render.board.seats import who
from rules.core.game import Seat
from rules.core.match import DRAW, LEAVING, VOID, Observation
from rules.core.notation import Cell, joined, letter

ALT_LIMIT = 1024
"""The most characters that Discord accepts as the alt text of a file, or of a picture in a message."""

TEXT_LIMIT = 1900
"""The most characters of a text board: a message holds 2,000, including the code block."""

_COLUMNS = 40
"""Columns of a code block that a phone shows without a line break."""


@dataclass(frozen=True, slots=True)
class Description:
    """A position in words and signs.

    `tell` returns sentences, the most important first. `draw` returns the board in signs of one column each, at most
    40 columns if possible. Both are called only when they are needed: most descriptions are made for their move.
    `signs` explains the signs; a key is one sign or several. `move` says what the last move did, without naming the
    player who moved, "" before the first move; `verb` says what the player did with it. `note` says why a finished game
    is over, "" if that is clear. `move` and `note` name other players as `who` does, so that messages and pictures can
    put names there.
    """

    tell: Callable[[], tuple[str, ...]]
    draw: Callable[[], tuple[str, ...]]
    signs: Mapping[str, str]
    move: str
    note: str = ""
    verb: str = "played"


@singledispatch
def describe(view: object, seen: Observation) -> Description:
    """Return the description of `view`, which is always `seen.board`. Each game registers its own function."""
    raise LookupError(f"No text is registered for {type(view).__name__}: add a module to render/games.")


def alt(
    observation: Observation,
    limit: int = ALT_LIMIT,
    rejected: RejectedMove | RejectedMoves | None = None,
    advice: Advice | None = None,
) -> str:
    """Return the position in words, in at most `limit` characters, for people who cannot see the picture.

    The words include the marks of rejected moves or of an advice.

    If not everything fits, the less important sentences are left out.
    """
    seen = observation
    text = f"{seen.title}. {sentence(_standing(seen))}"
    if len(text) > limit:
        return shortened(text, limit)
    move = [f"Last move: {caption(seen)}."] if seen.plies else []
    correction = [rejection_text(rejected)] if rejected is not None else []
    marks = [advice_text(advice)] if advice is not None else []
    for more in (*correction, *marks, *move, *describe(seen.board, seen).tell()):
        if len(text) + 1 + len(more) <= limit:
            text += f" {more}"
    return text


def text_board(observation: Observation) -> str:
    """Return the board in plain characters for a code block, with a legend: at most TEXT_LIMIT characters."""
    seen = observation
    shown = describe(seen.board, seen)
    rows = shown.draw()
    lines = [sentence(_standing(seen)), "", *rows, "", *_legend(rows, shown.signs)]
    return "\n".join(line.rstrip() for line in lines)


def lettered(columns: int, rows: int, sign: Callable[[Cell], str], wide: int = 2) -> tuple[str, ...]:
    """Return a line for each row of cells after its number, the highest first, and the letters of the columns below.

    `sign` returns what stands for a cell, which takes `wide` columns.
    """

    def line(number: str, signs: Iterable[str]) -> str:
        return f"{number:>2} {''.join(it.ljust(wide) for it in signs).rstrip()}"

    across = range(columns)
    lines = [line(str(row + 1), (sign(Cell(it, row)) for it in across)) for row in reversed(range(rows))]
    return (*lines, line("", map(letter, across)))


def board_size(columns: int, rows: int) -> str:
    """Return the sentence about the size of a board."""
    return f"A board of {counted(columns, 'column')} and {counted(rows, 'row')}."


def caption(observation: Observation) -> str:
    """Return what the last move did, like `7, capturing 3 and 4`; "" before the first move."""
    last = observation.last
    if last is None:
        return ""
    if last.seat is None and last.text == DRAW:
        return "a draw was agreed"
    if last.seat is None and last.text == VOID:
        return "the game ended without a result"
    if last.seat is not None and last.text in LEAVING:
        did = "resigned" if last.text == "resign" else "ran out of time"
        return f"{who(last.seat)} {did}"
    return describe(observation.board, observation).move


def deed(observation: Observation) -> str:
    """Return what the player of the last move did, like `played 7, capturing 3 and 4`; "" before the first move."""
    text = caption(observation)
    last = observation.last
    if not text or last is None or last.seat is None or last.text in LEAVING:
        return text
    return f"{describe(observation.board, observation).verb} {text}"


def reason(observation: Observation) -> str:
    """Return why a finished game is over if its rules ended it, like "the ring is full"; "" in all other cases."""
    seen = observation
    return "" if not seen.winners or early_ending(seen) else describe(seen.board, seen).note


def _legend(rows: Sequence[str], signs: Mapping[str, str]) -> list[str]:
    """Return the signs that occur in the rows, with their meanings, in lines of at most 40 columns."""
    used = {sign for row in rows for sign in row}
    lines = [""]
    for key, meaning in signs.items():
        if used.isdisjoint(key.replace(" ", "")):
            continue
        entry = f"{key} {meaning}"
        if len(lines[-1]) + 2 + len(entry) > _COLUMNS:
            lines.append("")
        lines[-1] += ("  " if lines[-1] else "") + entry
    return lines


def _standing(seen: Observation) -> str:
    if seen.winners is not None:
        return _result(seen, seen.winners)
    due = [who(seat) for seat in seen.to_move if seat is not None]
    turn = f"{joined(due)} to play" if due else "waiting for the deal"
    return f"{turn}; {_score(seen.scores)}" if seen.scores is not None else turn


def _result(seen: Observation, winners: Sequence[Seat]) -> str:
    if not winners:
        return "no result"
    names = joined([who(seat) for seat in winners])
    result = (
        f"{names} has won" if len(winners) == 1 else "a draw" if is_draw(seen) else f"{names} share the win"
    )
    if early := early_ending(seen):
        return f"{result}, {early}"
    if note := describe(seen.board, seen).note:
        result += f": {note}"
    if seen.scores is None:
        return result
    best_first = sorted(range(len(seen.scores)), key=lambda seat: seat not in winners)
    return f"{result}; {_score([seen.scores[seat] for seat in best_first])}"


def _score(scores: Sequence[int]) -> str:
    return f"the score is {' to '.join(map(str, scores))}"
