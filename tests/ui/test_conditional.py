"""The private board for conditional moves, entered by its own buttons, fits into one message in every open game."""

import random
from dataclasses import replace

import pytest

from bot.app.conditional import LONGEST, MOST, Foresight
from bot.ui.conditional import ConditionalButton, ConditionalTarget
from tests.app.conftest import ADA, EMMY, GRACE, Host
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
        "cocomposite",
        *(
            pytest.param(it, marks=pytest.mark.soak)
            for it in ("alaric", "maze", "polygons", "skull", "spaghetti", "xlines")
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


async def test_the_longest_list_fits_a_message(host: Host) -> None:
    chance, loaded = random.Random(7), await host.begin("maze", others=(GRACE, EMMY))
    found = set[tuple[str, ...]]()
    while len(found) < MOST:
        match, moves = loaded.match, list[str]()
        for _ in range(LONGEST):
            moves.append(chance.choice(match.legal() or ()))
            match = match.play(match.to_move[0], moves[-1])
        found.add(tuple(moves))
    await host.store.variations.change(loaded.id, EMMY, 0, (), (), sorted(found))
    member = LoneMember(host, EMMY)
    await member.use(ConditionalButton(loaded.id))
    member.check()
    assert f"({MOST} of at most {MOST})" in member.text
    assert "The menu below names" in member.text
