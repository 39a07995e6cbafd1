"""The private board for conditional moves, entered by its own buttons, fits into one message in every open game."""

import random
from dataclasses import replace

import pytest

from bot.app.conditional import Foresight
from bot.ui.conditional import ConditionalButton, ConditionalTarget
from tests.app.conftest import ADA, GRACE, Host
from tests.ui.exercises import LoneMember


async def entered(member: LoneMember, at: Foresight, text: str) -> Foresight:
    """Enter a move by buttons; the position after it."""
    mover, length = at.ahead.match.to_move[0], len(at.moves)
    assert mover is not None
    await member.enter(at.ahead.match, ConditionalTarget(at.loaded.id, at.number, length), mover, text)
    found = await member.host.services.conditional_moves.look(at.loaded.id, member.user)
    return replace(found, moves=(*at.moves, text))


@pytest.mark.parametrize(
    "game",
    [
        *("cocomposite", "maze"),
        *(
            pytest.param(it, marks=pytest.mark.soak)
            for it in ("alaric", "polygons", "skull", "spaghetti", "xlines")
        ),
    ],
)
async def test_every_step_of_a_variation_fits_a_message(host: Host, game: str) -> None:
    chance, loaded = random.Random(game), await host.begin(game, "standard")
    for user in (ADA, GRACE) * 2:
        loaded = await host.services.matches.play(loaded.id, user, chance.choice(loaded.match.legal() or ()))
    member = LoneMember(host, GRACE)
    await member.use(ConditionalButton(loaded.id))
    member.check()
    at = await host.services.conditional_moves.look(loaded.id, GRACE)
    for _ in range(4):
        at = await entered(member, at, chance.choice(at.ahead.match.legal() or ()))
    spelled = ", then ".join(f"`{text}`" for text in at.moves[:2])
    assert f"1. If {spelled}." in member.text
    await member.press(f"if-go:{loaded.id}:{at.number}:2:back")
    await member.press(f"if-go:{loaded.id}:0:0:back")
    assert "if-clear" in str(member.buttons)
