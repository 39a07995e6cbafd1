"""A local Discord under the contract, a real bot process on it, and its members. All tests here share one event loop,
so that they can share these."""

from collections.abc import AsyncIterator, Generator

import pytest
import pytest_asyncio

from tests.contract.checker import Contract
from tests.e2e.club import Club
from tests.e2e.shared_server import SharedServer

HERE = "tests/e2e/"
"""The beginning of the ids of all tests in this folder."""
LOGGED = 6000
"""Characters at the end of the bot's log that the report of a failed test shows."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(HERE) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what the bot has logged to the report of a failed test."""
    report = yield
    club = getattr(item, "funcargs", {}).get("club")
    if report.failed and isinstance(club, Club):
        report.sections.append(("the bot's log", club.bot.log[-LOGGED:]))
    return report


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SharedServer]:
    server = SharedServer(tmp_path_factory.mktemp("shared-server"))
    yield server
    await server.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def club(shared_server: SharedServer, contract: Contract) -> AsyncIterator[Club]:
    """Three members alone with the bot in a server; nothing has happened there yet."""
    async with shared_server.lend(contract) as lent:
        yield lent
