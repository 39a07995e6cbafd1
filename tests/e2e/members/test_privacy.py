"""A member exports their data and has it deleted, over the wire."""

import json

from db.address import address
from db.engine import make_engine
from tests.db.life import holding
from tests.e2e.club import Club
from tests.e2e.messages import (
    choose,
    files,
    gone,
    message_with,
    open_data,
    open_preferences,
    text_of,
    until,
    usable_buttons,
)
from tests.e2e.panels import Panel, panel_at
from tests.e2e.play import ask, challenge, resigned


async def test_a_member_exports_and_deletes_their_data(club: Club) -> None:
    finished = await resigned(club.grace, await challenge(club.ada, club.grace, "alaric", "quick"))
    two = await challenge(club.ada, club.grace, "skull", "quick")
    three = await challenge(club.ada, [club.grace, club.emmy], "maze", "quick")
    await ask(club.grace, [club.ada], "spaghetti")
    called_off = await message_with(
        club.ada, f"<@{club.grace.id}> challenges <@{club.ada.id}>.\n*Lay straight strands"
    )
    await choose(club.grace, await open_preferences(club.grace, "Members"), "prefer:blocked", club.emmy.id)

    about = await open_data(club.grace)
    await club.grace.press(about, usable_buttons(about)["Export my data"])
    handed = await message_with(club.grace, "Everything that Pencilbox keeps about you, table by table")
    assert handed["ephemeral_for"] == club.grace.id
    (data,) = (await files(club.grace, handed)).values()
    exported = json.loads(data)
    assert exported["member"] == club.grace.id
    assert [row["match_id"] for row in exported["seats"]] == [finished.match, two.match, three.match]
    assert [row["text"] for row in exported["plies"]] == ["resign"]
    assert exported["blocks"][0]["blocked_id"] == club.emmy.id

    await club.grace.press(about, usable_buttons(about)["Delete my data…"])
    question = await message_with(club.grace, "This cannot be undone")
    assert "You leave 2 running games and 1 open challenge" in text_of(question)
    await club.grace.press(question, usable_buttons(question)["Yes, delete it all"])
    deleted = await until(club.grace, question, "Everything that Pencilbox kept about you is deleted")
    assert usable_buttons(deleted) == {}

    over = await panel_at(club.ada, two.match, 1)
    mended_board = Panel.of(await until(club.ada, over.message, "ormer member"))
    assert mended_board is not None
    over = mended_board
    assert f"<@{club.ada.id}>" in over.text
    assert "ormer member" in over.text
    assert "Rematch" not in over.buttons
    assert "(has left)" in (await panel_at(club.ada, three.match, 1)).text
    await gone(club.ada, called_off)
    mended = await until(club.ada, finished.message, "ormer member")
    assert club.grace.id not in text_of(mended)
    engine = make_engine(address(None, club.folder))
    assert await holding(engine, int(club.grace.id)) == set()
    await engine.dispose()
