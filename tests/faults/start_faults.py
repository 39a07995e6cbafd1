"""Faults at a start, when nobody plays: each has a test of its own."""

from dataclasses import dataclass


@dataclass(frozen=True)
class StartFault:
    """A fault at a start, when nobody plays. `test` names the test that injects it."""

    name: str
    operators: str
    test: str


START_FAULTS = (
    StartFault(
        "token refused (401)",
        "one sentence, exit status 2",
        "tests/e2e/process/test_configuration.py::test_a_refused_token_is_named_and_not_shown",
    ),
    StartFault(
        "login refused (403, 404)",
        "one sentence, exit status 2",
        "tests/e2e/process/test_configuration.py::test_a_refused_login_is_named",
    ),
    StartFault(
        "gateway closed for good (4004, 4010, 4014)",
        "one sentence, exit status 2",
        "tests/shards/test_login_errors.py::test_a_connection_that_is_closed_for_good_has_a_sentence",
    ),
    StartFault(
        "429 or 503 at the login",
        "one warning; it waits and tries again",
        "tests/e2e/process/test_configuration.py::test_the_bot_waits_where_that_may_help",
    ),
    StartFault(
        "gateway unreachable at the first connect",
        "one warning; it waits and tries again",
        "tests/e2e/process/test_configuration.py::test_discord_may_come_later",
    ),
    StartFault(
        "sync of the commands refused, none at Discord",
        "one sentence, exit status 2",
        "tests/e2e/process/test_configuration.py::test_refused_commands_are_named",
    ),
    StartFault(
        "sync of the commands refused, earlier ones at Discord",
        "one warning; it runs with those",
        "tests/e2e/process/test_configuration.py::test_bot_runs_with_earlier_commands_if_new_are_refused",
    ),
    StartFault(
        "database of a newer version",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_a_database_of_a_newer_pencilbox",
    ),
    StartFault(
        "damaged file",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_a_damaged_file",
    ),
    StartFault(
        "full disk",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_a_full_disk",
    ),
    StartFault(
        "read-only SQLite file",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_a_read_only_file",
    ),
    StartFault(
        "nobody listens at the address of the database",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_nobody_listens",
    ),
    StartFault(
        "a migration fails in the middle",
        "nothing of it is kept; the next start does it",
        "tests/db/database/test_migrations.py::test_a_migration_that_fails_leaves_no_trace",
    ),
    StartFault(
        "killed (SIGKILL) at any statement",
        "nothing that was confirmed is lost",
        "tests/db/database/test_killed.py::test_killed_at_any_statement",
    ),
    StartFault(
        "killed (SIGKILL) at any moment of running games",
        "nothing that was shown is lost; the next start shows the rest and leaves one board",
        "tests/soak/test_restarts.py::test_killed_again_and_again",
    ),
    StartFault(
        "killed (SIGKILL) between two steps that show a board",
        "the next start leaves one board: it looks for others in the history of the channel",
        "tests/e2e/matches/test_killed_between.py::test_one_board_is_left",
    ),
    StartFault(
        "the machine's clock set forward or back while the bot runs, and corrected",
        "one warning for each; running games keep their time, and their deadlines are moved",
        "tests/app/clocks/test_jumps.py::test_jump_and_correction_cost_no_time",
    ),
    StartFault(
        "the machine's clock set forward or back while the bot is stopped",
        "nothing; running games keep their time, and their deadlines are moved",
        "tests/app/clocks/test_jumps.py::test_jump_that_no_process_saw_costs_no_time",
    ),
)
