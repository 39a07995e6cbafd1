"""The owner bans, announces and looks at the load. Everybody else is refused, or does not see the command at all."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from bot.sandbox import Sandbox
from bot.ui.administration import REFUSAL
from tests.contract.checker import Contract
from tests.contract.player import Player, players_by_server
from tests.contract.player import Refused as RefusedByDiscord
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.messages import (
    Json,
    components,
    gone,
    message_with,
    newest,
    open_data,
    press,
    text_of,
)
from tests.e2e.panels import panel_at
from tests.e2e.play import ask, by_command, challenge

SERVERS = 2


@dataclass(frozen=True)
class Owned:
    """Ada owns the bot and the server with `/admin`; Ada of the second server owns that server alone."""

    local: Sandbox
    bot: BotProcess
    ada: Player
    grace: Player
    emmy: Player
    elsewhere: Player
    second: str
    """The id of the second server."""

    async def admin(self, words: str, subcommand: str, **options: object) -> str:
        """Use a command of `/admin` and return the answer, once it says this. Only Ada sees it."""
        await self.ada.command("admin", subcommand, **options)
        message = await message_with(self.ada, words)
        assert message["ephemeral_for"] == self.ada.id
        return text_of(message)


@pytest_asyncio.fixture(loop_scope="session")
async def owned(contract: Contract, tmp_path: Path) -> AsyncIterator[Owned]:
    async with (
        Sandbox(
            privileged=False, observe=contract, members=("Ada", "Grace", "Emmy"), servers=SERVERS
        ) as local,
        bot_at(local.url, tmp_path, PENCILBOX_ADMIN_SERVER=str(local.world.guild["id"])) as bot,
        players_by_server(local.url, local.world) as servers,
    ):
        second = next(id_ for id_ in local.world.guilds if id_ != local.world.guild["id"])
        ada, grace, emmy = servers[0]
        yield Owned(local, bot, ada, grace, emmy, servers[1][0], second)
        assert "Traceback" not in bot.log, bot.log


async def commands_of(player: Player) -> set[str]:
    return {command["name"] for command in await player.get("commands")}


async def test_an_owner_at_work(owned: Owned) -> None:
    ada, grace, emmy, world = owned.ada, owned.grace, owned.emmy, owned.local.world

    # Only the owner sees the command, in one server, and whoever else is shown it is refused.
    assert "admin" in await commands_of(ada)
    for other in (grace, owned.elsewhere):
        assert "admin" not in await commands_of(other)
        with pytest.raises(RefusedByDiscord, match="no command 'admin'"):
            await other.command("admin", "load")
    world.guild["owner_id"] = grace.id
    await grace.command("admin", "load")
    assert (await message_with(grace, REFUSAL))["ephemeral_for"] == grace.id
    world.guild["owner_id"] = ada.id

    # Numbers.
    panel = await challenge(grace, emmy, "alaric")
    mover, waiter = (grace, emmy) if panel.turn == grace.id else (emmy, grace)
    await by_command(mover, panel, "3")
    panel = await panel_at(ada, panel.match, 1)
    assert "**0.1** moves per minute" in await owned.admin("### Load", "load")
    said = await owned.admin(f"### {SERVERS} servers", "servers")
    assert said.index("1 games running, 0 ended in 7 days") < said.index("0 games running")

    # An announcement is read in answers and under new boards, and only as long as it holds.
    await owned.admin("Until", "announce", text="Maintenance at noon @everyone", hours=2)
    line = ">: Maintenance at noon @everyone"
    await by_command(waiter, panel, "5")
    board = await panel_at(ada, panel.match, 2)
    assert line in board.text
    assert not board.message["mention_everyone"]
    for command in ("help", "games"):
        await emmy.command(command)
    await times(emmy, line, 3)
    await owned.admin("The announcement has ended", "end-announcement")
    await owned.admin("Nothing is announced now", "end-announcement")

    # A banned member reads one sentence, whatever they use, and may still see to their data.
    offer = await ask(grace, [emmy], "skull", "quick")
    await owned.admin("You cannot ban yourself", "ban-member", member=ada.id, reason="spam")
    said = await owned.admin("may not use me", "ban-member", member=grace.id, reason="spam")
    assert "1 open challenge was closed, 1 running game was resigned." in said
    over = await panel_at(ada, panel.match, 3)
    assert "resigned" in over.text
    await gone(emmy, offer)
    sentence = "(reason: `spam`); you can still use `/preferences`."
    await grace.command("help")
    refused = await newer(grace, sentence, over.message)
    await grace.press(over.message, button(over.message, "rematch:"))
    refused = await newer(grace, sentence, refused)
    await grace.command("challenge", member=emmy.id, game="skull")
    await newer(grace, sentence, refused)
    assert (await grace.autocomplete("move", "move", move=""))["choices"] == []
    await open_data(grace)
    await emmy.command("challenge", member=grace.id, game="skull")
    assert f"<@{grace.id}> takes no challenges at present" in text_of(
        await message_with(emmy, "takes no challenges")
    )

    # It is lifted by its number, which is suggested.
    listed = await owned.admin("**1 ban**", "bans")
    assert f"<@{grace.id}>, without an end: `spam`" in listed
    (choice,) = (await ada.autocomplete("admin", "ban", "unban", ban=""))["choices"]
    await owned.admin("may use me again", "unban", ban=choice["value"])
    await owned.admin("There is no ban", "unban", ban=choice["value"])
    await press_help(grace)

    # A server is banned, left, and left again when it comes back.
    await owned.elsewhere.command("help")
    await message_with(owned.elsewhere, "/challenge")
    await owned.admin("This is not the id of a server", "ban-server", server="here", reason="raids")
    await owned.admin("I am still in it", "ban-server", server=owned.second, reason="raids", days=3)
    await owned.elsewhere.command("games")
    assert "I may not be used in this server until <t:" in text_of(
        await message_with(owned.elsewhere, "raids")
    )
    await press(ada, await message_with(ada, "I am still in it"), "Leave the server")
    await message_with(ada, "I have left")
    assert not world.bot_is_in(owned.second)
    owned.local.add_bot(owned.second)

    async def left_again() -> bool | None:
        return not world.bot_is_in(owned.second) or None

    assert await ada.until(left_again)

    # All of it is in the log, without what a member may not read in the bot's own.
    said = await owned.admin("ban until", "log")
    assert f"ban without an end: member <@{grace.id}>, spam" in said
    assert f"leave server {owned.second}" in said
    assert "spam" not in owned.bot.log


async def times(player: Player, words: str, number: int) -> None:
    """Wait until the player sees so many messages that say this."""

    async def seen() -> bool | None:
        return sum(words in text_of(it) for it in await player.messages()) == number or None

    await player.until(seen)


async def newer(player: Player, words: str, than: Json) -> Json:
    """The message that says this and is newer than another one, once it is there."""
    return await newest(player, lambda it: words in text_of(it) and int(it["id"]) > int(than["id"]))


async def press_help(player: Player) -> None:
    await player.command("help")
    await message_with(player, "/challenge")


def button(message: Json, start: str) -> str:
    """The custom id of the first button that begins like this."""
    ids = (str(it.get("custom_id", "")) for it in components(message))
    return next(it for it in ids if it.startswith(start))
