"""Errors of Discord: what ends the bot has a sentence, what may pass has a pause, and no error has both."""

from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest
from yarl import URL

from bot.shards.logins import RETRY, pause_after, sentence_for


class Closed:
    """A WebSocket that Discord has closed, as discord.py looks at it."""

    def __init__(self, code: int) -> None:
        self.close_code = code


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (4004, "the token was not accepted: copy DISCORD_TOKEN again"),
        (4010, "the shards are wrong: leave SHARD_COUNT and SHARD_IDS out"),
        (4014, "the intents are not allowed: look at Privileged Gateway Intents"),
        (4999, "look the code up"),
    ],
)
def test_a_connection_that_is_closed_for_good_has_a_sentence(code: int, says: str) -> None:
    error = discord.ConnectionClosed(Closed(code), shard_id=0)  # type: ignore[arg-type]  # only its code is read
    sentence = sentence_for(error)
    assert sentence is not None
    assert f"(code {code})" in sentence
    assert says in sentence
    assert sentence.endswith(".")
    assert pause_after(error) is None


def test_refused_intents_have_the_sentence_of_their_code() -> None:
    sentence = sentence_for(discord.PrivilegedIntentsRequired(0))
    assert sentence is not None
    assert "Privileged Gateway Intents" in sentence


def test_refused_commands_are_explained_in_the_words_of_discord() -> None:
    url = URL("https://discord.com/api/v10/applications/1/commands")
    words = "You cannot remove this app's Entry Point command in a bulk update operation."
    response = SimpleNamespace(status=400, reason="Bad Request", url=url)
    error = discord.HTTPException(cast(Any, response), {"code": 50240, "message": words})
    sentence = sentence_for(error)
    assert sentence is not None
    assert f"(400, code 50240: {words.removesuffix('.')})" in sentence
    assert "TOKEN" not in sentence


def test_what_may_pass_has_a_pause_and_no_sentence() -> None:
    errors = (aiohttp.ClientConnectionError(), ConnectionResetError(), discord.GatewayNotFound())  # type: ignore[no-untyped-call]
    for error in errors:
        assert pause_after(error) == RETRY
        assert sentence_for(error) is None


def test_an_unknown_error_has_neither() -> None:
    assert pause_after(ValueError()) is None
    assert sentence_for(ValueError()) is None
