"""The banner of a poster, on which a win is celebrated: the winners' colours, rays and confetti."""

import math
from collections.abc import Iterator, Sequence
from random import Random

from render.board.inline import Item
from render.board.seats import piece
from render.engine.scene import Area, Group, Mix, Role, Shape, Stroke, rectangle
from render.engine.theme import SEATS
from rules.core.game import Seat

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
    yield Stroke(((inset, inset + height), (width - inset, inset + height)), 4, Role.INK, hand=0.6)


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
            hand=0.5,
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
        yield Stroke(ends, 5, SEATS[chance.randrange(len(SEATS) - 1)], hand=0.4)
