"""Following a game of others over the wire: the board counts, and direct messages tell."""

from tests.e2e.club import Club
from tests.e2e.messages import answered, direct, press, text_of, told, written
from tests.e2e.panels import panel_at
from tests.e2e.play import by_command, challenge, resign
from tests.e2e.stored_times import send_queued


async def test_follower_is_told_of_moves_and_of_the_end(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric", "quick")
    await press(club.emmy, panel.message, "More")
    await press(club.emmy, await told(club.emmy, "what would you like to do?"), "Follow…")
    await press(
        club.emmy, await told(club.emmy, "what should I write to you about?"), "Each move and its end"
    )
    await told(club.emmy, f"You follow [Alaric #{panel.match}](")
    player, other = club.by_turn(panel)
    await press(player, panel.message, "More")
    menu = await told(player, "what would you like to do?")
    assert "Follow…" not in str(menu["components"])

    await by_command(player, panel, "3")
    panel = await panel_at(other, panel.match, 1)
    assert "-# 1 member follows this game." in panel.text
    await send_queued(club.folder)
    letter = (await written(club.emmy, 1))[0]["content"]
    assert letter.startswith(f"[Alaric #{panel.match}](")
    assert "which you follow, has a new move." in letter
    assert "**Games that you follow (1)**" in text_of(await answered(club.emmy, "games"))

    await resign(other, panel.match)
    letter = (await written(club.emmy, 2))[1]["content"]
    assert letter.endswith("which you followed, is over.")
    last = await panel_at(club.ada, panel.match, 2)
    assert "follows this game" not in last.text
    assert "Games that you follow" not in text_of(await answered(club.emmy, "games"))
    assert len(await direct(club.emmy)) == 2
