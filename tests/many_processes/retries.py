"""Actions that members repeat until they are answered, since processes may be killed at any moment."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress

from sqlalchemy import select

from bot.sandbox.checks.components import walk
from db.models import ChallengeRow, PostRow
from db.values.posts import PostKind
from tests.contract.player import Json, Player, Refused
from tests.many_processes.deployment import PATIENCE, Deployment

COMPUTER_GAMES = ("alaric", "skull", "xlines", "polygons", "maze", "palindromes")
AGAIN = 20.0
"""Seconds after which a member who sees no challenge challenges again."""
CLOCK = "1m"
"""The shortest clock that there is: a minute for each move."""


async def press_newest(player: Player, start: str) -> None:
    """Press the newest button in a member's channel whose custom id begins like this, once there is one.

    What is not answered in time may have been done: then the button is gone.
    """
    pressed = False
    async with asyncio.timeout(PATIENCE):
        while True:
            found = next(_buttons(await player.messages(), start), None)
            if found is None and pressed:
                return
            if found is not None:
                pressed = True
                with suppress(Refused):
                    if (await player.press(*found))["outcome"] != "failed":
                        return
            await asyncio.sleep(0.5)


async def gone(player: Player, start: str) -> None:
    """Wait until no button in a member's channel has a custom id that begins like this."""
    async with asyncio.timeout(PATIENCE):
        while any(_buttons(await player.messages(), start)):
            await asyncio.sleep(0.5)


def _buttons(messages: Sequence[Json], start: str) -> Iterator[tuple[Json, str]]:
    """Yield the messages with buttons that can be pressed and whose custom ids begin like this, the newest first."""
    for message in reversed(messages):
        for part in walk(message["components"]):
            custom_id = str(part.get("custom_id", ""))
            if custom_id.startswith(start) and not part.get("disabled"):
                yield message, custom_id


async def answered(player: Player, command: str, **options: object) -> Json:
    """Use a command until it is answered in time, which a busy machine may fail to do."""
    async with asyncio.timeout(PATIENCE):
        while True:
            answer: Json = await player.post("command", channel=player.channel, name=command, options=options)
            if answer["outcome"] != "failed":
                return answer
            await asyncio.sleep(1)


async def challenge_until_seen(
    deployment: Deployment, challenger: Player, other: Player, **options: object
) -> None:
    """Challenge until the challenge can be accepted, which an open one that is shown can be, too. The game is rated.

    Raises AssertionError with what the bot has answered last, and with the challenges and cards in the store.
    """
    local, channel = deployment.local.world, challenger.channel
    for _ in range(int(PATIENCE // AGAIN) - 1):
        answer = await answered(challenger, "challenge", member=other.id, games="one", **options)
        with suppress(TimeoutError):
            async with asyncio.timeout(AGAIN):
                while not any(_buttons([one.body for one in local.messages[channel].values()], "accept:")):
                    await deployment.watch.change(channel)
                return
    last = local.messages[channel].get(answer["message"]["id"])
    wanted = select(
        ChallengeRow.id, ChallengeRow.answer, PostRow.version, PostRow.shown, PostRow.message
    ).where(
        ChallengeRow.channel == int(channel),
        PostRow.subject == ChallengeRow.id,
        PostRow.kind == PostKind.CARD,
    )
    async with deployment.store.sessions.read() as session:
        stored = [tuple(row) for row in await session.execute(wanted)]
    raise AssertionError(f"no challenge can be accepted: {last and last.body!r}; {stored}")
