"""`python -m tests.faults.read_only_bot`: the bot, whose SQLite file is read-only while the file READ_ONLY_IF exists.

A file that is open stays writable whatever becomes of its permissions, and root ignores them. So SQLite itself is told
to write nothing (`PRAGMA query_only`): it then refuses every write with the error of a read-only file.
"""

import os
import sys
from pathlib import Path

from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry, Pool, PoolProxiedConnection

import bot.__main__ as wiring

MARK = Path(os.environ["READ_ONLY_IF"])


def permit(connection: DBAPIConnection, _: ConnectionPoolEntry, __: PoolProxiedConnection) -> None:
    """Let a connection that is about to be used write, or not."""
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA query_only = {'ON' if MARK.exists() else 'OFF'}")
    cursor.close()


if __name__ == "__main__":
    event.listen(Pool, "checkout", permit)
    sys.exit(wiring.main())
