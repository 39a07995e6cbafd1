"""Faults that have tests of their own: those at a start, and the rules of Discord by which it refuses requests."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TestedFault:
    """A fault that the test named `test` injects. At a start, no members see it."""

    name: str
    operators: str
    test: str
    members: str = ""


START_FAULTS = (
    TestedFault(
        "token refused (401)",
        "one sentence, exit status 2",
        "tests/e2e/process/test_configuration.py::test_a_refused_token_is_named_and_not_shown",
    ),
    TestedFault(
        "login refused (403, 404)",
        "one sentence, exit status 2",
        "tests/e2e/process/test_configuration.py::test_a_refused_login_is_named",
    ),
    TestedFault(
        "gateway closed for good (4004, 4010, 4014)",
        "one sentence, exit status 2",
        "tests/shards/test_logins.py::test_final_close_codes_have_a_sentence",
    ),
    TestedFault(
        "429 or 503 at the login",
        "one warning; it waits and tries again",
        "tests/e2e/process/test_configuration.py::test_the_bot_waits_where_that_may_help",
    ),
    TestedFault(
        "gateway unreachable at the first connect",
        "one warning; it waits and tries again",
        "tests/e2e/process/test_configuration.py::test_discord_may_come_later",
    ),
    TestedFault(
        "sync of the commands refused, none at Discord",
        "one sentence, exit status 2",
        "tests/e2e/process/test_configuration.py::test_refused_commands_are_named",
    ),
    TestedFault(
        "sync of the commands refused, earlier ones at Discord",
        "one warning; it runs with those",
        "tests/e2e/process/test_configuration.py::test_refused_commands_are_sent_again",
    ),
    TestedFault(
        "503 at the sync of the commands, or Activities enabled meanwhile (400, code 50240)",
        "one warning with Discord's reason; it runs with the earlier ones, and sends them again",
        "tests/e2e/process/test_configuration.py::test_refused_commands_are_sent_again",
    ),
    TestedFault(
        "database of a newer version",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_a_database_of_a_newer_pencilbox",
    ),
    TestedFault(
        "damaged file",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_a_damaged_file",
    ),
    TestedFault(
        "damaged file, or one that lacks tables, references or moves",
        "one sentence, exit status 2; nothing is written",
        "tests/db/database/test_startup_errors.py::test_database_that_is_not_whole_is_refused",
    ),
    TestedFault(
        "file replaced while the log of the one before was there",
        "one sentence, exit status 2; nothing is written",
        "tests/db/database/test_startup_errors.py::test_file_replaced_under_its_log_is_refused",
    ),
    TestedFault(
        "no file, or an empty one, where games were kept",
        "one sentence, exit status 2; no empty database is made",
        "tests/db/database/test_startup_errors.py::test_missing_database_is_not_replaced_by_an_empty_one",
    ),
    TestedFault(
        "file with a second name (hard link)",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_second_name_of_a_database_is_refused",
    ),
    TestedFault(
        "file damaged while a bot waited for the other",
        "one sentence, exit status 2",
        "tests/e2e/process/test_configuration.py::test_waiting_bot_checks_the_file_when_it_takes_over",
    ),
    TestedFault(
        "full disk",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_a_full_disk",
    ),
    TestedFault(
        "read-only SQLite file",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_a_read_only_file",
    ),
    TestedFault(
        "nobody listens at the address of the database",
        "one sentence, exit status 2",
        "tests/db/database/test_startup_errors.py::test_nobody_listens",
    ),
    TestedFault(
        "a migration fails in the middle",
        "nothing of it is kept; the next start does it",
        "tests/db/database/test_migrations.py::test_a_migration_that_fails_leaves_no_trace",
    ),
    TestedFault(
        "killed (SIGKILL) at any statement",
        "nothing that was confirmed is lost",
        "tests/db/database/test_killed.py::test_killed_at_any_statement",
    ),
    TestedFault(
        "killed (SIGKILL) at any moment of running games",
        "nothing that was shown is lost; the next start shows the rest and leaves one board",
        "tests/soak/test_restarts.py::test_killed_again_and_again",
    ),
    TestedFault(
        "one of two processes killed (SIGKILL) at any moment of running games",
        "the same; the other process takes its shard, and gives it up when the process is started again",
        "tests/soak/test_restarts.py::test_processes_on_postgresql_killed_again_and_again",
    ),
    TestedFault(
        "killed (SIGKILL) between two steps that show a board",
        "the next start leaves one board: it looks for others in the history of the channel",
        "tests/e2e/matches/test_killed_between.py::test_kills_while_a_board_is_posted_again_leave_one_board",
    ),
    TestedFault(
        "the machine's clock set forward or back while the bot runs, and corrected",
        "one warning for each; running games keep their time, and their deadlines are moved",
        "tests/app/clocks/test_jumps.py::test_jump_and_correction_cost_no_time",
    ),
    TestedFault(
        "the machine's clock set forward or back while the bot is stopped",
        "nothing; running games keep their time, and their deadlines are moved",
        "tests/app/clocks/test_jumps.py::test_jump_that_no_process_saw_costs_no_time",
    ),
    TestedFault(
        "killed (SIGKILL) at any statement of a migration",
        "nothing of it is kept; the next start does it",
        "tests/db/database/test_killed.py::test_killed_migration_is_done_by_the_next_start",
    ),
    TestedFault(
        "killed (SIGKILL) at any statement that deletes a member's data",
        "open games are left, and nothing else is deleted; pressing again deletes everything",
        "tests/db/database/test_killed.py::test_killed_deletion_of_a_member_is_completed",
    ),
    TestedFault(
        "restore killed (SIGKILL) at any step",
        "the old or the new database stands there; the next restore removes what was left",
        "tests/operators/test_backup.py::test_restore_killed_at_any_step_leaves_a_database",
    ),
    TestedFault(
        "backup into a database in use or a file beside one",
        "one sentence, exit status 2; nothing is written",
        "tests/operators/test_backup.py::test_backup_replaces_no_database_in_use",
    ),
    TestedFault(
        "standard output on a full disk",
        "one sentence on the standard error; the bot goes on",
        "tests/e2e/process/test_configuration.py::test_bot_serves_without_its_output",
    ),
    TestedFault(
        "log on a full disk",
        "the bot goes on; afterwards `log.lines_lost` with their number",
        "tests/e2e/process/test_configuration.py::test_bot_serves_while_its_log_disk_is_full",
    ),
)

DISCORD_RULES = (
    TestedFault(
        "a thread that the bot opened archived, and the board in it edited or unpinned later (400, code "
        "50083)",
        "nothing",
        "tests/e2e/posts/test_threads.py::test_deleted_member_is_not_named_in_an_archived_thread",
        "the board changes where it stands; the thread is open for that moment",
    ),
    TestedFault(
        "the result of a game in an archived thread taken back (400, code 50083)",
        "nothing",
        "tests/e2e/posts/test_threads.py::test_reverted_result_is_announced_and_shown_in_an_archived_thread",
        "the announcement opens the thread, and the board shows it",
    ),
    TestedFault(
        "the thread of a running game archived after a week without messages",
        "nothing",
        "tests/e2e/posts/test_threads.py::test_inactive_thread_of_a_running_game_is_kept_open",
        "the bot opens the thread again, because clients may refuse buttons in an archived thread before the "
        "bot is told",
    ),
    TestedFault(
        "a game begun in a locked thread",
        "nothing",
        "tests/e2e/posts/test_threads.py::test_no_game_begins_in_a_locked_thread",
        "“I cannot show the boards of a game here: this thread is locked; moderators can unlock it.”",
    ),
    TestedFault(
        "a game begun in a private thread without the bot (403, code 50001)",
        "nothing",
        "tests/e2e/servers/test_channel_kinds.py::test_no_game_begins_in_a_private_thread_without_the_bot",
        "“Mention me once in this thread so that I am added.”, before anybody is asked",
    ),
    TestedFault(
        "the bot removed from the private thread of a game (403, code 50001)",
        "`item.failed` until then",
        "tests/e2e/servers/test_channel_kinds.py::test_a_board_comes_when_the_bot_is_added_to_its_thread_again",
        "“What you did counts, but I may not post in #thread: I am not in this private thread. ...”; the "
        "board comes when the bot is mentioned there",
    ),
    TestedFault(
        "a message deleted before its lost reply is repeated (404, code 10008)",
        "nothing",
        "tests/e2e/posts/test_threads.py::test_deleted_board_is_posted_again_in_its_thread",
        "the message is posted again in the same place",
    ),
    TestedFault(
        "a thread in an announcement channel, which must be of type 10 (400, code 50024)",
        "nothing",
        "tests/e2e/servers/test_channel_kinds.py::test_a_game_in_an_announcement_channel_has_a_thread",
        "the game has a thread as elsewhere",
    ),
    TestedFault(
        "threads and pins chosen for a voice channel, which has neither (400, code 50024)",
        "nothing",
        "tests/e2e/servers/test_channel_kinds.py::test_a_voice_channel_has_boards_without_threads_and_pins",
        "the board stands in the channel; `/settings` says why",
    ),
    TestedFault(
        "more than three edits of old messages in six seconds (429, code 30046)",
        "`post.slow` at the level info",
        "tests/e2e/matches/test_one_board.py::test_limit_of_old_edits_delays_no_match",
        "old boards of that channel change one after the other; other channels do not wait",
    ),
    TestedFault(
        "direct messages to many members at once (403, codes 40003 and 20026)",
        "nothing: Discord is asked for one new channel in five seconds",
        "tests/e2e/members/test_direct_message_queue.py::test_new_channels_are_opened_one_after_the_other",
        "the messages come one after the other",
    ),
    TestedFault(
        "a permission missing",
        "`permission.missing`",
        "tests/e2e/members/test_direct_message_queue.py::test_alerts_go_to_channels_of_the_server_first",
        "one note in the channel of moderators, of system messages or of results; if none takes it, a direct "
        "message to the owner",
    ),
    TestedFault(
        "alt text of more than 1,024 characters (400, code 50035)",
        "nothing",
        "tests/e2e/matches/test_board_descriptions.py::test_board_is_described_completely",
        "the alt text describes the whole board in fewer characters",
    ),
    TestedFault(
        "no logins left of the 1,000 a day",
        "`login.limit_reached`, with the seconds until the next",
        "tests/e2e/process/test_configuration.py::test_bot_waits_if_others_have_used_the_logins_of_a_day",
        "the bot is offline until Discord takes logins again",
    ),
    TestedFault(
        "a member's account deleted",
        "`members.deleted_accounts_removed` at the level info",
        "tests/e2e/members/test_retention.py::test_deleted_account_leaves_the_leaderboard",
        "within a month the account leaves the leaderboards, and boards name “a former member”",
    ),
    TestedFault(
        "an unverified application added to its 101st server",
        "nothing; `pencilbox_servers` stays at 100 ([what to do](hosting.md#more-than-100-servers))",
        "tests/sandbox/gateway/test_removal.py::test_unverified_application_joins_100_servers",
        "Discord says that the application cannot be added",
    ),
)
