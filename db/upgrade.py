"""Applying migrations, by Alembic."""

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def config(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration for a connection. There is no ini file."""
    made = Config()
    made.set_main_option("script_location", "db:migrations")
    made.attributes["connection"] = connection
    return made


def upgrade(connection: Connection) -> None:
    """Apply all missing migrations."""
    command.upgrade(config(connection), "head")
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if broken:
            raise RuntimeError(f"a migration left rows that refer to nothing: {broken}")
