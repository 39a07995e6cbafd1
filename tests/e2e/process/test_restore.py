"""A backup is written by the command while members play, and restored: they go on from there, on new boards."""

from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.db.migrated import lay
from tests.e2e.bot_process import bot_at, run_command
from tests.e2e.messages import told
from tests.e2e.panels import Panel, panel_at, panels, removed
from tests.e2e.play import by_button, by_command, challenge


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with empty tables."""
    if request.param == "sqlite":
        return f"sqlite:///{lay(tmp_path / 'data')}"
    found: str = request.getfixturevalue("own_migrated_url")
    return found


async def posted_after(player: Player, panel: Panel) -> Panel:
    """The newest board of the same match, once it is in a message that is newer than this board's."""

    async def look() -> Panel | None:
        boards = [it for it in await panels(player) if it.match == panel.match]
        return boards[-1] if int(boards[-1].message["id"]) > int(panel.message["id"]) else None

    return await player.until(look)


@pytest.mark.soak
async def test_members_go_on_from_a_backup(contract: Contract, url: str, tmp_path: Path) -> None:
    folder, file = tmp_path / "data", str(tmp_path / "backup")
    async with (
        Sandbox(observe=contract) as local,
        players(local.url, local.world) as (ada, grace, *_),
    ):
        async with bot_at(local.url, folder, DATABASE_URL=url) as bot:
            panel = await challenge(ada, grace, "alaric")
            first, second = (ada, grace) if panel.turn == ada.id else (grace, ada)
            await by_command(first, panel, "1")
            kept = await panel_at(ada, panel.match, 1)
            status, said = await run_command(folder, "backup", file, DATABASE_URL=url)
            assert (status, "it is verified" in said) == (0, True), said
            await by_command(second, kept, "3")
            lost = await panel_at(ada, panel.match, 2)
            gone = await challenge(ada, grace, "skull", "quick")
            status, said = await run_command(folder, "restore", file, DATABASE_URL=url)
            assert (status, said) == (2, "The bot serves this database: stop it first.\n")
            assert await bot.stop() == 0
        status, said = await run_command(folder, "restore", file, DATABASE_URL=url)
        assert (status, said.endswith("all is well.\n")) == (0, True), said

        async with bot_at(local.url, folder, DATABASE_URL=url) as bot:
            board = await posted_after(ada, lost)
            assert (board.plies, board.turn) == (1, second.id)
            await removed(ada, lost)
            await ada.press(gone.message, next(iter(gone.moves.values())))
            await told(ada, f"There is no game #{gone.match}")
            await by_button(second, board, "7")
            after = await panel_at(ada, board.match, 2)
            assert "played 7." in after.text
            ids = [it.message["id"] for it in await panels(ada) if it.match == board.match]
            assert ids == [after.message["id"]] == [board.message["id"]]
            assert (await challenge(ada, grace, "skull", "quick")).match > gone.match + 900
            assert "Traceback" not in bot.log, bot.log
