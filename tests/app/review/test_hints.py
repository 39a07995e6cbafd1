"""Hints: for casual games only, told to everybody, and never for a position of a running rated game."""

import pytest

from bot.app.errors import Refused
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, Host

RATED = "A rated game that is still being played stands at this position"


async def test_hint_is_a_good_move_and_is_noted(host: Host) -> None:
    table = await host.begin("skull", "3x3", rated=False)
    hint = await host.services.hints.take(table.id, ADA)
    assert hint.choice.move in (table.match.legal() or ())
    again = await host.services.matches.table(table.id)
    assert again.stored.hinted == {0}
    assert again.plies == 0
    await host.services.matches.play(table.id, ADA, hint.choice.move)
    await host.services.hints.take(table.id, GRACE)
    assert (await host.services.matches.table(table.id)).stored.hinted == {0, 1}


async def test_hint_wins_where_it_can(host: Host) -> None:
    table = await host.begin("skull", "3x1", rated=False)
    hint = await host.services.hints.take(table.id, ADA)
    assert (hint.choice.move, hint.choice.value, hint.choice.exact) == (
        "b1",
        0,
        True,
    ) or hint.choice.value == 1


async def test_what_gets_no_hint(host: Host) -> None:
    hints, matches = host.services.hints, host.services.matches
    rated = await host.begin("alaric", "4")
    with pytest.raises(Refused, match="is rated; hints are for casual games"):
        await hints.take(rated.id, ADA)
    casual = await host.begin("alaric", "5", rated=False)
    with pytest.raises(Refused, match="It is not your turn"):
        await hints.take(casual.id, GRACE)
    with pytest.raises(Refused, match="is played by"):
        await hints.take(casual.id, EMMY)
    hidden = await host.begin("palindromes", rated=False)
    with pytest.raises(Refused, match="no hints for hidden moves"):
        await hints.take(hidden.id, ADA)
    await matches.resign(casual.id, GRACE)
    with pytest.raises(Refused, match="is over"):
        await hints.take(casual.id, ADA)
    for table in (rated, casual, hidden):
        assert (await matches.table(table.id)).stored.hinted == frozenset()


async def test_position_of_a_rated_game_gets_no_hint_in_another_channel(host: Host) -> None:
    rated = await host.begin("alaric", "9")
    casual = await host.begin("alaric", "9", ELSEWHERE, others=(EMMY,), rated=False)
    for user, other, move in ((ADA, ADA, "1"), (GRACE, EMMY, "4"), (ADA, ADA, "3"), (GRACE, EMMY, "6")):
        await host.services.matches.play(rated.id, user, move)
        await host.services.matches.play(casual.id, other, move)
    with pytest.raises(Refused, match=RATED):
        await host.services.hints.take(casual.id, ADA)
    assert (await host.services.matches.table(casual.id)).stored.hinted == frozenset()
    await host.services.matches.resign(rated.id, GRACE)
    await host.services.hints.take(casual.id, ADA)
