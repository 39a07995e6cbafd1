"""Members who want to know when somebody looks for opponents."""

from tests.e2e.club import Club
from tests.e2e.messages import answered, buttons, direct, message_with, open_preferences, told, written
from tests.e2e.play import ask


async def test_a_member_is_told_who_wants_to_play(club: Club) -> None:
    page = await open_preferences(club.grace)
    opened = await club.grace.press(page, buttons(page)["When somebody wants to play…"])
    given = {"games": ["alaric"], "hours": "0-24", "zone": "berlin", "most": ["1"], "where": "here"}
    await club.grace.submit(opened, **given)
    repeated = await told(
        club.grace, "I tell you when somebody looks for opponents in Alaric, in this server"
    )
    assert "Your time zone is Europe/Berlin, where it is " in repeated["content"]
    assert "in this server: at any hour, at most once a day." in repeated["content"]
    # What happens in a private thread is for its members only, and nobody else is told of it.
    thread = (await club.ada.post("thread", channel=club.ada.channel, name="Secret", private=True))["id"]
    inside = club.ada.elsewhere(thread)
    await inside.say(f"<@{club.local.world.bot['id']}> come in")
    await inside.command("challenge", game="alaric", size="quick", clock="3d")
    await message_with(inside, "who wants to play?")
    await club.ada.command("challenge", game="alaric", size="quick", clock="3d")
    card = await message_with(club.grace, "who wants to play?")
    letter = (await written(club.grace, 1))[0]["content"]
    assert letter.startswith(f"**Alaric**: <@{club.ada.id}> looks for an opponent (3 days for each move). ")
    assert f"/{club.ada.channel}/{card['id']}\n" in letter
    # That was the only message of this day; and nobody is told of a challenge to somebody else.
    await club.emmy.command("challenge", game="alaric", size="long", clock="3d")
    await ask(club.ada, [club.emmy], "alaric")
    await answered(club.grace, "games")
    assert len(await direct(club.grace)) == 1
    assert await direct(club.emmy) == []
