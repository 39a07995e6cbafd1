"""The emojis of the games, with the real discord.py and the local Discord."""

from collections.abc import AsyncIterator

import discord
import pytest
from structlog.testing import capture_logs

from bot.sandbox import Fault, Sandbox
from bot.ui.kit.content import emoji
from bot.ui.kit.content.options import game_option
from render.hosted_games import HOSTED_GAMES
from render.marks import mark_png
from tests.contract.checker import Contract

SKULL = next(game for game in HOSTED_GAMES if game.key == "skull")
EMOJIS = "/applications/{application_id}/emojis"


@pytest.fixture
async def local(contract: Contract) -> AsyncIterator[Sandbox]:
    async with Sandbox(observe=contract) as started:
        yield started


@pytest.fixture
async def client(local: Sandbox, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[discord.Client]:
    """A client that has logged in, in a process that knows no emojis yet."""
    monkeypatch.setattr(discord.http.Route, "BASE", f"{local.url}/api/v10")
    monkeypatch.setattr(emoji, "_ready", {})
    async with discord.Client(intents=discord.Intents.none()) as made:
        await made.login(local.token)
        yield made


def names(local: Sandbox) -> list[str]:
    return [body["name"] for _, body in local.world.store.all("emoji")]


async def test_each_emoji_is_uploaded_once(local: Sandbox, client: discord.Client) -> None:
    await emoji.load_emojis(client)
    assert names(local) == [f"pencilbox_{game.key}" for game in HOSTED_GAMES]
    before = emoji.game_emoji("skull")
    await emoji.load_emojis(client)
    assert len(names(local)) == len(HOSTED_GAMES)
    assert game_option(SKULL).emoji == emoji.game_emoji("skull") == before
    assert before is not None
    assert emoji.with_emoji("skull", "Skulls") == f"<:pencilbox_skull:{before.id}> Skulls"


async def test_a_start_uploads_only_what_is_missing(local: Sandbox, client: discord.Client) -> None:
    await client.create_application_emoji(name="pencilbox_skull", image=mark_png("skull"))
    await emoji.load_emojis(client)
    assert sorted(names(local)) == sorted(f"pencilbox_{game.key}" for game in HOSTED_GAMES)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_titles_stay_plain_where_discord_refuses(
    local: Sandbox, client: discord.Client, method: str
) -> None:
    local.faults.plan(method, EMOJIS, Fault.FORBIDDEN)
    with capture_logs() as logs:
        await emoji.load_emojis(client)
    assert [line["event"] for line in logs] == ["games are shown without their emojis"]
    assert names(local) == []
    assert game_option(SKULL).emoji is None
    assert emoji.with_emoji("skull", "Skulls") == "Skulls"
