"""Challenges that name no opponent or no game, and calls of a role."""

from typing import Any

from render.games import HOSTED_GAMES
from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import Json, components, gone, menus, once, press, text_of, told, usable_labels
from tests.e2e.panels import boards_in
from tests.e2e.play import offered
from tests.waiting import wait_until


async def asked(player: Player, **options: Any) -> Json:
    return await offered(player, player.command("challenge", **options))


async def test_anybody_may_choose_the_game_and_play(club: Club) -> None:
    """Ada, who owns the server, may call everybody: those who are there. Grace may call roles for everybody only."""
    emojis = await emojis_of(club)
    everyone = club.local.world.guild["roles"][0]["id"]
    players = club.local.world.guild["roles"][2]["id"]
    message = await asked(club.ada, call=everyone, order="first")
    assert message["mention_everyone"] is True
    assert text_of(message).startswith("\n@here\n### Any game: who wants to play?")
    assert usable_labels(message) == {"Withdraw", "Learn one"}
    choice, rules = menus(message)
    options = [part["options"] for part in components(message) if part["type"] == 3]
    assert [emojis[option["value"]] for menu in options for option in menu] == [
        option["emoji"]["id"] for menu in options for option in menu
    ]
    await club.emmy.choose(message, rules, "maze")
    await told(club.emmy, "**1 of 5 · Drawing**")
    await press(club.emmy, message, "Learn one")
    await told(club.emmy, "### Learn a game")
    await club.grace.choose(message, choice, "skull")
    await gone(club.emmy, message)
    titled = f"### <:pencilbox_skull:{emojis['skull']}> Amazon Skull #"
    (board,) = await club.grace.until(lambda: found(club.grace))
    assert board.turn == club.ada.id
    assert any(titled in part.get("content", "") for part in components(board.message))

    await club.grace.command("challenge", game="alaric", call=everyone)
    await told(
        club.grace, "You may not call @here in this channel: you lack the permission Mention @everyone"
    )
    message = await asked(club.grace, game="alaric", call=players)
    assert message["mention_roles"] == [players]
    assert "### Alaric: who wants to play?" in text_of(message)
    await press(club.grace, message, "Accept")
    await told(club.grace, "You made this challenge")
    await press(club.grace, message, "Withdraw")
    lobby = await offered(club.grace, club.grace.command("challenge", game="maze", call=players))
    assert lobby["mention_roles"] == [players]
    await press(club.emmy, lobby, "Join")
    redrawn = await once(club.grace, lobby, lambda now: now["edited_timestamp"] is not None)
    assert text_of(redrawn).startswith(f"\n<@&{players}>\n")
    assert redrawn["mention_roles"] == []
    await press(club.grace, lobby, "Close")
    await club.grace.command("challenge", member=club.emmy.id, call=players)
    await told(club.grace, "Name a member or call a role, not both")


async def emojis_of(club: Club) -> dict[str, str]:
    """The ids of the emojis of the games, by game, as soon as the bot knows all of them."""
    store = club.local.world.store
    await wait_until(lambda: len(list(store.all("emoji"))) >= len(HOSTED_GAMES))
    # The bot may still wait for the answer to its last upload; a round trip by the same bot is longer.
    await club.emmy.command("help")
    await told(club.emmy, "Start a game")
    return {body["name"].removeprefix("pencilbox_"): id_ for id_, body in store.all("emoji")}


async def found(player: Player) -> Any:
    return boards_in(await player.messages()) or None
