"""Bringing a database to the schema of this code."""

from pathlib import Path

from sqlalchemy import Connection, inspect

_LOCK = int.from_bytes(b"pencilbx")
"""The PostgreSQL advisory lock that a migrating process holds."""

_VERSIONS = Path(__file__).parent / "migrations" / "versions"


def newest() -> str:
    """Return the revision of the newest migration; the names of the files begin with theirs."""
    return max(file.name.partition("_")[0] for file in _VERSIONS.glob("[0-9]*_*.py"))


def migrate(connection: Connection) -> None:
    """Apply all missing migrations in the transaction of `connection`.

    Two processes that start together do this one after the other: on SQLite the transaction began with the write lock.
    Raises StoreUnavailable if the database is of a newer version than this code.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    if _revisions(connection) == [newest()]:
        return
    # Alembic is imported only where something is to migrate: that takes a sixth of a start.
    from db.upgrade import upgrade

    upgrade(connection)


def _revisions(connection: Connection) -> list[str]:
    """Return the revisions that a database says it has: one, or none if it is new."""
    if not inspect(connection).has_table("alembic_version"):
        return []
    return list(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars())
