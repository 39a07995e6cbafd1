"""Finding moves by what has been typed of them so far."""

import re
from collections.abc import Iterable, Sequence

from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.core.match import Match

_PARTS = re.compile(r"[a-z]+|[0-9]+")
_TURNED = re.compile(r"(?<![a-z0-9])([0-9]+) ?([a-z])(?![a-z])")


def matching_moves(match: Match, seat: Seat, typed: str, most: int) -> list[str]:
    """Legal moves that what `seat` has typed may become: what it means, then what begins so, then what holds it.

    Written as freely as a move may be: `C 3`, `c3` and `3c` find c3, and `17-` only what leads from 17, not from 170.
    """
    legal = match.legal() or ()
    if not typed.strip():
        return list(legal[:most])
    plain = _TURNED.sub(r"\2\1", typed.lower())
    wanted = [part for part in _PARTS.findall(plain) if part != "to"]
    ended = bool(wanted) and not plain.rstrip().endswith(wanted[-1])
    placed = [(_place(_PARTS.findall(text), wanted, ended), text) for text in legal]
    beginning = [text for place, text in placed if place == 0]
    inside = [text for place, text in placed if place is not None and place > 0]
    return list(dict.fromkeys([*_meant(match, seat, typed), *beginning, *inside]))[:most]


def _place(parts: Sequence[str], wanted: Sequence[str], ended: bool) -> int | None:
    """Where in a move its parts are what was typed; the last of them may be unfinished unless it `ended`."""
    if not wanted:
        return None
    *before, last = wanted
    for start in range(len(parts) - len(before)):
        final = parts[start + len(before)]
        if list(parts[start : start + len(before)]) == before and (
            final == last if ended else final.startswith(last)
        ):
            return start
    return None


def _meant(match: Match, seat: Seat, typed: str) -> Iterable[str]:
    """The move that the text is already, if it can be read as a legal one."""
    try:
        text = match.play(seat, typed).log[-1].text
    except RuleError:
        return []
    return [text] if text in (match.legal() or ()) else []
