"""The operator's links in `/preferences` and `/help`, and how a member reaches the operator after an error."""

from pathlib import Path

import pytest
from sqlalchemy import text

from bot.sandbox import Sandbox
from db.address import address
from db.engine import make_engine
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_process import bot_at
from tests.e2e.club import Club
from tests.e2e.messages import answered, message_with, open_data, text_of
from tests.e2e.play import challenge

PRIVACY, TERMS, SUPPORT = "https://example.org/privacy", "https://example.org/terms", "https://discord.gg/ex"
SETTINGS = {
    "PENCILBOX_PRIVACY_URL": PRIVACY,
    "PENCILBOX_TERMS_URL": TERMS,
    "PENCILBOX_SUPPORT_URL": SUPPORT,
    "PENCILBOX_RETENTION_MONTHS": "12",
}
ALL = f"[Privacy policy]({PRIVACY}) · [Terms]({TERMS}) · [Support]({SUPPORT})"


async def error_of(folder: Path, ada: Player, grace: Player) -> str:
    """Return what a member reads after an unexpected error."""
    panel = await challenge(ada, grace, "alaric", "3")
    mover = ada if panel.turn == ada.id else grace
    engine = make_engine(address(None, folder))
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE plies RENAME TO away"))
    await engine.dispose()
    await mover.press(panel.message, panel.moves["2"])
    return text_of(await message_with(mover, "Something went wrong on my side."))


async def test_links_are_shown_where_the_operator_named_them(contract: Contract, tmp_path: Path) -> None:
    async with (
        Sandbox(members=("Ada", "Grace"), observe=contract) as local,
        players(local.url, local.world) as (ada, grace),
        bot_at(local.url, tmp_path, **SETTINGS),
    ):
        for shown in (await open_data(grace), await answered(grace, "help")):
            assert ALL in text_of(shown)
        assert "or until you have not used me for 12 months" in text_of(await open_data(grace))
        told = await error_of(tmp_path, ada, grace)
        assert told.endswith(f"You can reach them by the [support page]({SUPPORT}).")


@pytest.mark.soak
async def test_no_links_are_shown_without_them(club: Club) -> None:
    data = text_of(await open_data(club.grace))
    assert "or until you have not used me for 24 months" in data
    assert "https://" not in data + text_of(await answered(club.grace, "help"))
