"""The emojis of the games, with the real discord.py and the local Discord."""

import re
from collections.abc import AsyncIterator
from contextlib import suppress

import discord
import pytest

from bot.app.tasks.rounds import FIRST_DELAY, Rounds
from bot.sandbox import Fault, Sandbox
from bot.ui.components import message_parts as emoji
from bot.ui.components.message_parts import game_option
from bot.ui.posts.clients import Clients
from render.board.seats import seat_mark
from render.games import HOSTED_GAMES
from render.marks import mark_png
from rules.games import BY_KEY
from tests.app.conftest import Host
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


@pytest.fixture
def rounds(host: Host) -> Rounds:
    return host.services.rounds


def names(local: Sandbox) -> list[str]:
    return [body["name"] for _, body in local.world.store.all("emoji")]


async def test_each_emoji_is_uploaded_once(local: Sandbox, clients: Clients, rounds: Rounds) -> None:
    await emoji.load_emojis(clients, leads, rounds)
    assert names(local) == EMOJIS_OF_THE_BOT
    before = emoji.game_emoji("skull")
    await emoji.load_emojis(clients, leads, rounds)
    assert len(names(local)) == len(EMOJIS_OF_THE_BOT)
    assert game_option(SKULL).emoji == emoji.game_emoji("skull") == before
    assert before is not None
    assert emoji.with_emoji("skull", "Skulls") == f"<:pencilbox_skull:{before.id}> Skulls"
    assert re.fullmatch("<:pencilbox_seat_1:[0-9]+>", emoji.seat_token(0))


async def test_a_start_uploads_only_what_is_missing(
    local: Sandbox, client: discord.Client, clients: Clients, rounds: Rounds
) -> None:
    await client.create_application_emoji(name="pencilbox_skull", image=mark_png("skull"))
    await emoji.load_emojis(clients, leads, rounds)
    assert sorted(names(local)) == sorted(EMOJIS_OF_THE_BOT)


async def test_one_of_several_processes_uploads_and_the_others_wait(
    local: Sandbox, clients: Clients, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await emoji.load_emojis(clients, lambda: False, rounds) == emoji.INCOMPLETE
    assert names(local) == []
    assert await emoji.load_emojis(clients, leads, rounds) == emoji.COMPLETE
    assert len(names(local)) == len(EMOJIS_OF_THE_BOT)
    monkeypatch.setattr(emoji, "_ready", {})
    assert await emoji.load_emojis(clients, lambda: False, rounds) == emoji.COMPLETE
    assert emoji.game_emoji("skull") is not None


@pytest.mark.parametrize("method", [pytest.param("GET", marks=pytest.mark.soak), "POST"])
async def test_titles_stay_plain_while_discord_refuses(
    local: Sandbox, clients: Clients, host: Host, method: str
) -> None:
    """A refused request is repeated later."""
    rounds = host.services.rounds
    local.faults.plan(method, EMOJIS, Fault.FORBIDDEN, times=99)
    with suppress(discord.Forbidden):
        assert await emoji.load_emojis(clients, leads, rounds) == emoji.INCOMPLETE
    assert names(local) == []
    assert game_option(SKULL).emoji is None
    assert emoji.seat_token(0) == seat_mark(0)
    assert emoji.with_emoji("skull", "Skulls") == "Skulls"
    local.faults.clear()
    host.clock.push(FIRST_DELAY)
    assert await emoji.load_emojis(clients, leads, rounds) == emoji.COMPLETE
    assert sorted(names(local)) == sorted(EMOJIS_OF_THE_BOT)
