"""The Palindromic Card Game: two rows of cards, and brackets under what has been found in them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from render.board.game_board import Board, Spot, draw_board, spot_through
from render.board.seats import Item, line_width, seat_item, set_line, space, text_item
from render.engine import fonts
from render.engine.icons import Icon, arc, pencil, ruled
from render.engine.scene import Area, Disc, Face, Group, Mix, Point, Role, Shape, Text, rectangle
from render.games.palindromes.cards import LETTERS, CardSize, Found, brackets, height_of
from render.games.palindromes.words import Laying, Pointing, drafting, note, observer, wrong_names
from rules.core.game import Seat
from rules.core.match import Observation
from rules.games.palindromes import PalindromesView

_WIDTH = 800.0
_HEAD, _NUMBERS, _MARGIN = 60.0, 44.0, 20.0
"""Page units: the line above a row, the numbers, and the gap below everything that belongs to a row."""
_WIDEST, _HIGHEST = 100.0, 150.0
_SLIM, _SQUAT = 1.8, 1.5
"""The heights of cards in a picture of one row and of two rows, as shares of their width."""
_APART = 36.0
"""The gap between a row and the cards still in hand."""
_SMALL = CardSize(28, 40)
_IN_PLAY = 800.0
"""The height from which the proportions of the last picture follow. Pictures in play are lower: with their proportions,
its cards would be small."""
_DEEPEST, _SHALLOWEST = 164.0, 44.0
"""The room for the curves of a search: for a palindrome of the whole row, and for short ones, in page units."""
_BELOW = 24.0
"""Page units from a row down to the mark of a name that was refused."""
_LOWERED = 26.0
"""Page units by which cards of a proposed order lie below their places."""


@dataclass(frozen=True, slots=True)
class _Row:
    """The layout of a row of `cards` cards; `top` is the upper end of everything that belongs to the row.

    `below` is the room for brackets or cards in hand. `alone` is True if the picture shows no other row.
    """

    cards: int
    top: float
    below: float
    alone: bool

    @property
    def pitch(self) -> float:
        return min(_WIDEST, _WIDTH / self.cards)

    @property
    def card_size(self) -> CardSize:
        width = 0.9 * self.pitch
        return CardSize(width, max(60.0, min((_SLIM if self.alone else _SQUAT) * width, _HIGHEST)))

    def at(self, index: float) -> Point:
        """Return the middle of the card with this index, from 0."""
        left = (_WIDTH - self.cards * self.pitch) / 2
        return left + (index + 0.5) * self.pitch, self.top + _HEAD + _NUMBERS + self.card_size.height / 2

    def held_at(self, index: float) -> Point:
        """Return the middle of a card still in hand, below this layout."""
        x, y = self.at(index)
        return x, y + self.card_size.height + _APART

    def proposed_at(self, index: float) -> Point:
        """Return the middle of a card that lies at its place in a proposed order."""
        x, y = self.at(index)
        return x, y + _LOWERED

    @property
    def bottom(self) -> float:
        return self.top + _HEAD + _NUMBERS + self.card_size.height + self.below + _MARGIN


@draw_board.register
def picture(view: PalindromesView, seen: Observation) -> Board:
    layouts = _layouts(view)
    shapes = (shape for owner, layout in layouts.items() for shape in _panel(view, seen, owner, layout))
    height = max(layout.bottom for layout in layouts.values())
    spot = partial(_spot, view, layouts)
    return Board(_WIDTH, height, 1, tuple(shapes), note=note(view), spot=spot, in_play=_IN_PLAY)


def _layouts(view: PalindromesView) -> dict[Seat, _Row]:
    """Return the layouts of the rows that are shown: one row, large, to a player who lays or searches; else both."""
    looking = observer(view)
    if looking is None:
        first, second = (_Row(view.cards, 0, _room(view, owner), alone=False) for owner in (0, 1))
        return {0: first, 1: replace(second, top=first.bottom)}
    if all(view.laid):
        longest = max(map(len, view.found[looking] or ()), default=0)
        below = max(_SHALLOWEST, height_of(longest, view.cards, _DEEPEST) + _SHALLOWEST / 2)
        return {1 - looking: _Row(view.cards, 0, below, alone=True)}
    if drafting(view) is None:
        return {looking: _Row(view.cards, 0, 0, alone=True)}
    layout = _Row(view.cards, 0, _LOWERED, alone=True)
    if isinstance(view, Laying) or not sum(view.hand or ()):
        return {looking: layout}
    return {looking: replace(layout, below=_APART + layout.card_size.height)}


def _room(view: PalindromesView, owner: Seat) -> float:
    """Return the room below the row of a seat for all palindromes in it; before the end they are not shown."""
    if view.missed is None:
        return 0.0
    words = *(view.found[1 - owner] or ()), *view.missed[1 - owner]
    return _SHALLOWEST / 2 + height_of(max(map(len, words), default=0), view.cards, _DEEPEST)


def _spot(view: PalindromesView, rows: Mapping[Seat, _Row], name: str) -> Spot | None:
    """Return the spot of the observer's cards of a colour (`R`), or of a palindrome in the other row.

    A move that names a palindrome is below its cards, so that all cards stay in sight.
    """
    looking = observer(view)
    if looking is None:
        return None
    if view.hand is not None and not view.laid[looking]:
        reds, blacks = view.hand
        held = {"R": (0, reds), "B": (view.cards - blacks, blacks)}.get(name, (0, 0))
        return _stretch(rows[looking].held_at, rows[looking], *held)
    cards, word = view.rows[1 - looking], name.removeprefix("find ")
    if cards is None or word not in cards:
        return None
    row, start = rows[1 - looking], cards.index(word)
    ends = start, start + len(word) - 1
    if name == word and (faults := _faults(word)):
        return spot_through(
            (row.at(start + fault) for fault in faults), 0.42 * row.card_size.width, apart=True
        )
    below = row.card_size.height / 2 + _BELOW
    return spot_through(((x, y + below) for x, y in map(row.at, ends)), 0)


def _faults(word: str) -> tuple[int, ...]:
    """Return the indices of the first two cards from the ends that differ, or of the ends if they are not red."""
    for first in range((len(word) + 1) // 2):
        last = len(word) - 1 - first
        if word[first] != word[last] or (first == 0 and word[first] != "R"):
            return first, last
    return ()


def _stretch(at: Callable[[float], Point], row: _Row, start: int, length: int) -> Spot | None:
    """Return the spot of `length` cards from index `start` on; `at` returns their middles."""
    reach = row.card_size.height / 2
    inset = min((reach / row.pitch - 0.5), (length - 1) / 2)
    ends = start + inset, start + length - 1 - inset
    return spot_through(map(at, ends), reach) if length else None


def _panel(view: PalindromesView, seen: Observation, owner: Seat, layout: _Row) -> Iterator[Shape]:
    """Yield a row with its owner, and the palindromes that the other seat has found in it."""
    y = layout.top + _HEAD / 2
    about = [seat_item(f"row {owner}", owner, 24), space(16), *_about_row(view, owner)]
    yield from set_line(about, (0, y))
    search = _about_search(view, 1 - owner, _WIDTH - line_width(about) - 30)
    yield from set_line(search, (_WIDTH - line_width(search), y))
    cards = view.rows[owner]
    yield from _numbers(layout)
    yield from _cards(view, owner, layout)
    if owner == drafting(view):
        yield from _held(view, layout)
    elif cards is not None:
        names, missed = view.found[1 - owner] or (), view.missed[1 - owner] if view.missed else ()
        newest = names[-1] if seen.last and names and _told(seen) == names[-1] else None
        found = Found(1 - owner, names, missed, newest)
        x, y = layout.at(0)
        below = x, y + layout.card_size.height / 2 + 16
        yield from brackets(cards, found, layout.pitch, below, _DEEPEST)


def _told(seen: Observation) -> str:
    return seen.last.text.removeprefix("find ") if seen.last else ""


def _about_row(view: PalindromesView, owner: Seat) -> list[Item]:
    cards, own = view.rows[owner], owner == observer(view)
    if owner == drafting(view) and view.hand:
        reds, blacks = view.hand
        if not reds + blacks:
            return [text_item("your row, not sealed yet", 36)]
        return [text_item(f"{'still in ' if cards else ''}your hand:", 36), *_counts(reds, blacks)]
    if cards is None:
        return [text_item("laid face down" if view.laid[owner] else "not laid yet", 36, Role.MUTED)]
    reds = cards.count("R")
    if view.missed is not None:
        found = len(view.found[1 - owner] or ())
        return [*_counts(reds)[1:], space(18), text_item(f"less {found} found: {reds - found}", 36)]
    if own and not all(view.laid):
        return [text_item("your row; only you see it", 36)]
    return _counts(reds, len(cards) - reds)[1:]


def _counts(*numbers: int) -> list[Item]:
    """Return the numbers of red and black cards, each with its suit."""
    items: list[Item] = []
    for number, card in zip(numbers, "RB", strict=False):
        items += [
            space(14),
            text_item(str(number), 36),
            space(8),
            Item(28, (_SMALL.face("", card, (14, 0)),)),
        ]
    return items


_LEAST = 33.0
"""The least size of a text about a search that has ended: posters are shown smaller than other pictures."""


def _about_search(view: PalindromesView, seat: Seat, room: float) -> list[Item]:
    """Return the progress of the other seat's search in this row, at most `room` wide.

    At the end, the number of wrong names is left out where it would make the text too small.
    """
    names = view.found[seat]
    if not all(view.laid):
        return []
    if view.missed is not None:
        text = missed = f"missed {len(view.missed[seat]) or 'none'}"
        if view.wrong[seat]:
            text = f"{wrong_names(view, seat)}, {missed}"
        if fonts.fitted(text, Face.READ, 36, room - 52) < _LEAST:
            text = missed
    else:
        text = "done" if view.done[seat] else "searching"
        if names is not None:
            text = f"{len(names)} found, {f'{wrong}, ' if (wrong := wrong_names(view, seat)) else ''}{text}"
    size = fonts.fitted(text, Face.READ, 36, room - 52)
    return [seat_item(f"search {seat}", seat, 20), space(12), text_item(text, size, Role.MUTED)]


def _numbers(layout: _Row) -> Iterator[Text]:
    every = 1 if layout.pitch >= 36 else 2
    for index in range(0, layout.cards, every):
        x, y = layout.at(index)
        size = min(36.0, 0.68 * layout.pitch * every)
        yield Text((x, y - layout.card_size.height / 2 - _NUMBERS / 2 + 2), str(index + 1), size, Role.MUTED)


def _cards(view: PalindromesView, owner: Seat, layout: _Row) -> Iterator[Group]:
    cards = view.rows[owner] or ""
    if isinstance(view, Pointing) and owner != observer(view):
        yield _glow(f"first {view.first}", layout, layout.at(view.first - 1))
    if isinstance(view, Laying) and view.chosen and owner == observer(view):
        middle = layout.at if view.chosen <= len(cards) else layout.proposed_at
        yield _glow(f"chosen {view.chosen}", layout, middle(view.chosen - 1))
    for index in range(layout.cards):
        at, spot = layout.at(index), f"{owner} {index + 1}"
        if index < len(cards):
            yield layout.card_size.face(f"{LETTERS[cards[index]]} {spot}", cards[index], at)
        elif view.laid[owner]:
            yield layout.card_size.back(f"back {spot}", owner, at)
        else:
            yield layout.card_size.empty(f"empty {spot}", at)


def _glow(name: str, layout: _Row, at: Point) -> Group:
    """Return a glow behind a card that has been pointed at."""
    x, y = 0.62 * layout.pitch, 0.5 * layout.card_size.height + 8
    return Group(name, (Area(rectangle(-x, -y, x, y), Role.ACCENT),), at)


def _held(view: PalindromesView, layout: _Row) -> Iterator[Group]:
    """Yield the cards in the observer's hand, below the row.

    In a proposed order they lie at their places, a little lower than cards that are laid; otherwise red cards start at
    the left and black cards at the right.
    """
    if isinstance(view, Laying):
        start, numbers = layout.cards - len(view.rest), {"R": 0, "B": 0}
        for index, card in enumerate(view.rest, start):
            numbers[card] += 1
            yield layout.card_size.face(
                f"held {LETTERS[card]} {numbers[card]}", card, layout.proposed_at(index)
            )
        return
    for card, count in zip("RB", view.hand or (0, 0), strict=True):
        for index in range(count):
            at = layout.held_at(index if card == "R" else layout.cards - 1 - index)
            yield layout.card_size.face(f"held {LETTERS[card]} {index + 1}", card, at)


def _mark() -> Icon:
    """Two cards that lean on a mirror between them."""
    shapes: list[Shape] = []
    for side, suit in ((-1, Role.INK), (1, Role.SUIT)):
        corners = (0.1, -0.6), (0.66, -0.84), (0.95, 0.62), (0.1, 0.84)
        card = tuple((side * x, y) for x, y in corners)
        shapes += [
            Area(card, Role.PALE),
            ruled(*card, ink=Role.INK, width=0.09, closed=True),
            Area(tuple((side * x, y) for x, y in ((0.49, -0.42), (0.74, 0), (0.5, 0.44), (0.26, 0))), suit),
        ]
    return tuple(shapes)


MARK = _mark()
"""The mark of the game in titles and menus."""

ICONS: Mapping[str, Icon] = MappingProxyType(
    {
        # A tree in which nothing is straight.
        "palindromes.crooked": (
            pencil(
                (0.06, 0.66),
                (-0.1, 0.34),
                (0.12, 0.06),
                (-0.08, -0.2),
                (0.08, -0.56),
                ink=Role.MEAT,
                width=0.2,
            ),
            pencil((0.08, 0.1), (0.36, -0.04), (0.38, -0.32), ink=Role.MEAT, width=0.12),
            pencil((-0.06, -0.16), (-0.38, -0.18), (-0.52, -0.44), ink=Role.MEAT, width=0.12),
            Disc((0.4, -0.4), 0.15, Role.SEAT_3),
            Disc((-0.54, -0.5), 0.15, Role.SEAT_3),
            Disc((0.08, -0.6), 0.15, Role.SEAT_3),
        ),
        # A mirror with a handle.
        "palindromes.mirror": (
            pencil((0.0, 0.28), (0.0, 0.7), width=0.18, ink=Role.MEAT),
            Area(arc((0, -0.2), 0.48, 0.54), Role.INK),
            Area(arc((0, -0.2), 0.38, 0.44), Mix(Role.SEAT_2, 0.45)),
            pencil((-0.2, -0.12), (0.08, -0.46), ink=Role.PALE, width=0.07),
            pencil((-0.02, 0.02), (0.2, -0.24), ink=Role.PALE, width=0.07),
        ),
    }
)
"""The icons of the achievements, by their keys."""
