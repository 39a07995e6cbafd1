"""The legal moves that a partly typed text may become."""

import re
from collections.abc import Iterable, Sequence

from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.core.match import Match

_PARTS = re.compile(r"[a-z]+|[0-9]+")
_TURNED = re.compile(r"(?<![a-z0-9])([0-9]+) ?([a-z])(?![a-z])")


def matching_moves(match: Match, seat: Seat, typed: str, most: int) -> list[str]:
    """Return at most `most` legal moves that match what `seat` has typed.

    First comes the move that the text already means, then the moves that begin with it, then those that contain it. The
    text is read as freely as a move: `C 3`, `c3` and `3c` find c3; `17-` finds moves from 17, but none from 170.
    """
    legal = match.legal() or ()
    if not typed.strip():
        return list(legal[:most])
    plain = _TURNED.sub(r"\2\1", typed.lower())
    typed_parts = [part for part in _PARTS.findall(plain) if part != "to"]
    ended = bool(typed_parts) and not plain.rstrip().endswith(typed_parts[-1])
    matched = [(_index(_PARTS.findall(text), typed_parts, ended), text) for text in legal]
    beginning = [text for index, text in matched if index == 0]
    inside = [text for index, text in matched if index is not None and index > 0]
    return list(dict.fromkeys([*_meant(match, seat, typed), *beginning, *inside]))[:most]


def _index(parts: Sequence[str], typed_parts: Sequence[str], ended: bool) -> int | None:
    """Return the index at which the typed parts occur in a move; the last may be incomplete unless it `ended`."""
    if not typed_parts:
        return None
    *before, last = typed_parts
    for start in range(len(parts) - len(before)):
        final = parts[start + len(before)]
        if list(parts[start : start + len(before)]) == before and (
            final == last if ended else final.startswith(last)
        ):
            return start
    return None


def _meant(match: Match, seat: Seat, typed: str) -> Iterable[str]:
    """Return the move that the text already means, if it is legal."""
    try:
        text = match.play(seat, typed).log[-1].text
    except RuleError:
        return []
    return [text] if text in (match.legal() or ()) else []
