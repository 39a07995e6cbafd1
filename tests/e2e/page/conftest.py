"""One bot as `make play` runs it, for all tests of the Activity."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.e2e.bot_process import playing


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """Return the address of the local Discord, without a slash at the end. The bot ends with this folder."""
    async with playing(tmp_path_factory.mktemp("play")) as started:
        yield started
