"""Bringing a database to the schema of this code."""

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from db.errors import StoreUnavailable

_LOCK = int.from_bytes(b"pencilbx")
"""The PostgreSQL advisory lock that one migrating process holds."""


def config(connection: Connection) -> Config:
    """Alembic's configuration for one connection; there is no ini file to keep in step with it."""
    made = Config()
    made.set_main_option("script_location", "db:migrations")
    made.attributes["connection"] = connection
    return made


def migrate(connection: Connection) -> None:
    """Apply the migrations that are missing, all or none, in the transaction that `connection` is in.

    Two processes that start together take turns: on SQLite the transaction began with the write lock.
    Raises StoreUnavailable if the database is ahead of this code.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    made = config(connection)
    scripts = ScriptDirectory.from_config(made)
    current = MigrationContext.configure(connection).get_current_revision()
    if current == scripts.get_current_head():
        return
    known = {script.revision for script in scripts.walk_revisions()}
    if current is not None and current not in known:
        raise StoreUnavailable(
            f"The database is at version {current}, which this Pencilbox does not know: "
            "start the newer Pencilbox that wrote it, or let DATABASE_URL name another database."
        )
    command.upgrade(made, "head")
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if broken:
            raise RuntimeError(f"a migration left rows that refer to nothing: {broken}")
