"""The page of every picture: points and seats on turn above the board, and a banner with the result at the end."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from render.board.game_board import Board
from render.board.phrases import early_ending, is_draw
from render.board.players import YOU, Player, lines_of, seat_items
from render.board.seats import (
    Item,
    line_width,
    piece,
    seat_item,
    set_centred,
    set_line,
    space,
    text_item,
    with_names,
)
from render.engine import fonts
from render.engine.scene import Area, Face, Group, Mix, Role, Scene, Shape, Stroke, Text, rectangle
from render.engine.theme import SEATS
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.notation import joined

WIDTH = 900
"""Page units, which are pixels."""

_MARGIN = 24
_TALLEST = 800
"""The greatest height of a board, in page units."""
_INSET, _BANNER = 14, 142
"""Of a poster: the margin around its border, and the height of the banner at its top."""
_POSTER_GAP, _POSTER_MARGIN = 36, 20
"""Of a poster: the gap between the legend and the seats in one line, and the least margin beside a line."""
_BELOW_BANNER, _POSTER_LINE, _POSTER_BOTTOM = 12, 58, 24
"""Of a poster: the room below the banner, the height of a line below the board, and the margin at its bottom."""
_TOP = 66.0
"""The height of the line above a board, with the margins above and below the line."""
_LINE, _BOTTOM = 54.0, 14.0
"""The height of a line below a board, and the margin at the bottom of a picture in play."""
_GAP, _LEAST_GAP = 34.0, 14.0
"""The usual and the least gap between the entries of the line above a board."""
_SEAT_SIZES = (42.0, 37.0, 33.0, 30.0)
"""The sizes of the points in that line, which many players or long names make smaller."""
_NAMED = 37.0
"""The least size of points with names beside them, which are smaller than the points."""
_LOW, _LOW_MARGIN = 540, 24
"""The same for a board alone, and the margin above and below it."""


def page(seen: Observation, board: Board, players: Sequence[Player] = ()) -> Scene:
    """Return the whole picture: a page while the game goes on, a poster when it is over."""
    by_seat = {player.seat: player for player in players}
    if seen.winners is None:
        return _running(seen, board, by_seat)
    return _poster(seen, board, seen.winners, by_seat)


def board_alone(board: Board) -> Scene:
    """Return a low picture of a board with the lines below it, and nothing else."""
    placed, ground, bottom = _placed(board, _LOW_MARGIN, _LOW)
    return Scene(WIDTH, round(bottom + _LOW_MARGIN), placed, ground)


def sheet(board: Board) -> Scene:
    """Return a picture of a board alone, as large as its unit says."""
    placed, ground = board.placed((_MARGIN, _MARGIN), board.unit)
    width, height = (round(board.unit * side + 2 * _MARGIN) for side in (board.width, board.height))
    return Scene(width, height, (placed,), ground)


def miniature(board: Board) -> Scene:
    """Return a picture of a board without a margin and without the lines below it, to be made small."""
    unit = scale(board)
    shapes = (Group("board", board.shapes, (0, 0), unit),)
    return Scene(round(unit * board.width), round(unit * board.height), shapes)


def _running(seen: Observation, board: Board, players: Mapping[Seat, Player]) -> Scene:
    """Return the board below one line: the seats with their points on the left, those on turn on the right.

    The headline and the legend of the board stand in that line if there is room, because each line of their own makes
    the board smaller where the height is limited. A board without a line for the seats may show the turn itself.
    """
    turn = _turn(seen)
    right = WIDTH - _MARGIN - line_width(turn)
    seats = _fitted_seats(seen, board, players, right - _MARGIN)
    shapes: list[Group] = []
    top = float(_MARGIN)
    if board.turn is not None and not seats:
        unit = scale(board)
        (x, y), left = board.turn, (WIDTH - unit * board.width) / 2
        shapes += set_centred(turn, (left + unit * x, top + unit * y))
    else:
        shapes += set_line(turn, (right, _TOP / 2))
        if board.headline and _fits([*seats, board.headline], right):
            seats.append([*board.headline])
            board = replace(board, headline=())
        if board.legend and not board.legend_below and _fits([*seats, board.legend], right):
            seats.append([*board.legend])
            board = replace(board, legend=())
        room = right - _MARGIN - sum(map(line_width, seats))
        gap = min(_GAP, room / max(1, len(seats)))
        x = float(_MARGIN)
        for seat in seats:
            shapes += set_line(seat, (x, _TOP / 2))
            x += line_width(seat) + gap
        top = _TOP
    placed, ground, bottom = _placed(board, top)
    return Scene(WIDTH, round(bottom + _BOTTOM), (*shapes, *placed), ground)


def _fits(entries: Sequence[Sequence[Item]], right: float) -> bool:
    """Return True if entries from the left margin on, with their gaps, end before `right`."""
    return _MARGIN + _length(entries) <= right


def _turn(seen: Observation) -> list[Item]:
    """Return the marks of the seats on turn, with the words."""
    turn = [
        item
        for seat in seen.to_move
        if seat is not None
        for item in (seat_item(f"turn {seat}", seat, 27), space(12))
    ]
    return [*turn, text_item("to play" if turn else "the deal", 38)]


def _fitted_seats(
    seen: Observation, board: Board, players: Mapping[Seat, Player], room: float
) -> list[list[Item]]:
    """Return the seats as large as the room allows; if it is small, without names or avatars.

    The headline and the legend stand beside them if that is possible, else in lines of their own.
    """
    headline, legend = (
        [it] if it else [] for it in (board.headline, () if board.legend_below else board.legend)
    )
    for beside in filter(None, ([*headline, *legend], headline)):
        for seats in _seats_by_size(seen, board, players):
            if _length([*seats, *beside]) <= room:
                return seats
    for seats in _seats_by_size(seen, board, players):
        if _length(seats, _LEAST_GAP) <= room:
            break
    return seats


def _length(entries: Sequence[Sequence[Item]], gap: float = _GAP) -> float:
    """Return the width of entries in one line, with a gap between them and the least gap after the last."""
    return sum(line_width(it) + gap for it in entries) - gap + _LEAST_GAP


def _seats_by_size(
    seen: Observation, board: Board, players: Mapping[Seat, Player]
) -> Iterator[list[list[Item]]]:
    """Yield the seats, the largest first: with names, with avatars alone, and without both."""
    if any(player.name for player in players.values()):
        for size in _SEAT_SIZES:
            if size >= _NAMED:
                yield _seats(seen, board, players, size)
        players = {seat: replace(player, name="") for seat, player in players.items()}
    if any(player.level for player in players.values()):
        for size in _SEAT_SIZES:
            yield _seats(seen, board, players, size)
        players = {seat: replace(player, level=0) for seat, player in players.items()}
    for size in _SEAT_SIZES:
        yield _seats(seen, board, players, size)


def _seats(seen: Observation, board: Board, players: Mapping[Seat, Player], size: float) -> list[list[Item]]:
    """Return the seats that have points or a known player; the points are left out if the board shows them."""
    points = () if board.scored else seen.scores or ()
    count = max(len(points), *(seat + 1 for seat in players), 0)
    return [
        seat_items(seat, players.get(seat), points[seat] if points else None, size)
        for seat in range(count)
        if points or seat in players
    ]


def _poster(
    seen: Observation, board: Board, winners: tuple[Seat, ...], players: Mapping[Seat, Player]
) -> Scene:
    """Return the last picture of a game.

    It has the proportions of the pictures in play, and so is shown as wide as they are: where the banner makes it
    higher, it also gets wider margins.
    """
    # Only a game without a result needs its title: the banner of others says who won.
    title = [] if winners else [[text_item(seen.title, 46, Role.MUTED, Face.TITLE)]]
    legend = [*board.legend]
    placed, ground, bottom = _placed(replace(board, legend=()), _INSET + _BANNER + _BELOW_BANNER)
    # Pictures in play show computer players alone.
    computers = any(player.level for player in players.values())
    top = _MARGIN if board.turn is not None and not computers else _TOP
    below = (_LINE if board.legend_below else 0) + _BOTTOM
    in_play = top + (board.in_play or scale(board) * board.height) + below
    # Each line makes the poster higher and so wider, which leaves more room in all lines.
    for count in itertools.count():
        height = round(bottom + _POSTER_LINE * count + _POSTER_BOTTOM)
        width = max(WIDTH, round(WIDTH * height / in_play))
        told = [*_seats(seen, board, players, max(_SEAT_SIZES[0], _TOLD * width)), *title]
        lines = _poster_lines(legend, told, width - 2 * (_INSET + _POSTER_MARGIN))
        if len(lines) <= count:
            break
    shapes = [*_result(seen, board, winners, players, width), *placed]
    # With the room that its height gives, fewer lines may be enough.
    bottom += _POSTER_LINE * (count - len(lines)) / 2
    for number, line in enumerate(lines):
        shapes += set_centred(line, (WIDTH / 2, bottom + _POSTER_LINE * (number + 0.5)))
    off = (width - WIDTH) / 2
    border = rectangle(_INSET, _INSET, width - _INSET, height - _INSET)
    return Scene(
        width,
        height,
        (
            *banner(winners, width, _INSET, _BANNER),
            Group("", tuple(shapes), (off, 0)),
            Stroke(border, 4, Role.INK, wobble=0.6, closed=True),
        ),
        tuple(it._replace(at=(it.at[0] + off, it.at[1])) for it in ground),
    )


def _poster_lines(legend: list[Item], told: list[list[Item]], widest: float) -> list[list[Item]]:
    """Return the lines below the board of a poster: the legend, beside the entries or above them."""
    together = [legend, *told] if legend else told
    if _length(together, _POSTER_GAP) <= widest:
        return lines_of(together, _POSTER_GAP, widest)
    return [*([legend] if legend else []), *lines_of(told, _POSTER_GAP, widest)]


def _result(
    seen: Observation, board: Board, winners: tuple[Seat, ...], players: Mapping[Seat, Player], width: float
) -> Iterator[Shape]:
    """Yield the winners with rays around them, the result in large letters, and the reason below.

    They are centred on a page of the usual width, and may fill one of this `width`.
    """
    names = {
        seat: "you" if player.name == YOU else player.name for seat, player in players.items() if player.name
    }
    reason = (early_ending(seen) or with_names(board.note, names)) if winners else ""
    radius = 28 if reason or len(winners) > 1 else 36
    marks: list[Item] = []
    for seat in winners:
        name = f"winner {seat}"
        marks += [rayed(name, seat, radius) if len(winners) <= 2 else seat_item(name, seat, 22), space(8)]
    trophy: list[Item] = []
    if board.trophy is not None:
        trophy = [space(20), Item(92, (Group("trophy", (board.trophy,), (46, 0), 46),))]
    room = width - 2 * (_INSET + 30) - line_width([*marks, *trophy]) - 12
    words = _verdict(seen, winners, players)
    size = fonts.fitted(words, Face.TITLE, 96, room)
    middle = _INSET + _BANNER / 2
    line = [*marks, space(12), text_item(words, size, face=Face.TITLE), *trophy]
    yield from set_centred(line, (WIDTH / 2, middle - (24 if reason else 0)))
    if reason:
        size = fonts.fitted(reason, Face.READ, max(36, _REASON * width), width - 2 * (_INSET + 26))
        yield Text((WIDTH / 2, middle + 38), reason, size, Role.INK)


def _verdict(seen: Observation, winners: tuple[Seat, ...], players: Mapping[Seat, Player]) -> str:
    """Return the result with the names and the points of the winners, then those of the others: `Ada wins 28 : 25`."""
    if not winners:
        return "no result"
    named = [player.name for seat in winners if (player := players.get(seat)) is not None and player.name]
    if len(winners) == 1:
        words = [*named, "win" if named == [YOU] else "wins"]
    elif len(named) == len(winners) <= 2:
        words = [joined(named), "draw" if is_draw(seen) else "share the win"]
    else:
        words = ["a draw" if is_draw(seen) else "share the win"]
    order = [*winners, *(seat for seat in range(len(seen.scores or ())) if seat not in winners)]
    # The winner of a game that the other player left may have fewer points, and points do not agree on a draw.
    if seen.scores is not None and len(order) == 2 and not early_ending(seen):
        words.append(" : ".join(str(seen.scores[seat]) for seat in order))
    return " ".join(words)


def scale(board: Board, tallest: float = _TALLEST) -> float:
    """Return the number of page units in a unit of the board, which is at most `tallest` page units high."""
    return min(board.unit, (WIDTH - 2 * _MARGIN) / board.width, tallest / board.height)


def _placed(
    board: Board, top: float, tallest: float = _TALLEST
) -> tuple[tuple[Group, ...], tuple[Group, ...], float]:
    """Return the board below `top`, as large as possible, with the lines below it; its ground; and where they end."""
    unit = scale(board, tallest)
    lines: list[Group] = []
    if board.headline:
        lines += set_centred(board.headline, (WIDTH / 2, top + 22))
        top += 56
    left = (WIDTH - unit * board.width) / 2
    placed, ground = board.placed((left, top), unit)
    bottom = top + unit * board.height
    for line in filter(None, (board.legend, board.correction)):
        lines += set_centred(line, (WIDTH / 2, bottom + 32))
        bottom += _LINE
    return (placed, *lines), ground, bottom


_REASON, _TOLD = 0.0331, 0.0389
"""The least sizes of the reason and of the points on a poster, as shares of the width of the poster."""
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
