"""hikari, a client library that shares no code with discord.py, also works with the local Discord."""

import logging

import pytest

from tests.contract.checker import Contract


@pytest.mark.slow
async def test_hikari_works_with_the_local_discord(
    contract: Contract, caplog: pytest.LogCaptureFixture
) -> None:
    # Only this test imports hikari, which takes long.
    from hikari import ChannelType, NotFoundError

    from tests.sandbox.hikari_bot import PNG, picture, running

    async with running(contract) as stage:
        ada, rest = stage.ada, stage.bot.rest
        # It is logged in, and its commands are registered.
        assert [command.name for command in stage.commands] == ["board", "where"]
        assert {command["name"] for command in await ada.get("commands")} == {"board", "where"}
        assert (await ada.get("state"))["application"]["online"]
        assert list(stage.bot.cache.get_available_guilds_view())
        assert contract.events["GUILD_CREATE"] == 1

        # A command is answered with a picture, and an option with suggestions.
        shown = (await ada.command("where", cell="b1"))["message"]
        assert shown["content"] == "Here"
        assert shown["ephemeral_for"] == ada.id
        (attachment,) = shown["attachments"]
        assert await ada.fetch(attachment["url"]) == PNG
        suggested = await ada.autocomplete("where", "cell", cell="c")
        assert [choice["value"] for choice in suggested["choices"]] == [f"c{n}" for n in range(25)]

        # A button of a message of components changes it.
        shown = (await ada.command("board"))["message"]
        assert shown["flags"] & 1 << 15
        pressed = await ada.press(shown, "press")
        assert pressed["outcome"] == "update"
        text, gallery, _ = pressed["message"]["components"][0]["components"]
        assert text["content"] == "Move 1"
        assert await ada.fetch(gallery["items"][0]["media"]["url"]) == PNG

        # The bot posts, edits and deletes messages, and opens a thread.
        channel = int(ada.channel)
        message = await rest.create_message(channel, "A board", attachment=picture("board.png"))
        await rest.edit_message(channel, message, "A board, edited")
        assert (await rest.fetch_message(channel, message)).content == "A board, edited"
        thread = await rest.create_thread(channel, ChannelType.GUILD_PUBLIC_THREAD, "A game")
        assert thread.parent_id == channel
        await rest.delete_message(channel, message)
        with pytest.raises(NotFoundError):
            await rest.fetch_message(channel, message)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
