"""Bringing a database to the schema of this code."""

from pathlib import Path

from sqlalchemy import Connection, inspect

from db.values.failures import StoreUnavailable

_LOCK = int.from_bytes(b"pencilbx")
"""The PostgreSQL advisory lock that a migrating process holds."""

_VERSIONS = Path(__file__).parent / "migrations" / "versions"


OLDEST, LAST_WITH_OLDER = "0038", "50da8a01"
"""The oldest revision that can be migrated, and the commit that brings older databases there."""


def newest() -> str:
    """Return the revision of the newest migration; the names of the files begin with theirs."""
    return max(file.name.partition("_")[0] for file in _VERSIONS.glob("[0-9]*_*.py"))


def migrate(connection: Connection) -> None:
    """Apply all missing migrations in the transaction of `connection`.

    Two processes that start together do this one after the other: on SQLite the transaction began with the write lock.
    Raises StoreUnavailable if the database is too old for this code, or newer.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    found = revision(connection)
    if found == newest():
        return
    check_known(found)
    # Alembic is imported only where something is to migrate: that takes a sixth of a start.
    from db.upgrade import upgrade

    upgrade(connection)


def revision(connection: Connection) -> str | None:
    """Return the revision that a database says it has; None if it has no tables of this program."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def check_current(connection: Connection) -> None:
    """Raise StoreUnavailable unless the schema of a database is the newest, as it is once a bot has started on it."""
    found = revision(connection)
    if found is None:
        raise no_tables()
    check_known(found)
    if found < newest():
        raise StoreUnavailable(
            f"The database is at version {found}, and this Pencilbox needs {newest()}: "
            "start the bot once, which brings it there."
        )


def check_known(found: str | None) -> None:
    """Raise StoreUnavailable if a database of this revision is too old for this code, or newer."""
    check_not_too_old(found)
    if found is not None and found > newest():
        raise StoreUnavailable(
            f"The database is at version {found}, which this Pencilbox does not know: "
            "start the newer Pencilbox that wrote it, or let DATABASE_URL name another database."
        )


def check_not_too_old(found: str | None, what: str = "The database") -> None:
    """Raise StoreUnavailable if a database or backup of this revision is too old to be migrated."""
    if found is not None and found < OLDEST:
        raise StoreUnavailable(
            f"{what} is at version {found}, and this Pencilbox reads only version {OLDEST} and later: "
            f"use Pencilbox of commit {LAST_WITH_OLDER} once, which brings it to {OLDEST}, and then this one."
        )


def no_tables() -> StoreUnavailable:
    """Return the error for a database that no bot has started on."""
    return StoreUnavailable("The database has no tables of Pencilbox: start the bot once, which makes them.")
