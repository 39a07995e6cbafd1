"""Backups of a PostgreSQL database, by PostgreSQL's own programs: pg_dump, pg_restore and psql.

The password reaches them in their environment, since everybody on a machine can read command lines.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryFile
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from db.address import Server
from db.values.failures import StoreUnavailable

UNDERSTOOD = frozenset(
    [
        "host",
        "hostaddr",
        "port",
        "user",
        "dbname",
        "passfile",
        "service",
        "options",
        "application_name",
        "connect_timeout",
        "target_session_attrs",
        "sslmode",
        "sslrootcert",
        "sslcert",
        "sslkey",
        "sslcrl",
    ]
)
"""The settings in an address that libpq knows; asyncpg sends others to the server."""

VERSIONS = Path("/usr/lib/postgresql")
"""The folder in which Debian keeps the programs of each version."""
LOCK_S = 30
"""The time in seconds to wait for others who use a table."""

EMPTY = """
DO $$
DECLARE it record;
BEGIN
    FOR it IN
        SELECT c.oid::regclass AS name FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT EXISTS (
            SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    LOOP EXECUTE format('DROP TABLE IF EXISTS %s CASCADE', it.name); END LOOP;
    FOR it IN
        SELECT p.oid::regprocedure AS name FROM pg_proc p
        WHERE p.pronamespace = current_schema()::regnamespace AND NOT EXISTS (
            SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    LOOP EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', it.name); END LOOP;
    FOR it IN
        SELECT t.oid::regtype AS name FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
        WHERE t.typnamespace = current_schema()::regnamespace AND t.typelem = 0
        AND (t.typtype IN ('e', 'd') OR (t.typtype = 'c' AND c.relkind = 'c')) AND NOT EXISTS (
            SELECT 1 FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')
    LOOP EXECUTE format('DROP TYPE IF EXISTS %s CASCADE', it.name); END LOOP;
END $$;
"""
"""Drops all tables, functions and types of the schema, but for those of extensions."""


def dump(place: Server, to: Path) -> str:
    """Write a database as it is at one moment into an empty file, verify that, and return the revision.

    Raises StoreUnavailable.
    """
    _run(place, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={to}", _target(place))
    return verify(to)


def verify(dump: Path) -> str:
    """Return the revision in a dump that can be read to its end. Raises StoreUnavailable."""
    _run(None, "pg_restore", "--file=/dev/null", str(dump))
    rows = _run(None, "pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(dump))
    found = re.search(r"^COPY [^\n]*alembic_version[^\n]*\n([^\n\\]+)\n", rows, re.MULTILINE)
    if found is None:
        raise StoreUnavailable(
            f"{dump} is a backup of another program: name one that python -m bot backup wrote."
        )
    return found[1]


def load(place: Server, dump: Path) -> None:
    """Replace all that is in a database by a dump, in one transaction.

    Raises StoreUnavailable; then nothing was changed.
    """
    reading = (_found("pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(dump))
    writing = (
        _found("psql"),
        "--no-psqlrc",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        "--output=/dev/null",
        _target(place),
    )
    with (
        TemporaryFile("w+") as errors,
        subprocess.Popen(reading, stdout=subprocess.PIPE, stderr=errors) as reader,  # noqa: S603 - found above
        subprocess.Popen(writing, stdin=subprocess.PIPE, stderr=errors, env=_environment(place)) as writer,  # noqa: S603 - found above
    ):
        assert reader.stdout is not None
        assert writer.stdin is not None
        try:
            writer.stdin.write(f"BEGIN;\nSET LOCAL lock_timeout = '{LOCK_S}s';\n{EMPTY}\n".encode())
            shutil.copyfileobj(reader.stdout, writer.stdin)
            writer.stdin.write(b"COMMIT;\n" if reader.wait() == 0 else b"ROLLBACK;\n")
            writer.stdin.close()
        except BrokenPipeError:
            pass  # psql has met an error and ended; its transaction is rolled back.
        reader.stdout.close()
        failed = writer.wait() or reader.wait()
        errors.seek(0)
        if failed:
            raise _failure(errors.read())


def _run(place: Server | None, program: str, *arguments: str) -> str:
    """Run a program and return what it prints. Raises StoreUnavailable."""
    done = subprocess.run(  # noqa: S603 - one of PostgreSQL's programs
        (_found(program), *arguments), capture_output=True, text=True, env=_environment(place)
    )
    if done.returncode != 0:
        raise _failure(done.stderr)
    return done.stdout


def _failure(said: str) -> StoreUnavailable:
    """Return the first error that a program wrote, as one sentence."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    first = next(
        (line for line in lines if "error" in line.lower()), lines[0] if lines else "no reason given"
    )
    if "server version mismatch" in said:
        return StoreUnavailable(
            "pg_dump is older than the server: install PostgreSQL's client programs of the server's version."
        )
    return StoreUnavailable(
        f"PostgreSQL's programs have failed, and nothing was changed ({first.rstrip('.')})."
    )


def _found(program: str) -> str:
    """Return the path of one of PostgreSQL's programs. Raises StoreUnavailable if it is not installed."""
    if found := shutil.which(program):
        return found
    versions = VERSIONS.glob(f"*/bin/{program}")
    newest = max(versions, key=lambda path: int(path.parts[-3]), default=None)
    if newest is None:
        raise StoreUnavailable(
            f"{program} is not installed: install PostgreSQL's client programs (postgresql-client in Debian), "
            "of the server's version or newer."
        )
    return str(newest)


def _target(place: Server) -> str:
    """Return the address of a database without its password, as libpq takes it."""
    parts = urlsplit(place.dsn)
    query = urlencode(
        [(key, value) for key, value in parse_qsl(parts.query) if key in UNDERSTOOD], quote_via=quote
    )
    netloc = parts.netloc
    if parts.password is not None:
        account, _, host = parts.netloc.rpartition("@")
        netloc = f"{account.partition(':')[0]}@{host}"
    return f"--dbname={parts._replace(netloc=netloc, query=query).geturl()}"


def _environment(place: Server | None) -> dict[str, str]:
    """Return the environment of a program, with the password of the database."""
    environment = {**os.environ, "LC_ALL": "C"}
    if place is not None:
        parts = urlsplit(place.dsn)
        written = dict(parse_qsl(parts.query)).get("password")
        password = written if parts.password is None else unquote(parts.password)
        if password is not None:
            environment["PGPASSWORD"] = password
    return environment
