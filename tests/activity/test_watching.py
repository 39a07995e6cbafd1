"""Whoever watches a match is told how it stands, whatever they knew before."""

import asyncio

from bot.activity.watching import Standing, Watching
from tests.app.conftest import ADA, Host


async def test_a_move_just_before_one_watches_is_told(host: Host) -> None:
    """A page reads a match, a move is made and told to those who watch, and only then the page watches."""
    begun = await host.begin("skull")
    watching = Watching(host.services)
    told: dict[str, asyncio.Queue[Standing]] = {"first": asyncio.Queue(), "late": asyncio.Queue()}
    try:
        async with asyncio.timeout(20):
            watching.watch("first", begun.id, told["first"].put)
            assert (await told["first"].get()).loaded.plies == 0
            await host.services.matches.play(begun.id, ADA, "a1", 0)
            assert (await told["first"].get()).loaded.plies == 1
            watching.watch("late", begun.id, told["late"].put)
            assert (await told["late"].get()).loaded.plies == 1
            assert told["first"].empty()
    finally:
        await watching.end()
