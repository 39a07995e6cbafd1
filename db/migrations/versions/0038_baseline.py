"""The baseline: all tables as they were at revision 0038, which earlier migrations made step by step."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "admin_actions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("what", sa.String, nullable=False),
        sa.CheckConstraint("what <> ''", name="something"),
    )

    op.create_table(
        "alerts",
        sa.Column("channel_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("alerted_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("guild_id > 0", name="in_a_server"),
    )

    op.create_table(
        "alive",
        sa.Column("shards", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("shard", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("shard BETWEEN 0 AND shards - 1", name="one_of_them"),
    )

    op.create_table(
        "bans",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("digest", sa.String, unique=True, nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True)),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("user_id IS NULL OR guild_id IS NULL", name="one_of_both"),
    )

    op.create_table(
        "blocks",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("blocked_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("blocked_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("user_id <> blocked_id", name="somebody_else"),
    )

    op.create_table(
        "departures",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("guild_id > 0", name="is_a_server"),
    )

    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("theme", sa.String),
        sa.Column("channels", sa.Text, nullable=False),
        sa.Column("withheld", sa.Text, nullable=False),
        sa.Column("results", sa.BigInteger),
        sa.Column("threads", sa.Boolean, nullable=False),
        sa.Column("pace", sa.Text),
        sa.Column("podium", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("announced", sa.String),
        sa.Column("everywhere", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("in_place", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("showing", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("result_picture", sa.String(16), nullable=False, server_default="board"),
        sa.Column("pins", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("puzzle_channel", sa.BigInteger),
        sa.Column("puzzle_hour", sa.Integer, nullable=False, server_default="9"),
        sa.Column("weekly_moment", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.CheckConstraint("guild_id > 0", name="is_a_server"),
        sa.CheckConstraint("result_picture IN ('none', 'board', 'film')", name="resultpicture"),
    )
    _partial_index("ix_guilds_podium", "guilds", ["guild_id"], "podium IS true")
    _partial_index("ix_guilds_puzzle_hour", "guilds", ["puzzle_hour"], "puzzle_channel IS NOT NULL")

    op.create_table(
        "lessons",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.CheckConstraint("step >= 0", name="from_zero"),
    )

    op.create_table(
        "maintenance",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("id = 1", name="only_one"),
    )

    op.create_table(
        "matches",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
        sa.Column("panel_channel", sa.BigInteger),
        sa.Column("panel_message", sa.BigInteger),
        sa.Column("panel_plies", sa.Integer),
        sa.Column("pace", sa.Text),
        sa.Column("void", sa.String),
        sa.Column("home", sa.BigInteger),
        sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("voided_at", sa.DateTime(timezone=True)),
        sa.Column("games", sa.Integer, nullable=False, server_default="1"),
        sa.Column("first_game", sa.Integer, sa.ForeignKey("matches.id"), unique=True),
        sa.Column("in_place", sa.Boolean),
        sa.Column("searched", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("turns", sa.Text),
        sa.CheckConstraint(
            "(panel_message IS NULL) = (panel_channel IS NULL) AND (panel_message IS NULL) = (panel_plies IS NULL)",
            name="whole_panel",
        ),
        sa.CheckConstraint("first_game IS NULL OR games = 2", name="second_of_two"),
        sa.CheckConstraint("games = 1 OR (games = 2 AND players = 2)", name="two_games_for_two"),
        sa.CheckConstraint("panel_plies BETWEEN 0 AND plies", name="shows_what_was_played"),
        sa.CheckConstraint("players > 0", name="somebody_plays"),
        sqlite_autoincrement=True,
    )
    _partial_index(
        "ix_matches_finished_direct_finished_at",
        "matches",
        ["channel", "finished_at", "id"],
        "finished_at IS NOT NULL AND guild IS NULL",
    )
    _partial_index(
        "ix_matches_finished_guild_finished_at",
        "matches",
        ["guild", "finished_at", "id"],
        "finished_at IS NOT NULL",
    )
    _partial_index(
        "ix_matches_finished_guild_game_finished_at",
        "matches",
        ["guild", "game", "finished_at", "id"],
        "finished_at IS NOT NULL",
    )
    _partial_index("ix_matches_running_channel", "matches", ["channel"], "finished_at IS NULL")
    _partial_index("ix_matches_running_game", "matches", ["game"], "finished_at IS NULL")
    _partial_index("ix_matches_running_guild", "matches", ["guild"], "finished_at IS NULL")
    _partial_index(
        "ix_matches_unsearched_finished_at",
        "matches",
        ["finished_at", "id"],
        "finished_at IS NOT NULL AND guild IS NOT NULL AND void IS NULL AND searched IS false",
    )
    _partial_index("ix_matches_unshown", "matches", ["id"], "panel_plies IS NULL OR panel_plies < plies")

    op.create_table(
        "members",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("theme", sa.String),
        sa.Column("notice", sa.String(16), nullable=False),
        sa.Column("away_until", sa.DateTime(timezone=True)),
        sa.Column("forced", sa.Boolean, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("computer", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.CheckConstraint("notice IN ('ping', 'direct', 'none')", name="notice"),
    )

    op.create_table(
        "moment_posts",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Date, primary_key=True),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("message", sa.BigInteger),
        sa.Column("tried_at", sa.DateTime(timezone=True)),
        sa.Column("settled", sa.Boolean, nullable=False),
        sa.CheckConstraint("guild_id > 0", name="in_a_server"),
    )
    op.create_index("ix_moment_posts_day", "moment_posts", ["day"])

    op.create_table(
        "outdated_ratings",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.CheckConstraint("id = 1", name="only_one"),
    )

    op.create_table(
        "puzzle_attempts",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("puzzle", sa.String, primary_key=True),
        sa.Column("guild", sa.BigInteger),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("solved", sa.Boolean),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("again", sa.Text),
        sa.CheckConstraint("(solved IS NULL) = (ended_at IS NULL)", name="ended_or_not"),
    )
    op.create_index("ix_puzzle_attempts_puzzle_ended_at", "puzzle_attempts", ["puzzle", "ended_at"])

    op.create_table(
        "puzzle_days",
        sa.Column("day", sa.Date, primary_key=True),
        sa.Column("puzzle", sa.String, nullable=False),
        sa.CheckConstraint("puzzle <> ''", name="named"),
    )
    op.create_index("ix_puzzle_days_puzzle", "puzzle_days", ["puzzle"])

    op.create_table(
        "puzzle_posts",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Date, primary_key=True),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("message", sa.BigInteger),
        sa.Column("tried_at", sa.DateTime(timezone=True)),
        sa.Column("settled", sa.Boolean, nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.CheckConstraint("guild_id > 0", name="in_a_server"),
    )
    op.create_index("ix_puzzle_posts_day", "puzzle_posts", ["day"])
    _partial_index("ix_puzzle_posts_open", "puzzle_posts", ["day"], "message IS NOT NULL AND closed IS false")

    op.create_table(
        "puzzle_skills",
        sa.Column("puzzle", sa.String, primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.CheckConstraint("sigma > 0", name="uncertain"),
    )

    op.create_table(
        "puzzle_solvers",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("ended", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.CheckConstraint("solved <= ended", name="solved_of_ended"),
    )

    op.create_table(
        "rated",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("match_id", sa.Integer, unique=True, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("weight", sa.Double, nullable=False),
        sa.Column("everywhere", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.CheckConstraint("weight BETWEEN 0 AND 1", name="share"),
        sqlite_autoincrement=True,
    )

    op.create_table(
        "ratings",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("period", sa.String, primary_key=True),
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.Column("week", sa.Integer, nullable=False),
        sa.Column("was", sa.Integer),
        sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.CheckConstraint("won >= 0 AND drawn >= 0 AND lost >= 0", name="counted"),
    )
    _partial_index(
        "ix_ratings_board", "ratings", ["guild", "period", "game", "score", "user_id"], "listed IS true"
    )
    op.create_index("ix_ratings_user_id_guild_period", "ratings", ["user_id", "guild", "period"])

    op.create_table(
        "tallies",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("period", sa.String, primary_key=True),
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("score", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("members", sa.Integer, nullable=False),
        sa.Column("week", sa.Integer, nullable=False),
        sa.Column("gained", sa.Integer, nullable=False),
        sa.CheckConstraint("week >= 0", name="dated"),
    )

    op.create_table(
        "awards",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("earned_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("user_id > 0", name="is_somebody"),
    )
    op.create_index("ix_awards_user_id_key", "awards", ["user_id", "key", "earned_at", "match_id"])

    op.create_table(
        "challenges",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("most", sa.Integer, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("challenger", sa.BigInteger, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answer", sa.String(16), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True)),
        sa.Column("message", sa.BigInteger),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id"), unique=True),
        sa.Column("fewest", sa.Integer, nullable=False),
        sa.Column("seating", sa.String(16), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("pace", sa.Text),
        sa.Column("rematch_of", sa.Integer, sa.ForeignKey("matches.id"), unique=True),
        sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("games", sa.Integer, nullable=False, server_default="1"),
        sa.Column("call", sa.String, nullable=False, server_default=""),
        sa.Column("repeats", sa.Integer, nullable=False, server_default="0"),
        sa.CheckConstraint("(answer = 'accepted') = (match_id IS NOT NULL)", name="accepted_is_a_match"),
        sa.CheckConstraint("(answer = 'open') = (answered_at IS NULL)", name="answered_once"),
        sa.CheckConstraint(
            "answer IN ('open', 'accepted', 'declined', 'withdrawn', 'expired')", name="answer"
        ),
        sa.CheckConstraint("expires_at >= made_at", name="expires_later"),
        sa.CheckConstraint("fewest > 0 AND fewest <= most", name="somebody_plays"),
        sa.CheckConstraint("games = 1 OR (games = 2 AND fewest = 2 AND most = 2)", name="two_games_for_two"),
        sa.CheckConstraint("seating IN ('lot', 'first', 'last', 'listed')", name="order"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_challenges_challenger_answered_at", "challenges", ["challenger", "answered_at"])
    _partial_index("ix_challenges_open_channel", "challenges", ["channel"], "answered_at IS NULL")
    _partial_index("ix_challenges_open_expires_at", "challenges", ["expires_at"], "answered_at IS NULL")
    _partial_index(
        "ix_challenges_unposted_made_at", "challenges", ["made_at"], "answered_at IS NULL AND message IS NULL"
    )

    op.create_table(
        "moments",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("played", sa.String, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("worth", sa.Integer, nullable=False),
        sa.CheckConstraint("ply >= 0", name="from_zero"),
        sa.CheckConstraint("user_id > 0", name="of_somebody"),
    )
    op.create_index("ix_moments_guild_match_id", "moments", ["guild", "match_id", "ply"])
    op.create_index("ix_moments_user_id", "moments", ["user_id"])

    op.create_table(
        "pins",
        sa.Column("message", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("pinned", sa.Boolean, nullable=False),
        sa.CheckConstraint("message > 0", name="is_a_message"),
    )
    op.create_index("ix_pins_match_id", "pins", ["match_id"])

    op.create_table(
        "rated_seats",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("rated.match_id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("before", sa.LargeBinary, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("everywhere", sa.Boolean, nullable=False),
        sa.Column("outcome", sa.String(16), nullable=False),
        sa.Column("games", sa.Integer, nullable=False, server_default="1"),
        sa.CheckConstraint("outcome IN ('won', 'drawn', 'lost')", name="outcome"),
        sa.CheckConstraint("rank > 0", name="from_one"),
    )
    op.create_index(
        "ix_rated_seats_fared",
        "rated_seats",
        ["user_id", "at", "match_id", "game", "guild", "everywhere", "seat", "outcome", "rank", "games"],
    )

    op.create_table(
        "seats",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("outcome", sa.String(16)),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
        sa.Column("time_left", sa.BigInteger),
        sa.Column("deadline", sa.DateTime(timezone=True)),
        sa.Column("remind_at", sa.DateTime(timezone=True)),
        sa.Column("hinted", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.CheckConstraint("deadline IS NULL OR time_left IS NOT NULL", name="time_runs_from_a_clock"),
        sa.CheckConstraint("outcome IN ('won', 'drawn', 'lost')", name="outcome"),
        sa.CheckConstraint("remind_at IS NULL OR deadline IS NOT NULL", name="reminded_while_it_runs"),
        sa.CheckConstraint("seat >= 0", name="from_zero"),
    )
    _partial_index(
        "ix_seats_played_user_id_finished_at",
        "seats",
        ["user_id", "finished_at", "match_id"],
        "finished_at IS NOT NULL",
    )
    _partial_index("ix_seats_playing_user_id", "seats", ["user_id"], "outcome IS NULL")
    _partial_index("ix_seats_reminded_remind_at", "seats", ["remind_at"], "remind_at IS NOT NULL")
    _partial_index("ix_seats_ticking_deadline", "seats", ["deadline"], "deadline IS NOT NULL")

    op.create_table(
        "tidings",
        sa.Column(
            "match_id",
            sa.Integer,
            sa.ForeignKey("matches.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("match_id > 0", name="of_a_match"),
    )
    op.create_index("ix_tidings_since", "tidings", ["since"])

    op.create_table(
        "participants",
        sa.Column(
            "challenge_id", sa.Integer, sa.ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("reply", sa.String(16), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True)),
        sa.CheckConstraint("number >= 0", name="from_zero"),
        sa.CheckConstraint("reply IN ('asked', 'in') OR settled_at IS NOT NULL", name="out_is_settled"),
        sa.CheckConstraint("reply IN ('asked', 'in', 'declined', 'removed')", name="reply"),
    )
    _partial_index("ix_participants_concerned_user_id", "participants", ["user_id"], "settled_at IS NULL")

    op.create_table(
        "passing_messages",
        sa.Column("message", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer),
        sa.Column("seat", sa.Integer),
        sa.CheckConstraint("(seat IS NULL) = (until IS NOT NULL)", name="board_or_call"),
        sa.CheckConstraint("plies >= 0", name="from_zero"),
        sa.ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
    )
    op.create_index("ix_passing_messages_match_id_seat", "passing_messages", ["match_id", "seat"])

    op.create_table(
        "plies",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("played_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("salt", sa.String),
        sa.CheckConstraint("ply >= 0", name="from_zero"),
        sa.ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
    )

    op.create_table(
        "proposals",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("matter", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answer", sa.String(16), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True)),
        sa.Column("channel", sa.BigInteger),
        sa.Column("message", sa.BigInteger),
        sa.CheckConstraint("(answer = 'open') = (answered_at IS NULL)", name="answered_once"),
        sa.CheckConstraint("(message IS NULL) = (channel IS NULL)", name="whole_message"),
        sa.CheckConstraint(
            "answer IN ('open', 'accepted', 'declined', 'withdrawn', 'expired')", name="answer"
        ),
        sa.CheckConstraint("matter IN ('draw', 'takeback')", name="matter"),
        sa.CheckConstraint("shown >= 0", name="from_zero"),
        sa.ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_proposals_match_id_seat", "proposals", ["match_id", "seat"])
    _partial_index(
        "ix_proposals_open", "proposals", ["match_id", "matter"], "answered_at IS NULL", unique=True
    )

    op.create_table(
        "consents",
        sa.Column(
            "proposal_id", sa.Integer, sa.ForeignKey("proposals.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("agreed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("seat >= 0", name="from_zero"),
    )


def _partial_index(name: str, table: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    """Create an index of the rows that meet `where`, in which PostgreSQL writes booleans."""
    sqlite, postgresql = where.replace("IS true", "IS 1").replace("IS false", "IS 0"), where
    op.create_index(
        name,
        table,
        columns,
        unique=unique,
        sqlite_where=sa.text(sqlite),
        postgresql_where=sa.text(postgresql),
    )
