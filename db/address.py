"""The address of the database: an SQLite file or a PostgreSQL server."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from db.values.failures import StoreUnavailable

FILE_NAME = "pencilbox.sqlite3"
_FORM = "write it as postgresql://user:password@host:5432/database"


@dataclass(frozen=True, slots=True)
class File:
    """An SQLite file. `path` is absolute and without symbolic links, since its lock and its log stand beside it."""

    path: Path


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL server. asyncpg reads `dsn`, so all settings of libpq work (sslmode, ...)."""

    dsn: str = field(repr=False)
    host: str
    """With the port, for messages."""
    user: str
    database: str


def address(url: str | None, data_dir: Path) -> File | Server:
    """Return the database at `url`, or without one a file in `data_dir`, unconnected. Raises StoreUnavailable."""
    if not url:
        return _resolved(data_dir / FILE_NAME)
    scheme, colon, rest = url.strip().partition("://")
    if not colon:
        raise StoreUnavailable(f"DATABASE_URL is not an address; {_FORM}.")
    kind = scheme.lower().partition("+")[0]
    if kind in ("postgres", "postgresql"):
        return _server(f"postgresql://{rest}")
    if kind == "sqlite":
        return _file(rest)
    raise StoreUnavailable(
        f"DATABASE_URL begins with {scheme}://, which is not a PostgreSQL address; {_FORM}."
    )


def _server(dsn: str) -> Server:
    try:
        parts = urlsplit(dsn)
        port = parts.port or 5432
        if parts.query:
            parse_qs(parts.query, strict_parsing=True)
    except ValueError:
        # The error quotes a part of the password, so it must not be shown or chained.
        raise _unreadable() from None
    if "#" in dsn or "@" in parts.path:  # an unescaped password: the text before it is not a host
        raise _unreadable()
    host = parts.hostname or "localhost"
    host = f"[{host}]" if ":" in host else host
    user = unquote(parts.username or "")
    return Server(dsn, f"{host}:{port}", user, unquote(parts.path.lstrip("/")) or user)


def _unreadable() -> StoreUnavailable:
    return StoreUnavailable(
        f"DATABASE_URL cannot be read; {_FORM}, with : / ? # @ % in the password percent-encoded."
    )


def _file(rest: str) -> File:
    path = unquote(rest.partition("?")[0]).removeprefix("/")
    if path in ("", ":memory:"):
        raise StoreUnavailable(
            "DATABASE_URL names an SQLite database in memory, which would be lost at the next stop; "
            "write it as sqlite:////folder/file.sqlite3, or leave it out."
        )
    return _resolved(Path(path))


def _resolved(path: Path) -> File:
    found = path.resolve()
    if path.is_symlink() and not found.exists():
        raise StoreUnavailable(
            f"{path} is a link to {found}, which is not there: mount the disk that holds it, or remove the link."
        )
    return File(found)
