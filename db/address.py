"""Where the database is: a file of our own, or a PostgreSQL server named by an address."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from db.errors import StoreUnavailable

FILE_NAME = "pencilbox.sqlite3"
_FORM = "write it as postgresql://user:password@host:5432/database"


@dataclass(frozen=True, slots=True)
class File:
    """An SQLite file."""

    path: Path


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL server. `dsn` is read by asyncpg, so all that libpq calls it (sslmode, ...) works."""

    dsn: str = field(repr=False)
    host: str
    """With the port, for people to read."""
    user: str
    database: str


def address(url: str | None, data_dir: Path) -> File | Server:
    """The database at `url`; without one, a file in `data_dir`. Raises StoreUnavailable; touches nothing."""
    if not url:
        return File(data_dir / FILE_NAME)
    scheme, colon, rest = url.strip().partition("://")
    if not colon:
        raise StoreUnavailable(f"DATABASE_URL is not an address; {_FORM}.")
    kind = scheme.lower().partition("+")[0]
    if kind in ("postgres", "postgresql"):
        return _server(f"postgresql://{rest}")
    if kind == "sqlite":
        return _file(rest)
    raise StoreUnavailable(f"DATABASE_URL begins with {scheme}://, which is no PostgreSQL address; {_FORM}.")


def _server(dsn: str) -> Server:
    try:
        parts = urlsplit(dsn)
        port = parts.port or 5432
        if parts.query:
            parse_qs(parts.query, strict_parsing=True)
    except ValueError:
        # The error would quote a piece of the password, so neither it nor its text goes any further.
        raise _unreadable() from None
    if "#" in dsn or "@" in parts.path:  # an unescaped password: what stands before it is not a host
        raise _unreadable()
    host = parts.hostname or "localhost"
    host = f"[{host}]" if ":" in host else host
    user = unquote(parts.username or "")
    return Server(dsn, f"{host}:{port}", user, unquote(parts.path.lstrip("/")) or user)


def _unreadable() -> StoreUnavailable:
    return StoreUnavailable(
        f"DATABASE_URL cannot be read; {_FORM}, with any of : / ? # @ % in the password percent-encoded."
    )


def _file(rest: str) -> File:
    path = unquote(rest.partition("?")[0]).removeprefix("/")
    if path in ("", ":memory:"):
        raise StoreUnavailable(
            "DATABASE_URL names an SQLite database in memory, where nothing would last; "
            "write it as sqlite:////folder/file.sqlite3, or leave it out."
        )
    return File(Path(path))
