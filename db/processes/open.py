"""Opening the link of this process to the others that serve its database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from db.address import File, address
from db.processes.alone import AloneLink
from db.processes.link import Link


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
