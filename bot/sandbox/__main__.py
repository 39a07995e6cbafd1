"""`python -m bot.sandbox`: the local Discord alone, so that any bot can log in."""

import argparse
import asyncio
from contextlib import suppress

from bot.sandbox.server import Sandbox
from bot.sandbox.world.store import StoreError


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bot.sandbox", description=__doc__)
    parser.add_argument("--port", type=int, default=8080, help="default 8080; 0 takes a free one")
    parser.add_argument("--path", help="a file that keeps the world; without it the world is gone at the end")
    parser.add_argument("--members", nargs="+", default=["Ada", "Grace", "Emmy"], help="names of the members")
    parser.add_argument("--application", default="Bot", help="the bot's name")
    return parser.parse_args()


async def main(given: argparse.Namespace) -> None:
    sandbox = Sandbox(given.port, members=given.members, application=given.application, path=given.path)
    async with sandbox as local:
        print(f"page     {local.url}/\nREST     {local.url}/api/v10\ngateway  {local.gateway}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        try:
            asyncio.run(main(arguments()))
        except (OSError, StoreError, ValueError) as error:
            raise SystemExit(f"The local Discord cannot start: {error}") from None
