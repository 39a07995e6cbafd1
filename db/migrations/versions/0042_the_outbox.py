"""The outbox: one table for all messages that the bot maintains in Discord.

Revision ID: 0042
Revises: 0041
"""

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
branch_labels = None
depends_on = None

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


def downgrade() -> None:
    """Keep what was posted, so that nothing is posted twice, and the results that are still to be announced."""
    for name in ("panel_channel", "panel_message"):
        op.add_column("matches", sa.Column(name, sa.BigInteger(), nullable=True))
    op.add_column("matches", sa.Column("panel_plies", sa.Integer(), nullable=True))
    op.add_column("matches", sa.Column("in_place", sa.Boolean(), nullable=True))
    op.add_column("challenges", sa.Column("message", sa.BigInteger(), nullable=True))
    op.add_column("challenges", sa.Column("repeats", sa.Integer(), server_default="0", nullable=False))
    op.add_column("guilds", sa.Column("in_place", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("guilds", sa.Column("announced", sa.String(), nullable=True))
    for name in ("message", "channel"):
        op.add_column("proposals", sa.Column(name, sa.BigInteger(), nullable=True))
    theirs = "(SELECT {} FROM posts WHERE kind = '{}' AND subject = {}.id AND message IS NOT NULL)"
    for column, value in (
        ("panel_channel", "channel"),
        ("panel_message", "message"),
        ("panel_plies", "progress"),
    ):
        op.execute(f"UPDATE matches SET {column} = {theirs.format(value, 'board', 'matches')}")  # noqa: S608 - names above
    op.execute(f"UPDATE challenges SET message = {theirs.format('message', 'card', 'challenges')}")  # noqa: S608 - names above
    podium = "SELECT max(key) FROM posts WHERE kind = 'podium' AND subject = guild_id"
    op.execute(f"UPDATE guilds SET announced = ({podium})")  # noqa: S608 - words above
    op.drop_column("proposals", "told")
    with _rebuilt("matches") as table:
        table.create_check_constraint(
            op.f("ck_matches_shows_what_was_played"), "panel_plies BETWEEN 0 AND plies"
        )
        table.create_check_constraint(
            op.f("ck_matches_whole_panel"),
            "(panel_message IS NULL) = (panel_channel IS NULL)"
            " AND (panel_message IS NULL) = (panel_plies IS NULL)",
        )
    with _rebuilt("proposals") as table:
        table.create_check_constraint(
            op.f("ck_proposals_whole_message"), "(message IS NULL) = (channel IS NULL)"
        )
    for name, indexed, columns, where in (
        ("ix_matches_unshown", "matches", ["id"], "panel_plies IS NULL OR panel_plies < plies"),
        (
            "ix_challenges_unposted_made_at",
            "challenges",
            ["made_at"],
            "answered_at IS NULL AND message IS NULL",
        ),
    ):
        condition = sa.text(where)
        op.create_index(name, indexed, columns, sqlite_where=condition, postgresql_where=condition)
    _create_earlier_tables()
    _fill_earlier_tables()
    op.drop_table("posts")


def _fill_earlier_tables() -> None:
    op.execute(
        "INSERT INTO pins (message, channel, match_id, pinned)"
        " SELECT message, channel, subject, pinned FROM posts WHERE kind = 'board' AND pinned"
    )
    op.execute(
        "INSERT INTO tidings (match_id, since)"
        " SELECT subject, max(due_at) FROM posts WHERE kind IN ('result', 'void') AND shown IS NULL"
        " GROUP BY subject"
    )
    day = "CAST(key AS DATE)" if op.get_bind().dialect.name == "postgresql" else "key"
    for kind, table, columns, values in (
        ("puzzle", "puzzle_posts", ", tried, solved, closed", ", 0, 0, progress = 1"),
        ("moment", "moment_posts", "", ""),
    ):
        op.execute(
            f"INSERT INTO {table} (guild_id, day, channel, message, tried_at, settled{columns})"  # noqa: S608 - names above
            f" SELECT subject, {day}, channel, message, tried_at, shown IS NOT NULL{values}"
            f" FROM posts WHERE kind = '{kind}'"
        )
    messages = sa.table(
        "passing_messages", *map(sa.column, ("message", "channel", "match_id", "plies", "until", "seat"))
    )
    boards = "SELECT subject, progress, companions FROM posts WHERE kind = 'board' AND companions != '[]'"
    for row in _rows(op.get_bind(), boards):
        for channel, message, seat, plies, _ in json.loads(row.companions):
            shows = {"plies": plies, "seat": seat, "until": row.progress if seat is None else None}
            place = {"message": message, "channel": channel, "match_id": row.subject}
            op.execute(sa.insert(messages).values({**place, **shows}))


def _create_earlier_tables() -> None:
    op.create_table(
        "tidings",
        sa.Column("match_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.CheckConstraint("match_id > 0", name=op.f("ck_tidings_of_a_match")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_tidings_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_tidings")),
    )
    op.create_index("ix_tidings_since", "tidings", ["since"])
    op.create_table(
        "passing_messages",
        *_message_columns(),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("until", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.CheckConstraint("plies >= 0", name="from_zero"),
        sa.CheckConstraint("(seat IS NULL) = (until IS NOT NULL)", name="board_or_call"),
        sa.ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
    )
    op.create_index("ix_passing_messages_match_id_seat", "passing_messages", ["match_id", "seat"])
    op.create_table(
        "pins",
        *_message_columns(),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.CheckConstraint("message > 0", name="is_a_message"),
    )
    op.create_index("ix_pins_match_id", "pins", ["match_id"])
    counts: Sequence[sa.Column[Any]] = (
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
    )
    for name, columns in (("puzzle_posts", counts), ("moment_posts", ())):
        op.create_table(
            name,
            sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
            sa.Column("day", sa.Date(), nullable=False),
            sa.Column("channel", sa.BigInteger(), nullable=False),
            sa.Column("message", sa.BigInteger(), nullable=True),
            sa.Column("tried_at", UtcTime(), nullable=True),
            sa.Column("settled", sa.Boolean(), nullable=False),
            *columns,
            sa.CheckConstraint("guild_id > 0", name=op.f(f"ck_{name}_in_a_server")),
            sa.PrimaryKeyConstraint("guild_id", "day", name=op.f(f"pk_{name}")),
        )
        op.create_index(f"ix_{name}_day", name, ["day"])
    op.create_index(
        "ix_puzzle_posts_open",
        "puzzle_posts",
        ["day"],
        sqlite_where=sa.text("message IS NOT NULL AND closed IS 0"),
        postgresql_where=sa.text("message IS NOT NULL AND closed IS false"),
    )


def _message_columns() -> Sequence[Any]:
    """Return the columns and constraints of a table of messages that belong to matches."""
    return (
        sa.Column("message", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("message"),
    )
