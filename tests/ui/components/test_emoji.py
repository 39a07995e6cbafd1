"""The emojis of the games, with the real discord.py and the local Discord."""

import re
from collections.abc import AsyncIterator

import discord
import pytest
from structlog.testing import capture_logs

from bot.sandbox import Fault, Sandbox
from bot.ui.components import message_parts as emoji
from bot.ui.components.message_parts import game_option
from bot.ui.posts.clients import Clients
from render.board.seats import seat_mark
from render.games import HOSTED_GAMES, skull
from render.marks import mark_png
from rules.games import BY_KEY
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


@pytest.fixture
def clients(client: discord.Client) -> Clients:
    """That client alone."""
    found = Clients()
    found.add(client)
    return found


EMOJIS_OF_THE_BOT = [f"pencilbox_{name}" for name in (*BY_KEY, *(f"seat_{seat}" for seat in range(1, 7)))]


def leads() -> bool:
    return True


def names(local: Sandbox) -> list[str]:
    return [body["name"] for _, body in local.world.store.all("emoji")]


async def test_each_emoji_is_uploaded_once(local: Sandbox, clients: Clients) -> None:
    await emoji.load_emojis(clients, leads)
    assert names(local) == EMOJIS_OF_THE_BOT
    before = emoji.game_emoji("skull")
    await emoji.load_emojis(clients, leads)
    assert len(names(local)) == len(EMOJIS_OF_THE_BOT)
    assert game_option(SKULL).emoji == emoji.game_emoji("skull") == before
    assert before is not None
    assert emoji.with_emoji("skull", "Skulls") == f"<:pencilbox_skull:{before.id}> Skulls"
    assert re.fullmatch("<:pencilbox_seat_1:[0-9]+>", emoji.seat_token(0))


async def test_a_start_uploads_only_what_is_missing(
    local: Sandbox, client: discord.Client, clients: Clients
) -> None:
    await client.create_application_emoji(name="pencilbox_skull", image=mark_png("skull"))
    await emoji.load_emojis(clients, leads)
    assert sorted(names(local)) == sorted(EMOJIS_OF_THE_BOT)


async def test_one_of_several_processes_uploads_and_the_others_wait(
    local: Sandbox, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emoji, "PAUSE", 0.0)
    await emoji.load_emojis(clients, lambda: False)
    assert names(local) == []
    looks = iter((False, True))
    await emoji.load_emojis(clients, lambda: next(looks))
    assert len(names(local)) == len(EMOJIS_OF_THE_BOT)
    assert emoji.game_emoji("skull") is not None


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_titles_stay_plain_where_discord_refuses(local: Sandbox, clients: Clients, method: str) -> None:
    local.faults.plan(method, EMOJIS, Fault.FORBIDDEN)
    with capture_logs() as logs:
        await emoji.load_emojis(clients, leads)
    assert [line["event"] for line in logs] == ["emojis.not_loaded"]
    assert names(local) == []
    assert game_option(SKULL).emoji is None
    assert emoji.seat_token(0) == seat_mark(0)
    assert emoji.with_emoji("skull", "Skulls") == "Skulls"


async def test_emojis_failure_of_a_mark_is_logged(clients: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skull, "MARK", None)
    with capture_logs() as logs:
        await emoji.load_emojis(clients, leads)
    assert [line["event"] for line in logs] == ["emojis.load_failed"]
    assert emoji.with_emoji("skull", "Skulls") == "Skulls"
