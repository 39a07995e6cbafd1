"""The page of every picture: title, seats on turn or result, scores, the board, and a banner for a win."""

import math
from collections.abc import Iterator, Sequence
from random import Random

from render.board.computers import ComputerSeat, computer_lines
from render.board.game_board import Board
from render.board.phrases import early_ending, is_draw
from render.board.seats import Item, line_width, piece, seat_item, set_centred, set_line, space, text_item
from render.engine import fonts
from render.engine.scene import Area, Face, Group, Mix, Role, Scene, Shape, Stroke, Text, rectangle
from render.engine.theme import SEATS
from rules.core.game import Seat
from rules.core.match import Observation

WIDTH = 900
"""Page units, which are pixels."""

_MARGIN = 50
_TALLEST = 800
"""The greatest height of a board, in page units."""
_INSET, _BANNER = 20, 130
"""Of a poster: the margin around its border, and the height of the banner at its top."""
_LOW, _LOW_MARGIN = 540, 24
"""The same for a board alone, and the margin above and below it."""


def page(seen: Observation, board: Board, computers: Sequence[ComputerSeat] = ()) -> Scene:
    """Return the whole picture: a page while the game goes on, a poster when it is over.

    A line at its end says which seats are those of computer players.
    """
    lines = computer_lines(computers)
    if seen.winners is None:
        return _running(seen, board, lines)
    return _poster(seen, board, seen.winners, lines)


def board_alone(board: Board) -> Scene:
    """Return a low picture of a board with the lines below it, and nothing else."""
    placed, bottom = _placed(board, _LOW_MARGIN, _LOW)
    return Scene(WIDTH, round(bottom + _LOW_MARGIN), placed)


def miniature(board: Board) -> Scene:
    """Return a picture of a board without a margin and without the lines below it, to be made small."""
    unit = scale(board)
    shapes = (Group("board", board.shapes, (0, 0), unit),)
    return Scene(round(unit * board.width), round(unit * board.height), shapes)


def _running(seen: Observation, board: Board, computers: Sequence[Sequence[Item]]) -> Scene:
    turn = [
        item
        for seat in seen.to_move
        if seat is not None
        for item in (seat_item(f"turn {seat}", seat, 27), space(12))
    ]
    turn.append(text_item("to play" if turn else "the deal", 36))
    right = WIDTH - _MARGIN - line_width(turn)
    size = fonts.fitted(seen.title, Face.TITLE, 88, right - _MARGIN - 40)
    title = Text((_MARGIN, 70), seen.title, size, face=Face.TITLE, anchor="l")
    shapes: list[Shape] = [title, *set_line(turn, (right, 72))]
    top = 138.0
    if not board.scored and (scores := _scores(seen)):
        shapes += set_line(scores, (_MARGIN, 150))
        top = 190
    placed, bottom = _placed(board, top)
    for line in computers:
        shapes += set_centred(line, (WIDTH / 2, bottom + 48))
        bottom += 64
    return Scene(WIDTH, round(bottom + 40), (*shapes, *placed))


def _poster(
    seen: Observation, board: Board, winners: tuple[Seat, ...], computers: Sequence[Sequence[Item]]
) -> Scene:
    """Return the last picture of a game.

    It is about as high as the pictures in play: a high picture is shown small where pictures are scaled to a height.
    """
    placed, bottom = _placed(board, _INSET + _BANNER + 18)
    result = _result(seen, winners, board.trophy)
    left = WIDTH - _INSET - 34 - line_width(result)
    size = fonts.fitted(seen.title, Face.TITLE, 88, left - 2 * _INSET - 50)
    title = Text((_INSET + 34, _INSET + _BANNER / 2), seen.title, size, face=Face.TITLE, anchor="l")
    shapes: list[Shape] = [*banner(winners, WIDTH, _INSET, _BANNER), title]
    shapes += [*set_line(result, (left, _INSET + _BANNER / 2)), *placed]
    y = bottom
    for told in _told(seen, board):
        y += 42 if y == bottom else 60
        shapes += set_centred(told, (WIDTH / 2, y))
    for line in computers:
        y += 60
        shapes += set_centred(line, (WIDTH / 2, y))
    height = round(y + 56)
    border = rectangle(_INSET, _INSET, WIDTH - _INSET, height - _INSET)
    return Scene(WIDTH, height, (*shapes, Stroke(border, 4, Role.INK, wobble=0.6, closed=True)))


def _result(seen: Observation, winners: tuple[Seat, ...], trophy: Group | None) -> list[Item]:
    """Return the winners with rays around them, and what they have achieved."""
    marks: list[Item] = []
    for seat in winners:
        name = f"winner {seat}"
        mark = (
            seat_item(name, seat, 22)
            if len(winners) > 2
            else rayed(name, seat, 36 if len(winners) == 1 else 28)
        )
        marks += [mark, space(8)]
    size = 64 if len(winners) > 2 else 100
    line = [*marks, space(8), text_item(_verdict(seen, winners), size, face=Face.TITLE)]
    if trophy is not None:
        line += [space(24), Item(92, (Group("trophy", (trophy,), (46, 0), 46),))]
    return line


def _told(seen: Observation, board: Board) -> list[list[Item]]:
    """Return the lines below the board: the scores unless the board shows them, and how the game ended."""
    scores = [] if board.scored else _scores(seen, 26, 50)
    note = early_ending(seen) or board.note
    ending = [text_item(note, 30, Role.MUTED)] if note else []
    together = [*scores, *([space(44)] if scores and ending else []), *ending]
    if line_width(together) <= WIDTH - 2 * _MARGIN:
        return [together] if together else []
    return [scores, ending]


def _verdict(seen: Observation, winners: tuple[Seat, ...]) -> str:
    if not winners:
        return "no result"
    if len(winners) == 1:
        return "wins"
    return "a draw" if is_draw(seen) else "share the win"


def _scores(seen: Observation, radius: float = 22, size: float = 38) -> list[Item]:
    line: list[Item] = []
    for seat, points in enumerate(seen.scores or ()):
        line += [seat_item(f"score {seat}", seat, radius), space(10), text_item(str(points), size), space(34)]
    return line[:-1]


def scale(board: Board, tallest: float = _TALLEST) -> float:
    """Return the number of page units in a unit of the board, which is at most `tallest` page units high."""
    return min(board.unit, (WIDTH - 2 * _MARGIN) / board.width, tallest / board.height)


def _placed(board: Board, top: float, tallest: float = _TALLEST) -> tuple[tuple[Group, ...], float]:
    """Return the board below `top`, as large as possible, with the lines below it, and the height at which they end."""
    unit = scale(board, tallest)
    left = (WIDTH - unit * board.width) / 2
    placed = Group("board", board.shapes, (left, top), unit)
    bottom = top + unit * board.height
    lines: list[Group] = []
    for line in filter(None, (board.legend, board.correction)):
        lines += set_centred(line, (WIDTH / 2, bottom + 36))
        bottom += 60
    return (placed, *lines), bottom


_TINT = 0.25
"""The share of a winner's colour in the banner."""
_RAYS = 14
_CONFETTI = 24
"""Page units between two pieces of confetti."""


def banner(winners: Sequence[Seat], width: float, inset: float, height: float) -> Iterator[Shape]:
    """Yield a banner of this height at the top of a page of this width, `inset` from its edges."""
    grounds = [Mix(SEATS[seat], _TINT) for seat in winners] or [Mix(Role.MUTED, 0.125)]
    wide = (width - 2 * inset) / len(grounds)
    for number, ground in enumerate(grounds):
        left = inset + wide * number
        yield Area(rectangle(left, inset, left + wide, inset + height), ground)
    if winners:
        yield from _confetti(width, inset, height)
    yield Stroke(((inset, inset + height), (width - inset, inset + height)), 4, Role.INK, wobble=0.6)


def rayed(name: str, seat: Seat, radius: float) -> Item:
    """Return the mark of a winner with rays around it, as wide as the rays reach."""
    reach = radius * 1.42
    rays = tuple(
        Stroke(
            tuple(
                (length * math.cos(turn), length * math.sin(turn))
                for length in (1.15, 1.42 - 0.12 * (ray % 2))
            ),
            0.09,
            Role.INK,
            wobble=0.5,
        )
        for ray in range(_RAYS)
        for turn in (math.tau * ray / _RAYS,)
    )
    return Item(2 * reach, (Group("", rays, (reach, 0), radius), piece(name, seat, (reach, 0), radius)))


def _confetti(width: float, inset: float, height: float) -> Iterator[Shape]:
    """Yield snippets along both edges of the banner, the same on every poster; the words stand between them."""
    chance = Random(7)  # noqa: S311 - for drawing, not for secrets
    for number, x in enumerate(range(int(inset) + 14, int(width - inset) - 8, _CONFETTI)):
        edge = inset + 9 if number % 2 else inset + height - 10
        at = x + chance.uniform(-5, 5), edge + chance.uniform(-2, 2)
        turn, half = chance.uniform(0, math.pi), chance.uniform(3, 5)
        across = half * math.cos(turn), 0.6 * half * math.sin(turn)
        ends = ((at[0] - across[0], at[1] - across[1]), (at[0] + across[0], at[1] + across[1]))
        yield Stroke(ends, 5, SEATS[chance.randrange(len(SEATS) - 1)], wobble=0.4)
