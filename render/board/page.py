"""The page of every picture: title, seats on turn or result, scores, and the board."""

from collections.abc import Sequence

from render.board.computers import ComputerSeat, computer_lines
from render.board.game_board import Board
from render.board.inline import Item, line_width, seat_item, set_centred, set_line, space, text_item
from render.board.outcome import early_ending, is_draw
from render.engine import fonts
from render.engine.scene import Face, Group, Role, Scene, Shape, Stroke, Text, rectangle
from rules.core.game import Seat
from rules.core.match import Observation

WIDTH = 900
"""Page units, which are pixels."""

_MARGIN = 50
_TALLEST = 800
"""The greatest height of a board, in page units."""
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
    size = fonts.fitted(seen.title, Face.TITLE, 120, WIDTH - 4 * _MARGIN)
    title = Text((WIDTH / 2, 115), seen.title, size, face=Face.TITLE)
    placed, bottom = _placed(board, 190)
    shapes: list[Shape] = [title, *placed]
    y = bottom + 80
    shapes += set_centred(_result(seen, winners, board.trophy), (WIDTH / 2, y))
    if not board.scored and (scores := _scores(seen)):
        y += 85
        shapes += set_centred(scores, (WIDTH / 2, y))
    if note := early_ending(seen) or board.note:
        y += 95
        shapes.append(Text((WIDTH / 2, y), note, 30, Role.MUTED))
        y -= 20
    for number, line in enumerate(computers):
        y += 64 if number else 100
        shapes += set_centred(line, (WIDTH / 2, y))
    if computers:
        y -= 30
    height = round(y + 120)
    return Scene(WIDTH, height, (*_border(height), *shapes))


def _result(seen: Observation, winners: tuple[Seat, ...], trophy: Group | None) -> list[Item]:
    marks = [item for seat in winners for item in (seat_item(f"winner {seat}", seat, 46), space(14))]
    line = [*marks, space(10), text_item(_verdict(seen, winners), 84, face=Face.TITLE)]
    if trophy is not None:
        line += [space(36), Item(120, (Group("trophy", (trophy,), (60, 0), 60),))]
    return line


def _verdict(seen: Observation, winners: tuple[Seat, ...]) -> str:
    if not winners:
        return "no result"
    if len(winners) == 1:
        return "wins"
    return "a draw" if is_draw(seen) else "share the win"


def _scores(seen: Observation) -> list[Item]:
    line: list[Item] = []
    for seat, points in enumerate(seen.scores or ()):
        line += [seat_item(f"score {seat}", seat, 22), space(10), text_item(str(points), 38), space(34)]
    return line[:-1]


def scale(board: Board, tallest: float = _TALLEST) -> float:
    """Return the number of page units in a unit of the board, which is at most `tallest` page units high."""
    return min(board.unit, (WIDTH - 2 * _MARGIN) / board.width, tallest / board.height)


def _placed(board: Board, top: float, tallest: float = _TALLEST) -> tuple[tuple[Group, ...], float]:
    """The board below `top`, as large as possible, with the lines below it, and the height at which they end."""
    unit = scale(board, tallest)
    left = (WIDTH - unit * board.width) / 2
    placed = Group("board", board.shapes, (left, top), unit)
    bottom = top + unit * board.height
    lines: list[Group] = []
    for line in filter(None, (board.legend, board.correction)):
        lines += set_centred(line, (WIDTH / 2, bottom + 36))
        bottom += 60
    return (placed, *lines), bottom


def _border(height: int) -> tuple[Stroke, ...]:
    lines = []
    for inset, width in ((24, 4), (36, 2)):
        right, bottom = WIDTH - inset, height - inset
        lines.append(Stroke(rectangle(inset, inset, right, bottom), width, Role.INK, hand=0.6, closed=True))
    return tuple(lines)
