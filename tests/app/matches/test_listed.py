"""Lists of running games are read from a few columns: nothing is replayed, however many and however long they are."""

import random

import pytest
import sqlalchemy as sa

from bot.app.matches.listed import complete_turns
from bot.app.matches.loaded import forget_positions
from bot.app.members.agenda import agenda
from rules.core.match import Match
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.db.statements import statements


async def played(host: Host, games: int, plies: int) -> None:
    """Begin games between Ada and Grace, and play some moves in each."""
    chance = random.Random(1)
    for _ in range(games):
        loaded = await host.begin("cocomposite")
        for _ in range(plies):
            texts = loaded.match.legal() or ()
            loaded = await host.services.matches.play(loaded.id, loaded.waiting_for[0], chance.choice(texts))


async def everything_listed(host: Host) -> None:
    services = host.services
    for user in (ADA, EMMY):
        await agenda(services.matches, services.challenges, services.proposals, user, HERE)
    await services.matches.running(HERE)
    assert [it async for it in services.computer_turns.pending()] == []


async def test_lists_read_no_moves_whatever_was_played(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    await played(host, 1, 1)
    with statements() as few:
        await everything_listed(host)
    await played(host, 4, 9)
    forget_positions()
    with monkeypatch.context() as patch, statements() as many:
        patch.setattr(Match, "play", None)
        await everything_listed(host)
    assert many.beginning("SELECT") == few.beginning("SELECT")
    assert not [statement for statement, _ in many if "FROM plies" in statement]


async def test_game_of_an_earlier_version_is_replayed_once(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(host, 1, 5)
    (before,) = await host.services.matches.here(HERE.channel)
    assert before.waiting_for == (GRACE,)
    async with host.store.sessions.write() as session:
        await session.execute(sa.text("UPDATE matches SET turns = NULL"))
    await complete_turns(host.store)
    monkeypatch.setattr(Match, "play", None)
    assert await host.services.matches.here(HERE.channel) == [before]


async def test_games_that_wait_elsewhere_are_recalled(host: Host) -> None:
    """They are read only if this process does not remember all of them."""
    await played(host, 3, 2)
    matches = host.services.matches
    first, *others = [it.id for it in await matches.mine(ADA)]
    moved = await matches.load(first)
    moved = await matches.play(first, ADA, (moved.match.legal() or ())[0])
    with statements() as none:
        waiting = await matches.waiting_elsewhere(moved, ADA)
    assert waiting == [it for it in await matches.mine(ADA) if it.id in others]
    assert [it.waiting_for for it in waiting] == [(ADA,), (ADA,)]
    host.store.matches.forget(lambda stored: stored.id == others[0])
    with statements() as some:
        assert await matches.waiting_elsewhere(moved, ADA) == waiting
    assert (len(none), len(some.beginning("SELECT"))) == (0, 2)
    await matches.resign(others[1], ADA)
    assert [it.id for it in await matches.waiting_elsewhere(moved, ADA)] == others[:1]
