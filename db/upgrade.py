"""Applying migrations, by Alembic."""

from functools import cache

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from db.migrate import newer


def config(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration for a connection. There is no ini file."""
    made = Config()
    made.set_main_option("script_location", "db:migrations")
    made.attributes["connection"] = connection
    return made


@cache
def _scripts() -> ScriptDirectory:
    """All migrations, read once per process: reading them takes longer than looking at the database."""
    return ScriptDirectory.from_config(config())


def upgrade(connection: Connection) -> None:
    """Apply all missing migrations. Raises StoreUnavailable if the database is of a newer version than this code."""
    known = {script.revision for script in _scripts().walk_revisions()}
    current = MigrationContext.configure(connection).get_current_revision()
    if current is not None and current not in known:
        raise newer(current)
    command.upgrade(config(connection), "head")
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if broken:
            raise RuntimeError(f"a migration left rows that refer to nothing: {broken}")
