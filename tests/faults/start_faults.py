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
        "tests/shards/test_logins.py::test_final_close_codes_have_a_sentence",
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
        "503 at the sync of the commands, or Activities enabled meanwhile (400, code 50240)",
        "one warning with Discord's reason; it runs with the earlier ones, and sends them again",
        "tests/e2e/process/test_configuration.py::test_refused_commands_are_sent_again",
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
        "damaged file, or one that lacks tables, references or moves",
        "one sentence, exit status 2; nothing is written",
        "tests/db/database/test_startup_errors.py::test_database_that_is_not_whole_is_refused",
    ),
    StartFault(
        "file replaced while the log of the one before was there",
        "one sentence, exit status 2; nothing is written",
        "tests/db/database/test_startup_errors.py::test_file_replaced_under_its_log_is_refused",
    ),
    StartFault(
        "no file, or an empty one, where games were kept",
        "one sentence, exit status 2; no empty database is made",
        "tests/db/database/test_startup_errors.py::test_missing_database_is_not_replaced_by_an_empty_one",
    ),
    StartFault(
        "file with a second name (hard link)",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_second_name_of_a_database_is_refused",
    ),
    StartFault(
        "file damaged while a bot waited for the other",
        "one sentence, exit status 2",
        "tests/e2e/process/test_configuration.py::test_waiting_bot_checks_the_file_when_it_takes_over",
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
        "one of two processes killed (SIGKILL) at any moment of running games",
        "the same; the other process takes its shard, and gives it up when the process is started again",
        "tests/soak/test_restarts.py::test_processes_on_postgresql_killed_again_and_again",
    ),
    StartFault(
        "killed (SIGKILL) between two steps that show a board",
        "the next start leaves one board: it looks for others in the history of the channel",
        "tests/e2e/matches/test_killed_between.py::test_kills_while_a_board_is_posted_again_leave_one_board",
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
    StartFault(
        "killed (SIGKILL) at any statement of a migration",
        "nothing of it is kept; the next start does it",
        "tests/db/database/test_killed.py::test_killed_migration_is_done_by_the_next_start",
    ),
    StartFault(
        "killed (SIGKILL) at any statement that deletes a member's data",
        "open games are left, and nothing else is deleted; pressing again deletes everything",
        "tests/db/database/test_killed.py::test_killed_deletion_of_a_member_is_completed",
    ),
    StartFault(
        "restore killed (SIGKILL) at any step",
        "the old or the new database stands there; the next restore removes what was left",
        "tests/operators/test_backup.py::test_restore_killed_at_any_step_leaves_a_database",
    ),
    StartFault(
        "backup into a database in use or a file beside one",
        "one sentence, exit status 2; nothing is written",
        "tests/operators/test_backup.py::test_backup_replaces_no_database_in_use",
    ),
    StartFault(
        "standard output on a full disk",
        "one sentence on the standard error; the bot goes on",
        "tests/e2e/process/test_configuration.py::test_bot_serves_without_its_output",
    ),
    StartFault(
        "log on a full disk",
        "the bot goes on; afterwards `log.lines_lost` with their number",
        "tests/e2e/process/test_configuration.py::test_bot_serves_while_its_log_disk_is_full",
    ),
)
