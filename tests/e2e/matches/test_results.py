"""Results and podiums are announced once, also when the bot is killed before it has announced them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.sandbox import Sandbox, messages
from bot.sandbox.messages import NONCE_HOLDS
from db.engine import open_store
from db.models import PostRow
from db.store import Store
from db.values.matches import Award, Ending, NewEntry, Outcome
from db.values.posts import PostKind
from rules.core.match import Ply
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.db.ladder import keep
from tests.e2e.bot_process import bot_at
from tests.e2e.messages import choose, open_settings, text_of, until
from tests.e2e.panels import Panel, panel_at
from tests.e2e.play import challenge
from tests.e2e.standings.test_leaderboard import ratings_of
from tests.e2e.stored_times import published
from tests.waiting import wait_until, wait_while

BACK = "A moderator took this result back: one hand, two seats. It counts for nobody."


async def nothing_to_tell(store: Store, guild: int) -> None:
    """Wait until the bot has noted that all is told, last season's podium too."""
    await wait_while(lambda: store.posts.pending(datetime.now(UTC), 10))
    await wait_until(lambda: podiums(store))
    assert (await store.servers.settings(guild)).podium


async def podiums(store: Store) -> list[PostRow]:
    async with store.sessions.read() as session:
        return list(await session.scalars(select(PostRow).where(PostRow.kind == PostKind.PODIUM)))


async def lines(player: Player) -> list[str]:
    """All that has been said in a channel, boards left out."""
    return [text_of(message) for message in await player.messages() if Panel.of(message) is None]


@pytest.mark.soak
@pytest.mark.parametrize(
    "nonce_holds", [pytest.param(NONCE_HOLDS, id="at once"), pytest.param(0.0, id="nonces expired")]
)
async def test_a_killed_bot_announces_once_after_its_restart(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nonce_holds: float
) -> None:
    monkeypatch.setattr(messages, "NONCE_HOLDS", nonce_holds)
    async with (
        Sandbox(channels=("general", "lounge"), observe=contract) as local,
        players(local.url, local.world) as (ada, grace, emmy),
        open_store(None, tmp_path) as store,
    ):
        guild = int(local.world.guild["id"])
        lounge = emmy.elsewhere(local.channel("lounge")["id"])
        async with bot_at(local.url, tmp_path):
            await choose(
                ada, await open_settings(ada, "Posts in channels"), "setting:results", lounge.channel
            )
            match = (await challenge(ada, grace, "skull", "quick")).match
            await published(store, PostKind.BOARD, match)
        # Killed when the result was stored, and nothing else.
        now, result = datetime.now(UTC), (Outcome.LOST, Outcome.WON)
        awards = [Award(1, "skull.yorick")]
        await store.matches.append(
            match, 0, NewEntry(Ply(0, "resign"), now), Ending(result, awards=awards, ranks=(2, 1))
        )
        await store.servers.change(guild, podium=True)
        # Not by a second store: closing that one would drop this process's locks on the file of SQLite.
        await keep(store, ratings_of(guild, list(range(10**17, 10**17 + 3))))
        async with bot_at(local.url, tmp_path):
            last = await panel_at(emmy, match, 1)
            await nothing_to_tell(store, guild)
            (change,) = [it for it in await store.ratings.changes(match) or () if it.after.score > 1000]
        winner = change.user
        first, podium = sorted((await lines(lounge))[-2:], key=lambda line: "Last season" in line)
        first = first.strip()
        assert first.startswith(f"[Amazon Skull #{match}](https://discord.com/channels/{guild}/")
        assert f"/{last.message['id']}): <@{winner}> " in first
        assert " beat <@" in first
        assert first.endswith(f" by resignation. <@{winner}> earned **Alas, Poor Yorick**.")
        assert podium.startswith("\n### Last season: All games")
        assert "Rating: " in last.text

        # Killed when it had been taken back.
        await store.matches.void(match, datetime.now(UTC), "one hand, two seats")
        async with bot_at(local.url, tmp_path):
            await until(ada, last.message, BACK)
            await nothing_to_tell(store, guild)
        said = await lines(lounge)
        assert [line for line in said if BACK in line] == [said[-1]]
        assert said[-1] == (await lines(emmy))[-1]
        assert "Rating: " not in text_of(await emmy.get(f"messages/{last.message['id']}"))
