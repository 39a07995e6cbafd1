"""The picture of a member's achievements: a wall of badges, each with its title or its riddle. It names nobody."""

from collections.abc import Iterator
from dataclasses import dataclass

from render.board.page import WIDTH
from render.board.phrases import as_fit
from render.board.text import ALT_LIMIT
from render.engine import fonts
from render.engine.raster import png
from render.engine.scene import Area, Face, Mix, Point, Role, Scene, Shape, Stroke, Text, rectangle
from render.marks import badge


@dataclass(frozen=True, slots=True)
class AchievementBadge:
    """An achievement: its key, and its title if it was won. `progress` says how far a member came, like (7, 10).

    `riddle` is a hint at an achievement that was not won; "" if it is not to be shown.
    """

    key: str
    title: str = ""
    progress: tuple[int, int] | None = None
    riddle: str = ""

    @property
    def won(self) -> bool:
        return bool(self.title)


@dataclass(frozen=True, slots=True)
class AchievementGroup:
    """The achievements of a game, or those of every game."""

    title: str
    badges: tuple[AchievementBadge, ...]

    @property
    def won(self) -> int:
        return sum(each.won for each in self.badges)


_MARGIN = 36
_TOP = 156.0
_ACROSS = 4
"""Badges in a row of the wall."""
_WIDE = (WIDTH - 2 * _MARGIN) / _ACROSS
_HIGH = 340.0
_INSET = 7.0
"""Page units between the frame of a badge and its place on the wall."""
_RADIUS = 50
_SIZE, _LINE = 25, 29
"""The size of the words in a badge, and the distance of their lines."""


def draw_achievements(groups: tuple[AchievementGroup, ...], theme: str = "paper") -> bytes:
    """Return the picture as a PNG, 900 pixels wide. The same achievements give the same bytes."""
    return png(achievements_scene(groups), theme)


def achievements_scene(groups: tuple[AchievementGroup, ...]) -> Scene:
    badges = [(group.title, each) for group in groups for each in group.badges]
    won = sum(each.won for _, each in badges)
    shapes: list[Shape] = [
        Text((_MARGIN + 10, 72), "Achievements", 100, face=Face.TITLE, anchor="l"),
        Text((WIDTH - _MARGIN - 10, 76), f"{won} of {len(badges)}", 44, anchor="r"),
    ]
    for number, (title, each) in enumerate(badges):
        row, column = divmod(number, _ACROSS)
        shapes += _badge(each, title, (_MARGIN + _WIDE * column, _TOP + _HIGH * row))
    rows = -(-len(badges) // _ACROSS)
    return Scene(WIDTH, round(_TOP + _HIGH * rows + _MARGIN - 10), tuple(shapes))


def achievements_alt(groups: tuple[AchievementGroup, ...], limit: int = ALT_LIMIT) -> str:
    """Return the picture in words, at most `limit` characters; groups that do not fit are left out."""
    won, all_ = sum(group.won for group in groups), sum(len(group.badges) for group in groups)
    sentences = []
    for group in groups:
        parts = [each.title for each in group.badges if each.won]
        titles = f": {', '.join(parts)}" if parts else ""
        came = "".join(
            f" ({each.progress[0]} of {each.progress[1]})" for each in group.badges if each.progress
        )
        sentences.append(f"{group.title}, {group.won} of {len(group.badges)}{titles}{came}.")
    return as_fit(f"Achievements, {won} of {all_} earned.", sentences, limit)


def _badge(each: AchievementBadge, group: str, corner: Point) -> Iterator[Shape]:
    """Yield a badge of the wall: its icon, below it the title and the group, or the riddle and the progress."""
    left, top = corner
    frame = rectangle(left + _INSET, top + _INSET, left + _WIDE - _INSET, top + _HIGH - _INSET)
    if each.won:
        yield Area(frame, Mix(Role.ACCENT, 0.125))
    yield Stroke(frame, 3 if each.won else 2, Role.INK if each.won else Role.GRID, wobble=0.5, closed=True)
    x, y = left + _WIDE / 2, top + 24 + _RADIUS
    yield badge(each.key, (x, y), _RADIUS, won=each.won)
    room, y = _WIDE - 2 * _INSET - 16, y + _RADIUS + 26
    words = [
        (line, Role.INK) for line in _wrapped(each.title or each.riddle or "not yet", Face.READ, _SIZE, room)
    ]
    if each.won:
        words += [(line, Role.MUTED) for line in _wrapped(group.replace("-", "- "), Face.READ, _SIZE, room)]
    for number, (line, ink) in enumerate(words):
        size = fonts.fitted(line, Face.READ, _SIZE, room)
        yield Text((x, y + _LINE * number), line, size, ink if each.won else Role.MUTED)
    if each.progress is not None and not each.won:
        have, need = each.progress
        end, low = left + _WIDE - 28, top + _HIGH - 20
        yield Stroke(((left + 28, low), (end, low)), 8, Role.GRID, wobble=0)
        if have:
            yield Stroke(
                ((left + 28, low), (left + 28 + (end - left - 28) * have / need, low)),
                8,
                Role.SEAT_4,
                wobble=0,
            )


def _wrapped(words: str, face: Face, size: float, room: float) -> list[str]:
    """Return words in lines that are at most `room` wide, where words can be parted."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and fonts.width(longer, face, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
