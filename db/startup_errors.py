"""A clear sentence for each error that keeps the database from opening."""

import sqlite3
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from db.address import File, Server
from db.values.failures import StoreFailed, StoreUnavailable


@contextmanager
def explained(place: File | Server) -> Iterator[None]:
    """Turn errors of the drivers while a database is opened into StoreUnavailable."""
    try:
        yield
    except _errors(place) as error:
        cause = _cause(error)
        sentence = _file(place.path, cause) if isinstance(place, File) else _server(place, cause)
        raise StoreUnavailable(sentence) from error


def _errors(place: File | Server) -> tuple[type[Exception], ...]:
    """Return the errors of drivers, and those of our own that wrap them."""
    errors: tuple[type[Exception], ...] = StoreFailed, OSError, DBAPIError, sqlite3.Error
    if isinstance(place, Server):
        import asyncpg  # only here: a start with SQLite does not need it

        errors += asyncpg.PostgresError, asyncpg.InterfaceError
    return errors


def _cause(error: BaseException) -> BaseException:
    """Return the error of the driver inside SQLAlchemy's wrappers."""
    if isinstance(error, StoreFailed) and error.__cause__ is not None:
        return _cause(error.__cause__)
    if isinstance(error, DBAPIError) and error.orig is not None:
        return error.orig.__cause__ or error.orig
    return error


def _server(place: Server, error: BaseException) -> str:
    import asyncpg  # only here: a start with SQLite does not need it

    match error:
        case asyncpg.InvalidAuthorizationSpecificationError():  # a wrong password is one of these
            return (
                f"PostgreSQL at {place.host} refuses the login of {place.user or 'this user'}: "
                "check the user and the password in DATABASE_URL."
            )
        case asyncpg.InvalidCatalogNameError():
            return (
                f"PostgreSQL at {place.host} has no database {place.database}: "
                "create it, or name another in DATABASE_URL."
            )
        case asyncpg.InsufficientPrivilegeError():
            return (
                f"The user {place.user} may not create tables in the database {place.database}: "
                "make it the owner of the database."
            )
        case asyncpg.ClientConfigurationError() | asyncpg.UndefinedObjectError():
            return "DATABASE_URL has a wrong or unknown setting after its question mark: remove it."
        case asyncpg.DuplicateTableError():
            return (
                f"The database {place.database} at {place.host} holds another program's tables: "
                "name an empty one in DATABASE_URL."
            )
        case ssl.SSLError():
            return (
                f"PostgreSQL at {place.host} has no trusted certificate ({error.reason}): "
                "check sslmode and sslrootcert in DATABASE_URL."
            )
        case ConnectionError() if "SSL" in str(error):
            return f"PostgreSQL at {place.host} does not offer TLS: remove sslmode from DATABASE_URL."
        case FileNotFoundError() | PermissionError():
            return "DATABASE_URL names a file or socket that cannot be opened: correct what follows its question mark."
        case OSError():  # refused, no such host, no route, no answer in time
            return f"No PostgreSQL answers at {place.host}: start it, or correct the host in DATABASE_URL."
    return f"PostgreSQL at {place.host} cannot be used: {error}."


def _file(path: Path, error: BaseException) -> str:
    text = str(error)
    if "not a database" in text:
        return f"{path} is not an SQLite database: move it away, or let DATABASE_URL name another file."
    if "locked" in text:
        return f"{path} is locked by another program: stop that program and start again."
    if "malformed" in text:
        return f"{path} is damaged: give python -m bot restore a backup from before the damage."
    if "full" in text:
        return f"The disk of {path} is full: make room there and start again."
    if "already exists" in text and not isinstance(error, OSError):
        return f"{path} holds another program's tables: move it away, or let DATABASE_URL name another file."
    return f"The database file {path} cannot be used ({text}): its folder must be writable for the bot."
