"""A bot with a metrics port: what it counts in a known evening, and what is not ready when something is away."""

import asyncio
import re
from pathlib import Path

from sqlalchemy import text

from bot.sandbox import Fault, Sandbox
from bot.ui.posts.answers import Kind, Outcome
from db.address import address
from db.engine import make_engine
from rules.games import BY_KEY
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_process import bot_at
from tests.e2e.messages import message_with
from tests.e2e.monitor import Pages, Samples
from tests.e2e.panels import panel_at
from tests.e2e.play import by_button, by_command, by_modal, challenge, legal
from tests.faults.of_discord import BOARD, CALLBACK

NOTHING: Samples = {(kind, outcome): 0.0 for kind in Kind for outcome in Outcome}
EVENING: Samples = {
    **NOTHING,
    ("button", "answered"): 3,
    ("command", "answered"): 2,
    ("command", "refused"): 1,
    ("command", "late"): 1,
    ("completion", "answered"): 1,
    ("form", "answered"): 1,
}
"""The interactions that the test below makes, by kind and outcome."""
ALL_SHOWN: Samples = {
    (kind,): 0.0 for kind in ("announcements", "boards", "challenges", "direct messages", "held boards")
}


async def test_an_evening_is_counted_and_what_is_away_is_named(contract: Contract, tmp_path: Path) -> None:
    async with (
        Sandbox(observe=contract) as local,
        bot_at(local.url, tmp_path, PENCILBOX_METRICS_PORT="0") as bot,
        players(local.url, local.world) as (ada, grace, _),
    ):
        pages = Pages(bot.log)
        assert await pages.get("/healthz") == (200, {"alive": True})
        await pages.readyz()
        assert await pages.health() == (0, "")

        by_id = {player.id: player for player in (ada, grace)}
        panel = await challenge(ada, grace, "alaric", "5")  # a command and a button
        assert panel.turn is not None
        local.faults.plan(*BOARD, Fault.RATE_LIMITED)
        await by_button(by_id[panel.turn], panel, "3")
        panel = await panel_at(ada, panel.match, 1)
        assert panel.turn is not None
        mover = by_id[panel.turn]
        assert await legal(mover, panel)  # a completion
        await by_command(mover, panel, "3")
        await message_with(mover, "3")
        await by_command(mover, panel, "1")
        panel = await panel_at(ada, panel.match, 2)
        assert panel.turn is not None
        await by_modal(by_id[panel.turn], panel, "5")  # a button that opens a form, and the form
        panel = await panel_at(ada, panel.match, 3)
        local.faults.plan(*CALLBACK, Fault.FORBIDDEN)
        unheard = asyncio.create_task(ada.command("help"))

        found = await pages.until(
            pencilbox_interactions_total=EVENING,
            pencilbox_waiting=ALL_SHOWN,
            # The database is looked at now and then only.
            pencilbox_games_running={(game,): float(game == "alaric") for game in BY_KEY},
        )
        assert (await unheard)["outcome"] == "failed"
        answered = sum(EVENING.values()) - 1
        assert found["pencilbox_interaction_acknowledge_seconds_count"] == {(): answered}
        assert sum(found["pencilbox_interaction_answer_seconds_count"].values()) == answered
        moves = {(game, result): 0.0 for game in BY_KEY for result in ("accepted", "refused")}
        moves |= {("alaric", "accepted"): 3, ("alaric", "refused"): 1}
        assert found["pencilbox_moves_total"] == moves
        requests = found["pencilbox_discord_requests_total"]
        assert (requests["rate limited",], requests["refused",]) == (1, 1)
        assert requests["ok",] > answered
        assert found["pencilbox_pictures_total"][()] >= 4
        assert (
            found["pencilbox_sql_statement_seconds_count"][()]
            > found["pencilbox_sql_transactions_total"]["commit",]
        )
        assert found["pencilbox_sql_transactions_total"]["commit",] > 2 * 3
        assert found["pencilbox_gateway_shards"] == {("connected",): 1, ("disconnected",): 0}
        assert found["pencilbox_background_rounds_total"]["posts",] >= 1
        assert found["pencilbox_background_failures_total"]["posts",] == 0
        assert found["pencilbox_event_loop_lag_seconds_count"][()] > 0
        # The lines of libraries carry the request id, too.
        assert re.search(r"being rate limited.*request=[0-9a-f]{6}\b", bot.log)

        page = await pages.text()
        for secret in (ada.id, ada.name, ada.channel, str(local.world.guild["id"]), local.token):
            assert secret not in page

        engine = make_engine(address(None, tmp_path))
        async with engine.begin() as connection:
            await connection.execute(text("ALTER TABLE posts RENAME TO away"))
        await pages.readyz(ready=False, database="The database refuses to answer (OperationalError).")
        assert (await pages.get("/healthz"))[0] == 200
        found = await pages.samples()
        assert found["pencilbox_ready"] == {("gateway",): 1, ("database",): 0, ("backlog",): 1}
        assert found["pencilbox_sql_errors_total"]["OperationalError",] > 0
        assert "pencilbox_waiting" not in found
        assert panel.turn is not None
        await by_button(by_id[panel.turn], panel, next(iter(panel.moves)))
        await pages.until(pencilbox_interactions_total={**EVENING, ("button", "failed"): 1})
        async with engine.begin() as connection:
            await connection.execute(text("ALTER TABLE away RENAME TO posts"))
        await engine.dispose()
        await pages.readyz()

        await local.stop()
        gateway = "0 of 1 shards are connected to Discord's gateway."
        await pages.readyz(ready=False, gateway=gateway)
        assert await pages.health() == (1, gateway)
        assert (await pages.get("/healthz"))[0] == 200
