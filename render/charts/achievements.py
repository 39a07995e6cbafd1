"""The picture of a member's achievements: a badge each, in groups, won or still open. It names nobody."""

from collections.abc import Iterator
from dataclasses import dataclass

from render.board.page import WIDTH
from render.board.text import ALT_LIMIT
from render.engine import fonts
from render.engine.raster import png
from render.engine.scene import Face, Point, Role, Scene, Shape, Stroke, Text
from render.engine.theme import THEMES
from render.marks import badge


@dataclass(frozen=True, slots=True)
class AchievementBadge:
    """An achievement: its key, and its title if it was won. `progress` says how far a member came, like (7, 10)."""

    key: str
    title: str = ""
    progress: tuple[int, int] | None = None

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


_MARGIN = 50
_TOP = 176
_ROW = 112
_LABEL = 226
"""The width of the column with the titles of groups."""
_CELLS = (_MARGIN + _LABEL, 580)
"""The left ends of the cells of a row."""
_RADIUS = 42
_MOST_LINES = 3
"""Lines of a group's title from which on it is set smaller."""
_WORDS = 168
"""The width of the words beside a badge."""


def draw_achievements(groups: tuple[AchievementGroup, ...], theme: str = "paper") -> bytes:
    """Return the picture as a PNG, 900 pixels wide. The same achievements give the same bytes."""
    return png(achievements_scene(groups), THEMES[theme])


def achievements_scene(groups: tuple[AchievementGroup, ...]) -> Scene:
    """Return the scene of the achievements of these groups."""
    won, all_ = sum(group.won for group in groups), sum(len(group.badges) for group in groups)
    shapes: list[Shape] = [
        Text((_MARGIN, 72), "Achievements", 100, face=Face.TITLE, anchor="l"),
        Text((WIDTH - _MARGIN, 76), f"{won} of {all_}", 44, anchor="r"),
        Stroke(((_MARGIN, 142), (WIDTH - _MARGIN, 142)), 3, Role.INK, wobble=0.8),
    ]
    y = float(_TOP)
    for group in groups:
        rows = -(-len(group.badges) // len(_CELLS))
        shapes += _title(group, y)
        for number, each in enumerate(group.badges):
            row, column = divmod(number, len(_CELLS))
            shapes += _cell(each, (_CELLS[column] + _RADIUS, y + _ROW * row + _RADIUS))
        y += _ROW * rows
        if group is not groups[-1]:
            shapes.append(Stroke(((_MARGIN, y - 14), (WIDTH - _MARGIN, y - 14)), 2, Role.GRID, wobble=0.4))
    return Scene(WIDTH, round(y + 14), tuple(shapes))


def achievements_alt(groups: tuple[AchievementGroup, ...], limit: int = ALT_LIMIT) -> str:
    """Return the picture in words, at most `limit` characters; groups that do not fit are left out."""
    won, all_ = sum(group.won for group in groups), sum(len(group.badges) for group in groups)
    told = f"Achievements, {won} of {all_} won."
    for group in groups:
        parts = [each.title for each in group.badges if each.won]
        titles = f": {', '.join(parts)}" if parts else ""
        came = "".join(
            f" ({each.progress[0]} of {each.progress[1]})" for each in group.badges if each.progress
        )
        more = f" {group.title}, {group.won} of {len(group.badges)}{titles}{came}."
        if len(told) + len(more) > limit:
            break
        told += more
    return told


def _title(group: AchievementGroup, y: float) -> Iterator[Shape]:
    size = 40 if len(_wrapped(group.title, Face.TITLE, 40, _LABEL - 24)) < _MOST_LINES else 34
    lines = _wrapped(group.title, Face.TITLE, size, _LABEL - 24)
    begin = y + _RADIUS - size / 2 * (len(lines) - 1)
    for number, line in enumerate(lines):
        yield Text((_MARGIN, begin + size * number), line, size, face=Face.TITLE, anchor="l")


def _cell(each: AchievementBadge, at: Point) -> Iterator[Shape]:
    yield badge(each.key, at, _RADIUS, won=each.won)
    x, y = at[0] + _RADIUS + 16, at[1]
    if each.won:
        lines = _wrapped(each.title, Face.READ, 27, _WORDS)
        for number, line in enumerate(lines):
            yield Text((x, y + 32 * (number - (len(lines) - 1) / 2)), line, 27, anchor="l")
    elif each.progress is None:
        yield Text((x, y), "not yet", 27, Role.MUTED, anchor="l")
    else:
        have, need = each.progress
        yield Text((x, y - 14), f"{have} of {need}", 30, Role.MUTED, anchor="l")
        end = x + 150
        yield Stroke(((x, y + 22), (end, y + 22)), 8, Role.GRID, wobble=0)
        if have:
            yield Stroke(((x, y + 22), (x + 150 * have / need, y + 22)), 8, Role.SEAT_4, wobble=0)


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
