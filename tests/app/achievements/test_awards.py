"""A finished game proves what its record proves, at once and whenever it is decided again."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from bot.app.awards import Won
from bot.app.matches.loaded import LoadedMatch
from bot.operators.rebuild import prove
from bot.startup.config import Config
from db.engine import open_store
from db.values.places import DiscordId, Place
from tests.app.achievements.records import proof
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.db.migrated import lay

pytestmark = pytest.mark.slow

YORICK, CORNERS = "skull.yorick", "skull.corners"
FOUR_CORNERS = proof(CORNERS)
"""Seat 1 wins this one."""
WINNER, LOSER = GRACE, ADA


async def played(host: Host, moves: Sequence[tuple[int, str]] = FOUR_CORNERS["moves"]) -> LoadedMatch:
    """A game of skulls on the quick board, in which these moves have been played."""
    loaded = await host.begin("skull", "quick")
    for seat, text in moves:
        host.clock.push(timedelta(seconds=1))
        loaded = await host.services.matches.play(loaded.id, loaded.stored.users[seat], text)
    return loaded


def told(won: Sequence[Won]) -> list[tuple[DiscordId, str, int]]:
    return [(it.proof.user, it.achievement.key, it.proof.match) for it in won]


async def test_a_game_proves_what_its_record_proves(host: Host) -> None:
    running = await played(host, FOUR_CORNERS["moves"][:-1])
    assert await host.services.awards.new(running) == ()
    assert await host.services.awards.of(LOSER) == ()
    loaded = await host.services.matches.play(running.id, WINNER, FOUR_CORNERS["moves"][-1][1])
    assert loaded.match.over
    assert told(await host.services.awards.new(loaded)) == [
        (LOSER, YORICK, loaded.id),
        (WINNER, CORNERS, loaded.id),
    ]
    assert told(await host.services.awards.of(WINNER)) == [(WINNER, CORNERS, loaded.id)]
    assert await host.services.awards.of(EMMY) == ()
    again = await played(host)
    assert await host.services.awards.new(again) == ()
    (own,) = await host.services.awards.of(LOSER)
    assert (own.proof.match, own.proof.at) == (loaded.id, loaded.stored.finished_at)


async def test_the_closest_of_a_member_s_last_games_is_their_progress(host: Host) -> None:
    awards = host.services.awards
    assert await awards.progress(WINNER, HERE) == {}
    loaded = await played(host)
    step = (await awards.progress(WINNER, HERE))[CORNERS]
    assert (step.have, step.need) == (4, 4)
    assert CORNERS not in await awards.progress(LOSER, HERE)
    assert await awards.progress(WINNER, Place(2, 21)) == {}
    given_up = await played(host, FOUR_CORNERS["moves"][:-1])
    await host.services.matches.resign(given_up.id, LOSER)
    assert (await awards.progress(WINNER, HERE))[CORNERS] == step
    await host.services.matches.break_off(loaded.id, loaded.stored.place, "rude")
    assert await awards.progress(WINNER, HERE) == {}


async def test_a_result_that_is_taken_back_proves_nothing_and_the_next_proof_counts(host: Host) -> None:
    first, second = await played(host), await played(host)
    await host.services.matches.break_off(first.id, first.stored.place, "rude")
    for _ in range(2):
        assert await host.services.awards.new(first) == ()
        assert told(await host.services.awards.of(LOSER)) == [(LOSER, YORICK, second.id)]
        assert told(await host.services.awards.new(second)) == [
            (LOSER, YORICK, second.id),
            (WINNER, CORNERS, second.id),
        ]
        assert await host.services.awards.rebuild() == 2


async def test_the_command_proves_all_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path)
    async with open_store(None, tmp_path, prepared=True) as store:
        host = Host(store)
        loaded = await played(host)
        await store.achievements.award_again(loaded.id, [])
    monkeypatch.setenv("PENCILBOX_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", "")
    assert await prove(Config()) == 1
    async with open_store(None, tmp_path, prepared=True) as store:
        assert told(await Host(store).services.awards.of(LOSER)) == [(LOSER, YORICK, loaded.id)]
