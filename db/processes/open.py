"""Opening the link of this process, and a database that one command has alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from db.address import File, Server, address
from db.processes.link import AloneLink, Link
from db.startup_errors import explained
from db.values.failures import StoreUnavailable


@asynccontextmanager
async def process_link(url: str | None, data_dir: Path) -> AsyncIterator[Link]:
    """Yield the link to the processes of a database, named as for `open_store`, and leave them in the end."""
    place = address(url, data_dir)
    link: Link
    if isinstance(place, File):
        link = AloneLink(place.path)
    else:
        # Imported here, because with SQLite a start does not need the driver of PostgreSQL.
        from db.processes.server import ServerLink

        link = ServerLink(place)
    try:
        yield link
    finally:
        await link.leave()


@asynccontextmanager
async def exclusively(url: str | None, data_dir: Path) -> AsyncIterator[File | Server]:
    """Yield the address of a database, named as for `open_store`, which no bot serves until the block ends.

    Raises StoreUnavailable if a bot serves it or if it cannot be reached. The folder of a file is created.
    """
    place = address(url, data_dir)
    async with _file(place) if isinstance(place, File) else _server(place) as taken:
        if not taken:
            raise StoreUnavailable("The bot serves this database: stop it first.")
        yield place


@asynccontextmanager
async def _file(place: File) -> AsyncIterator[bool]:
    link = AloneLink(place.path)
    try:
        yield await link.join()
    finally:
        await link.leave()


@asynccontextmanager
async def _server(place: Server) -> AsyncIterator[bool]:
    # Imported here, because with SQLite a command does not need the driver of PostgreSQL.
    from db.processes.server import close, connect, lock_alone

    with explained(place):
        connection = await connect(place)
    try:
        with explained(place):
            taken = await lock_alone(connection)
        yield taken
    finally:
        await close(connection)
