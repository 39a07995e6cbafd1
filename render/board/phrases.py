"""Helpers for English sentences: plurals, ranges of numbers, lines of limited width, and early endings."""

from collections.abc import Iterable
from textwrap import wrap

from rules.core.match import Observation


def sentence(text: str) -> str:
    """Return `text` with a capital and a full stop."""
    return text[:1].upper() + text[1:] + "."


def counted(number: int, thing: str) -> str:
    """Return a number with a noun: `1 stone`, `2 stones`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def spell_points(halves: int) -> str:
    """Return half points as text: `0`, `0.5`, `1`, `1.5`. The type faces of pictures have no sign for a half."""
    return f"{halves / 2:g}"


def counted_points(halves: int) -> str:
    """Return half points with their noun: `0 points`, `0.5 point`, `1 point`, `2.5 points`."""
    return f"{spell_points(halves)} {'point' if 0 < halves <= 2 else 'points'}"


def shortened(text: str, limit: int) -> str:
    """Return the first sentences of `text` that have at most `limit` characters, or else its first words and `…`."""
    if len(text) <= limit:
        return text
    if ". " in (start := text[: limit + 1]):
        return start[: start.rindex(". ") + 1]
    return f"{text[:limit].rpartition(' ')[0] or text[: limit - 1]}…"


def spans(numbers: Iterable[int]) -> str:
    """Return whole numbers in order, three or more in a row as a range: `1, 2, 4 to 7`; `none` if there are none."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return ", ".join(parts) or "none"


def flowed(entries: Iterable[str], width: int = 40) -> list[str]:
    """Return entries in lines of at most `width` columns, two spaces apart. No entry is broken."""
    lines: list[str] = []
    for entry in entries:
        if lines and len(lines[-1]) + 2 + len(entry) <= width:
            lines[-1] += f"  {entry}"
        else:
            lines.append(entry)
    return lines


def wrapped(text: str) -> list[str]:
    """Return a text in lines of at most 40 columns, indented from the second on. Lines break at spaces only."""
    return wrap(text, 40, subsequent_indent="  ", break_on_hyphens=False)


def as_fit(start: str, sentences: Iterable[str], limit: int) -> str:
    """Return sentences in a row, without those from the first on with which they have more than `limit` characters."""
    told = start
    for sentence in sentences:
        if len(told) + 1 + len(sentence) > limit:
            break
        told += f" {sentence}"
    return told


def is_draw(seen: Observation) -> bool:
    """Return True if all remaining players share the win, False if only some of them do."""
    winners = seen.winners or ()
    if len(winners) < 2:
        return False
    return seen.agreed or seen.scores is None or len(winners) + len(seen.left) >= len(seen.scores)


def early_ending(seen: Observation) -> str:
    """Return how a match ended early, like "by resignation"; "" if it was played to its end or is still running."""
    if seen.winners is None:
        return ""
    if not seen.winners:
        return "without a result"
    if seen.agreed:
        return "by agreement"
    if seen.left and seen.last == seen.left[-1]:
        return "by resignation" if seen.last.text == "resign" else "on time"
    return ""
