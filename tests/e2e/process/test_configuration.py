"""A wrong setting gets one sentence that says what to do, and shows nothing secret."""

import asyncio
import os
import resource
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from bot.sandbox import Fault, Sandbox
from bot.sandbox.rest.wire import Exchange
from bot.startup.config import ConfigError, read_config
from db.address import FILE_NAME
from db.processes.open import process_link
from tests.activity.pages import Pages
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.db.migrated import lay
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.messages import answered, text_of, until
from tests.faults.of_discord import CALLBACK
from tests.waiting import PATIENCE, wait_while

SECRET = "hunter2"  # what must never be shown

WRONG = [
    ({"PENCILBOX_PORT": "many"}, "PENCILBOX_PORT must be a whole number"),
    ({"PENCILBOX_PORT": "70000"}, "PENCILBOX_PORT must be at most 65535"),
    ({"PENCILBOX_THEME": "pink"}, "PENCILBOX_THEME must be 'paper' or 'slate'"),
    ({"PENCILBOX_CHALLENGE_MINUTES": "0"}, "PENCILBOX_CHALLENGE_MINUTES must be at least 1"),
    ({"PENCILBOX_LOCAL_URL": "discord"}, "PENCILBOX_LOCAL_URL must look like http://localhost:8765"),
    ({"PENCILBOX_LOG_LEVEL": "loud"}, "PENCILBOX_LOG_LEVEL must be 'debug', 'info', 'warning' or 'error'"),
    ({"DISCORD_PROXY_URL": "proxy"}, "DISCORD_PROXY_URL must look like http://rest-proxy:8080"),
    ({"PENCILBOX_SEARCH": "there"}, "PENCILBOX_SEARCH must be 'here' or 'workers'"),
    ({"PENCILBOX_RETENTION_MONTHS": "0"}, "PENCILBOX_RETENTION_MONTHS must be at least 1"),
    (
        {"PENCILBOX_PRIVACY_URL": "example.org"},
        "PENCILBOX_PRIVACY_URL must look like https://example.org/privacy",
    ),
    ({"PENCILBOX_TERMS_URL": "https://"}, "PENCILBOX_TERMS_URL must look like https://example.org/terms"),
    (
        {"PENCILBOX_SUPPORT_URL": "https://a.org/) [x](https://b.org/"},
        "PENCILBOX_SUPPORT_URL must look like https://discord.gg/example",
    ),
    ({"SHARD_IDS": "1-"}, "SHARD_IDS must look like 0-3 or 0,2."),
    ({"SHARD_IDS": "a"}, "SHARD_IDS must look like 0-3 or 0,2."),
    ({"SHARD_IDS": "0,,1"}, "SHARD_IDS must look like 0-3 or 0,2."),
]
WRONG_AT_THE_START = [
    ({"PENCILBOX_PORT": "70000"}, "PENCILBOX_PORT must be at most 65535"),
    ({"DATABASE_URL": f"mysql://ada:{SECRET}@localhost/x"}, "DATABASE_URL"),
    ({"DATABASE_URL": f"postgresql://ada:{SECRET}@127.0.0.1:1/x"}, "127.0.0.1:1"),
    ({"PENCILBOX_SEARCH": "workers"}, "PENCILBOX_SEARCH=workers needs PostgreSQL"),
    ({"PENCILBOX_DATA_DIR": "/dev/null/data"}, "set PENCILBOX_DATA_DIR to another"),
]


def test_wrong_settings_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for settings, sentence in WRONG:
        with monkeypatch.context() as given:
            for name, value in settings.items():
                given.setenv(name, value)
            with pytest.raises(ConfigError) as refused:
                read_config()
        said = str(refused.value)
        assert sentence in said
        assert said.endswith(".")
        assert SECRET not in said


async def test_a_bot_with_a_wrong_setting_ends(tmp_path: Path) -> None:
    for number, (settings, sentence) in enumerate(WRONG_AT_THE_START):
        bot = BotProcess.fork(tmp_path / str(number), **{"PENCILBOX_PORT": "0", **settings})
        assert await bot.ended() == 2
        lines = bot.log.splitlines()
        assert sentence in lines[-1]
        assert lines[-1].endswith(".")
        assert "Traceback" not in bot.log
        assert SECRET not in bot.log


async def test_a_refused_token_is_named_and_not_shown(tmp_path: Path) -> None:
    async with Sandbox(token="right") as local:
        bot = BotProcess.fork(tmp_path, PENCILBOX_LOCAL_URL=local.url, DISCORD_TOKEN=SECRET)
        assert await bot.ended() == 2
    assert "DISCORD_TOKEN was refused by Discord: copy it again" in bot.log.splitlines()[-1]
    assert SECRET not in bot.log


@asynccontextmanager
async def answering(status: int | None, **headers: str) -> AsyncIterator[str]:
    """A server in Discord's place that answers everything with this status, or nothing at all; its address."""

    async def answer(request: web.Request) -> web.Response:
        if status is None:
            await asyncio.Event().wait()
        return web.Response(status=status or 200, text="Sorry.", headers=headers)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("status", [403, 404])
async def test_a_refused_login_is_named(tmp_path: Path, status: int) -> None:
    async with answering(status) as url:
        bot = BotProcess.fork(tmp_path, PENCILBOX_LOCAL_URL=url, DISCORD_TOKEN=SECRET)
        assert await bot.ended() == 2
    assert bot.log.splitlines()[-1].startswith(f"Discord has refused the login ({status}): check")
    assert "Traceback" not in bot.log
    assert SECRET not in bot.log


@pytest.mark.parametrize(
    ("status", "headers", "words"),
    [
        (429, {"Retry-After": "33"}, "retry_in=33"),
        (429, {}, "retry_in=60"),
        (None, {}, "login.delayed"),
    ],
)
async def test_the_bot_waits_where_that_may_help(
    tmp_path: Path, status: int | None, headers: dict[str, str], words: str
) -> None:
    async with answering(status, **headers) as url:
        bot = BotProcess.fork(tmp_path, PENCILBOX_LOCAL_URL=url)
        await bot.says(words)
        assert bot.running
        assert await bot.stop() == 0
    assert "Traceback" not in bot.log


async def test_refused_commands_are_named(tmp_path: Path) -> None:
    async with Sandbox() as local:
        local.faults.plan("PUT", "/applications/{application_id}/commands", Fault.FORBIDDEN)
        bot = BotProcess.fork(tmp_path, PENCILBOX_LOCAL_URL=local.url)
        assert await bot.ended() == 2
    assert bot.log.splitlines()[-1].startswith(
        "Discord has refused the bot's commands (403, code 50001: Missing Access): check"
    )
    assert "Traceback" not in bot.log


async def test_entry_point_command_is_kept(contract: Contract, tmp_path: Path) -> None:
    """Discord adds this command when Activities are enabled, and refuses a list of commands without it."""
    async with Sandbox(observe=contract) as local:
        local.enable_activities()
        (added,) = local.world.commands.values()
        async with bot_at(local.url, tmp_path):
            assert local.world.commands[added["id"]] == added
            assert len(local.world.commands) > 1


async def test_entry_point_command_is_answered_by_the_bot(contract: Contract, tmp_path: Path) -> None:
    """With an Activity it is in every list of commands that the bot sends, and opens the list of games."""
    async with Sandbox(observe=contract) as local, players(local.url, local.world) as (ada, *_):
        pages = Pages(local)
        async with bot_at(local.url, tmp_path, **pages.settings):
            (entry,) = (it for it in local.world.commands.values() if it["type"] == 4)
            assert entry["handler"] == 1
            assert (await ada.post("activity/launch", channel=ada.channel))["outcome"] == "activity"
        async with bot_at(local.url, tmp_path / "again", **pages.settings):
            assert contract.seen["bulk_set_application_commands"] == 1


async def test_commands_are_sent_only_if_they_differ(contract: Contract, tmp_path: Path) -> None:
    """The list at Discord is compared at every start; a command that is missing there makes the bot send all."""
    async with Sandbox(observe=contract) as local:
        commands = local.world.commands
        for start, sent in enumerate((1, 1, 2)):
            if start == 2:
                local.world.put_commands([next(iter(commands))], [])
            bot = BotProcess.fork(tmp_path / str(start), PENCILBOX_LOCAL_URL=local.url)
            await bot.says("ready")
            assert await bot.stop() == 0
            assert contract.seen["bulk_set_application_commands"] == sent
            names = {command["name"] for command in commands.values()}
            assert {"challenge", "play", "Replay this game"} < names


@pytest.mark.soak
@pytest.mark.parametrize(("method", "status"), [("GET", 503), ("PUT", 403), ("", 400)])
async def test_refused_commands_are_sent_again(
    contract: Contract, tmp_path: Path, method: str, status: int
) -> None:
    """The bot runs with its earlier commands, also if Activities are enabled while it compares them (code 50240)."""

    def observe(exchange: Exchange) -> None:
        contract(exchange)
        if (
            started
            and not method
            and exchange.route.endswith("/commands")
            and len(local.world.commands) == kept
        ):
            local.enable_activities()

    started, kept = False, 0
    async with Sandbox(observe=observe) as local, players(local.url, local.world) as (ada, *_):
        commands = local.world.commands
        async with bot_at(local.url, tmp_path / "first"):
            pass
        local.world.put_commands([next(id_ for id_, it in commands.items() if it["name"] == "learn")], [])
        started, kept = True, len(commands)
        if method:
            fault = Fault.FORBIDDEN if status == 403 else Fault.UNAVAILABLE
            local.faults.plan(method, "/applications/{application_id}/commands", fault)
        async with bot_at(local.url, tmp_path / "second") as bot:
            await bot.says("commands.sync_failed")
            assert f"status={status}" in bot.log
            assert "Start a game" in text_of(await answered(ada, "help"))
            await bot.says("commands.synced")
            assert "learn" in {command["name"] for command in commands.values()}


async def test_a_taken_port_is_named(tmp_path: Path) -> None:
    """The port of the local Discord, if it was asked for, and the port for metrics."""
    async with Sandbox() as local:
        port = local.url.rpartition(":")[2]
        bot = BotProcess.fork(tmp_path, PENCILBOX_PORT=port)
        assert await bot.ended() == 2
        assert f"Port {port} cannot be used" in bot.log
        bot.forget_log()
        bot = BotProcess.fork(tmp_path, PENCILBOX_LOCAL_URL=local.url, PENCILBOX_METRICS_PORT=port)
        assert await bot.ended() == 2
    assert bot.log.splitlines()[-1].startswith(f"Metrics cannot be served on port {port} of 127.0.0.1 (")
    assert "Traceback" not in bot.log


async def test_a_data_folder_in_use_is_named(tmp_path: Path) -> None:
    first = BotProcess.fork(tmp_path, PENCILBOX_PORT="0")
    await first.says("open http://127.0.0.1:")
    second = BotProcess.fork(tmp_path, PENCILBOX_PORT="0")
    assert await second.ended() == 2
    await second.says("set PENCILBOX_DATA_DIR to another folder")
    assert await first.stop() == 0


async def test_discord_may_come_later(tmp_path: Path) -> None:
    """The bot waits for a Discord that cannot be reached yet."""
    async with Sandbox() as local:
        port = int(local.url.rpartition(":")[2])
    bot = BotProcess.fork(tmp_path, PENCILBOX_LOCAL_URL=local.url)
    await bot.says("discord.unreachable")
    async with Sandbox(port) as later:
        await bot.online(later.url)
        assert await bot.stop() == 0


async def test_bot_waits_if_others_have_used_the_logins_of_a_day(tmp_path: Path) -> None:
    """Discord ends the token of an application that logs in once too often, so the bot asks before it logs in again."""
    async with Sandbox() as local:
        bot = BotProcess.fork(tmp_path, PENCILBOX_LOCAL_URL=local.url)
        try:
            await bot.says("ready")
            starts = local.services.gateway.starts
            starts.total = starts.total - starts.limit()["remaining"]
            local.services.gateway.invalidate(resumable=False)
            await bot.says("login.limit_reached")
            assert await bot.stop() == 0
        finally:
            await bot.kill()


@pytest.mark.soak
@pytest.mark.parametrize("errors", ["/dev/full", "errors"])
async def test_bot_serves_without_its_output(tmp_path: Path, errors: str) -> None:
    """A full disk takes neither the line with the address nor the log."""
    async with Sandbox() as local:
        port = local.url.rpartition(":")[2]
    bot = await asyncio.create_subprocess_shell(
        f"exec {sys.executable} -m bot >/dev/full 2>{tmp_path / errors}",
        env={"PATH": os.environ["PATH"], "PENCILBOX_DATA_DIR": str(tmp_path), "PENCILBOX_PORT": port},
    )
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                assert bot.returncode is None
                with suppress(aiohttp.ClientError):
                    async with aiohttp.request("GET", f"http://127.0.0.1:{port}/local/state") as response:
                        application = (await response.json())["application"]
                        if application is not None and application["online"]:
                            break
                await asyncio.sleep(0.1)
    finally:
        if bot.returncode is None:
            bot.terminate()
    assert await bot.wait() == 0
    if errors == "errors":
        said = (tmp_path / errors).read_text()
        assert said.startswith(
            "The standard output takes nothing (No space left on device); the rest is printed here.\n"
            f"Pencilbox is ready: open http://127.0.0.1:{port}/ in a browser."
        )
        assert "Traceback" not in said


@pytest.mark.soak
async def test_bot_serves_while_its_log_disk_is_full(tmp_path: Path) -> None:
    """The file of the log is longer than files may become, which only the log is."""
    lay(tmp_path)
    (tmp_path / "bot.log").touch()
    async with Sandbox() as local, players(local.url, local.world) as (ada, *_):
        bot = BotProcess.fork(tmp_path, PENCILBOX_LOCAL_URL=local.url)
        try:
            await bot.online(local.url)
            os.truncate(tmp_path / "bot.log", 1 << 24)
            bot.forget_log()
            for limit in (1 << 23, resource.RLIM_INFINITY):
                resource.prlimit(bot.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
                local.faults.plan(*CALLBACK, Fault.UNAUTHORIZED)
                await ada.command("help")  # Its failure is logged.
                await wait_while(lambda: local.faults)
                answer = await ada.command("help")
                await until(ada, answer["message"], "Start a game")
            await bot.says("log.lines_lost")
            assert await bot.stop() == 0
        finally:
            await bot.kill()
    assert "Logging error" not in bot.log


@pytest.mark.soak
async def test_command_says_that_its_output_was_lost(tmp_path: Path) -> None:
    lay(tmp_path)
    process = await asyncio.create_subprocess_shell(
        f"exec {sys.executable} -m bot check >/dev/full",
        env={"PATH": os.environ["PATH"], "PENCILBOX_DATA_DIR": str(tmp_path)},
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    assert process.returncode == 1
    assert said.startswith(b"The standard output takes nothing (No space left on device)")
    assert b"Traceback" not in said


async def test_waiting_bot_checks_the_file_when_it_takes_over(tmp_path: Path) -> None:
    """The database may have been damaged, or restored, while the bot waited."""
    lay(tmp_path)
    async with Sandbox() as local, process_link(None, tmp_path) as link:
        assert await link.join()
        bot = BotProcess.fork(tmp_path, PENCILBOX_LOCAL_URL=local.url)
        try:
            await bot.says("database.locked_by_another_process")
            with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
                connection.execute("DROP TABLE consents")
            await link.leave()
            assert await bot.ended() == 2
        finally:
            await bot.kill()
    assert (
        "is damaged (its table consents is missing): give python -m bot restore" in bot.log.splitlines()[-1]
    )
