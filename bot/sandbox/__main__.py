"""`python -m bot.sandbox`: the local Discord alone, so that any bot can log in."""

import argparse
import asyncio
from contextlib import suppress

from bot.sandbox.server import Sandbox
from bot.sandbox.world.store import StoreError


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bot.sandbox", description=__doc__)
    parser.add_argument("--port", type=int, default=8080, help="default 8080; 0 takes a free one")
    parser.add_argument(
        "--path", help="a file that stores the world; without it the world is lost at the end"
    )
    parser.add_argument("--members", nargs="+", default=["Ada", "Grace", "Emmy"], help="names of the members")
    parser.add_argument("--application", default="Bot", help="the bot's name")
    parser.add_argument(
        "--channels", nargs="+", default=["general"], help="names of the channels of each server"
    )
    parser.add_argument(
        "--servers", type=int, default=1, help="the number of servers; each has members of its own"
    )
    parser.add_argument(
        "--shards", type=int, default=1, help="the number of shards that the gateway recommends"
    )
    parser.add_argument(
        "--max-concurrency", type=int, help="sessions that may start every 5 seconds; without it any number"
    )
    parser.add_argument(
        "--global-limit",
        type=int,
        help="REST requests of the bot in a second, 50 at Discord; without it any number",
    )
    return parser.parse_args()


async def main(given: argparse.Namespace) -> None:
    sandbox = Sandbox(
        given.port, members=given.members, application=given.application, path=given.path,
        channels=given.channels, servers=given.servers, shards=given.shards,
        max_concurrency=given.max_concurrency, global_limit=given.global_limit,
    )  # fmt: skip
    async with sandbox as local:
        print(f"page     {local.url}/\nREST     {local.url}/api/v10\ngateway  {local.gateway}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        try:
            asyncio.run(main(arguments()))
        except (OSError, StoreError, ValueError) as error:
            raise SystemExit(f"The local Discord cannot start: {error}") from None
