"""A bot whose requests go through a proxy, as several processes need it that share Discord's limits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from aiohttp import web

from bot.sandbox import Exchange, Sandbox
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_process import bot_at
from tests.e2e.panels import panel_at
from tests.e2e.play import by_button, challenge

MARK = "X-Through"


@asynccontextmanager
async def forwarder(target: str) -> AsyncIterator[str]:
    """A proxy that marks what it forwards; yields its address."""
    async with aiohttp.ClientSession() as session:

        async def forward(request: web.Request) -> web.Response:
            headers = {name: value for name, value in request.headers.items() if name != "Host"}
            async with session.request(
                request.method,
                target + request.path_qs,
                headers=headers | {MARK: "yes"},
                data=await request.read(),
            ) as answer:
                body, kind = await answer.read(), answer.headers.get("Content-Type")
                found = {} if kind is None else {"Content-Type": kind}
                return web.Response(status=answer.status, body=body, headers=found)

        app = web.Application(client_max_size=1 << 25)
        app.router.add_route("*", "/{path:.*}", forward)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()


async def test_every_request_goes_through_the_proxy(tmp_path: Path, contract: Contract) -> None:
    marks: list[str | None] = []

    def observe(exchange: Exchange) -> None:
        contract(exchange)
        marks.append(exchange.request_headers.get(MARK))

    async with (
        Sandbox(observe=observe) as local,
        forwarder(local.url) as proxy,
        players(local.url, local.world) as (ada, grace, _),
        bot_at(local.url, tmp_path, DISCORD_PROXY_URL=proxy),
    ):
        board = await challenge(ada, grace, "skull", "quick")
        first = ada if board.turn == ada.id else grace
        await by_button(first, board, next(iter(board.moves)))
        await panel_at(ada, board.match, 1)
    assert len(marks) > 5
    assert set(marks) == {"yes"}
