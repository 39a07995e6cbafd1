"""The outbox: one table for all messages that the bot maintains in Discord."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op
from alembic.operations import BatchOperations

from db.types import UtcTime

revision = "0042"
down_revision = "0041"

KINDS = ("board", "card", "result", "void", "podium", "puzzle", "moment")
BATCH = 1000
"""Rows that are written at a time."""


def upgrade() -> None:
    posts = op.create_table(
        "posts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(*KINDS, name="postkind", native_enum=False, create_constraint=True, length=16),
            nullable=False,
        ),
        sa.Column("subject", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.String(), server_default="", nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("due_at", UtcTime(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=True),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("progress", sa.Integer(), server_default="0", nullable=False),
        sa.Column("pinned", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("companions", sa.Text(), server_default="[]", nullable=False),
        sa.Column("tried_at", UtcTime(), nullable=True),
        sa.CheckConstraint("shown <= version", name=op.f("ck_posts_shows_what_was")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_posts")),
        sa.UniqueConstraint("kind", "subject", "key", name=op.f("uq_posts_kind_subject_key")),
        sqlite_autoincrement=True,
    )
    op.add_column("proposals", sa.Column("told", sa.Boolean(), server_default=sa.false(), nullable=False))
    connection = op.get_bind()
    for rows in _batches(_posts(connection)):
        connection.execute(sa.insert(posts), rows)
    connection.execute(sa.text("UPDATE proposals SET told = (message IS NOT NULL)"))
    pending = sa.text("shown IS NULL OR shown != version OR tried_at IS NOT NULL")
    op.create_index("ix_posts_guild", "posts", ["guild"])
    for name, columns in (
        ("ix_posts_pending_due_at", ["due_at", "id"]),
        ("ix_posts_pending_channel", ["channel"]),
    ):
        op.create_index(name, "posts", columns, sqlite_where=pending, postgresql_where=pending)
    op.drop_index("ix_matches_unshown", "matches")
    op.drop_index("ix_challenges_unposted_made_at", "challenges")
    with _rebuilt("matches") as table:
        table.drop_constraint(op.f("ck_matches_shows_what_was_played"), type_="check")
        table.drop_constraint(op.f("ck_matches_whole_panel"), type_="check")
        for column in ("panel_channel", "panel_message", "panel_plies", "in_place"):
            table.drop_column(column)
    with _rebuilt("proposals") as table:
        table.drop_constraint(op.f("ck_proposals_whole_message"), type_="check")
        table.drop_column("message")
        table.drop_column("channel")
    for name, column in (
        ("challenges", "message"),
        ("challenges", "repeats"),
        ("guilds", "in_place"),
        ("guilds", "announced"),
    ):
        op.drop_column(name, column)
    for name in ("passing_messages", "pins", "tidings", "puzzle_posts", "moment_posts"):
        op.drop_table(name)


def _rebuilt(table: str) -> AbstractContextManager[BatchOperations]:
    """Return a table to be changed: in place on PostgreSQL, as a copy on SQLite."""
    return op.batch_alter_table(table, table_kwargs={"sqlite_autoincrement": True})


def _posts(connection: sa.Connection) -> Iterator[dict[str, Any]]:
    """Yield the rows of all messages that the earlier tables know, and of those that were still to be posted."""
    now = datetime.now(UTC)
    companions = _companions(connection)
    pins = {row.message: bool(row.pinned) for row in _rows(connection, "SELECT message, pinned FROM pins")}
    matches = "SELECT id, guild, channel, plies, finished_at, panel_channel, panel_message, panel_plies FROM matches"
    places = {}
    for row in _rows(connection, matches):
        places[row.id] = row.guild, row.channel
        pinned = pins.get(row.panel_message)
        up_to_date = (
            row.panel_plies == row.plies
            # A pin is missing, or is to be removed.
            and pinned in (None, row.finished_at is None)
            # All messages beside the board mention players whose turn it is.
            and all(
                seat is not None and plies >= row.panel_plies and row.finished_at is None
                for _, _, seat, plies, _ in companions.get(row.id, ())
            )
        )
        yield _post(
            "board",
            row.id,
            now,
            guild=row.guild,
            channel=row.panel_channel or row.channel,
            message=row.panel_message,
            shown=2 if up_to_date else 1 if row.panel_message else None,
            progress=row.panel_plies or 0,
            pinned=bool(pinned),
            companions=json.dumps(companions.get(row.id, ())),
        )
    cards = "SELECT id, guild, channel, message, answered_at FROM challenges"
    for row in _rows(connection, cards):
        shown = 2 if row.message or row.answered_at else None
        yield _post(
            "card", row.id, now, guild=row.guild, channel=row.channel, message=row.message, shown=shown
        )
    ended = "SELECT match_id, void FROM tidings JOIN matches ON matches.id = match_id"
    for row in _rows(connection, ended):
        guild, channel = places[row.match_id]
        for kind, key in (("result", ""),) if row.void is None else (("void", "here"), ("void", "results")):
            yield _post(kind, row.match_id, now, key=key, guild=guild, channel=channel)
    for kind, table in (("puzzle", "puzzle_posts"), ("moment", "moment_posts")):
        closed = "closed" if kind == "puzzle" else "NULL"
        columns = f"guild_id, day, channel, message, tried_at, settled, {closed} AS closed"
        for row in _rows(connection, f"SELECT {columns} FROM {table}"):  # noqa: S608 - names above
            # A message that was perhaps posted cannot be found, since it carries no mark: none is better than two.
            settled = row.settled or row.tried_at is not None
            yield _post(
                kind,
                row.guild_id,
                now,
                key=str(row.day)[:10],
                guild=row.guild_id,
                channel=row.channel,
                message=row.message,
                shown=2 if settled else None,
                progress=int(bool(row.closed)),
            )
    for row in _rows(connection, "SELECT guild_id, announced FROM guilds WHERE announced IS NOT NULL"):
        yield _post("podium", row.guild_id, now, key=row.announced, guild=row.guild_id, channel=0, shown=2)


def _companions(connection: sa.Connection) -> Mapping[int, Sequence[Sequence[int | None]]]:
    """Return by match the messages to delete once they no longer hold: replaced boards, calls and proposals.

    Each is a list of channel, message, seat, number of plies and proposal. A replaced board may still be pinned.
    """
    found: dict[int, list[Sequence[int | None]]] = defaultdict(list)
    boards = {row.panel_message for row in _rows(connection, "SELECT panel_message FROM matches")}
    for row in _rows(connection, "SELECT match_id, channel, message, seat, plies FROM passing_messages"):
        if row.message not in boards:
            found[row.match_id].append((row.channel, row.message, row.seat, row.plies, None))
    known = {message for companions in found.values() for _, message, *_ in companions}
    for row in _rows(connection, "SELECT match_id, channel, message FROM pins"):
        if row.message not in boards | known:
            found[row.match_id].append((row.channel, row.message, None, 0, None))
    proposals = (
        "SELECT match_id, channel, message FROM proposals WHERE answered_at IS NULL AND message IS NOT NULL"
    )
    for row in _rows(connection, proposals):
        found[row.match_id].append((row.channel, row.message, None, 0, None))
    return found


def _rows(connection: sa.Connection, query: str) -> Iterator[sa.Row[Any]]:
    return iter(connection.execute(sa.text(query)).all())


def _post(kind: str, subject: int, at: datetime, **values: Any) -> dict[str, Any]:
    defaults: dict[str, Any] = {
        "key": "",
        "version": 2,
        "due_at": at,
        "shown": None,
        "message": None,
        "progress": 0,
        "pinned": False,
        "companions": "[]",
        "tried_at": None,
    }
    return {"kind": kind, "subject": subject, **defaults, **values}


def _batches(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
