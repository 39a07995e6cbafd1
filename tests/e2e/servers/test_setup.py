"""Setting a server up by one form: what managers are asked once after an update, and what the form changes."""

import sqlite3
from contextlib import closing

from db.address import FILE_NAME
from tests.e2e.club import Club
from tests.e2e.messages import buttons, chosen, components, found_in, open_settings, press, told, until
from tests.e2e.play import challenge

QUESTION = "Set up Pencilbox in one minute?"


async def test_managers_are_asked_once_and_set_up(club: Club) -> None:
    """Ada manages the server. The bot was there before the version that asks."""
    guild, lounge = int(club.local.world.guild["id"]), str(club.local.channel("lounge")["id"])
    await club.bot.kill()
    with closing(sqlite3.connect(club.folder / FILE_NAME)) as database, database:
        database.execute("DELETE FROM guilds")
        database.execute(
            "INSERT INTO guilds (guild_id, channels, withheld, threads, setup_due) VALUES (?, '[]', '[]', 0, 1)",
            (guild,),
        )
    await club.start_again()
    await challenge(club.grace, club.ada, "alaric")
    question = await told(club.ada, QUESTION)
    assert set(buttons(question)) == {"Set up", "Not now"}
    opened = await club.ada.press(question, buttons(question)["Set up"])
    labels = [part["component"] for part in opened["modal"]["components"]]
    preset = {part["custom_id"]: [it["id"] for it in part.get("default_values", ())] for part in labels}
    assert preset["puzzles"] == preset["results"] == [club.ada.channel]
    assert preset["games"] == []
    hour, clock = (
        next(it["value"] for it in part["options"] if it.get("default")) for part in (labels[2], labels[4])
    )
    assert (hour, clock) == ("9", "3d")
    await club.ada.submit(
        opened,
        games=[club.ada.channel, lounge],
        puzzles=[lounge],
        hour=["0"],
        results=[lounge],
        clock=["24h"],
    )
    done = await until(club.ada, question, "### Pencilbox is set up")
    assert "Results and the podium" in str(done["components"])
    # The puzzle of this day is posted at once, as its hour is over.
    await found_in(
        club.grace, lambda seen: any("Puzzle of the day" in str(it) for it in seen) or None, lounge
    )
    page = await open_settings(club.ada)
    assert chosen(page, "setting:clock") == ["24h"]
    assert chosen(page, "setting:channels") == [club.ada.channel, lounge]
    await press(club.ada, page, "Posts in channels")
    page = await until(club.ada, page, "The podium")
    assert chosen(page, "setting:podium") == ["on"]
    assert chosen(page, "setting:weekly-moment") == ["on"]
    assert not any(QUESTION in str(list(components(it))) for it in await club.ada.messages())
    assert not any(QUESTION in str(it) for it in await club.grace.messages())
