"""The leaderboard over the wire: turned page by page, other boards chosen, the member's own rank always in sight."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from db.engine import open_store
from db.values.members import computer_player
from db.values.posts import PostKind
from db.values.standings import HeldSkill, Leaderboard, Rating, Skill
from tests.contract.player import Player
from tests.db.ladder import keep
from tests.e2e.club import Club
from tests.e2e.messages import (
    answer_saying,
    buttons,
    choose,
    components,
    menus,
    message_with,
    once,
    open_preferences,
    open_settings,
    press,
    shown_to_all,
    text_of,
    told,
    until,
    usable_buttons,
)
from tests.e2e.play import challenge, to_the_end
from tests.e2e.stored_times import published

Json = dict[str, Any]


async def crowd(folder: Path, guild: int, users: list[int]) -> None:
    """These members stand on the boards of a server and of everywhere, each a point below the one before."""
    async with open_store(None, folder) as store:
        await keep(store, ratings_of(guild, users))


def ratings_of(guild: int, users: list[int]) -> list[Rating]:
    """The ratings of such members."""
    # All the months in which this test may be: the one before it began, and the one that may end meanwhile.
    now = datetime.now(UTC)
    months = [f"{at:%Y-%m}" for at in (now.replace(day=1) - timedelta(days=1), now)]
    return [
        Rating(
            user,
            Leaderboard(period, game, where),
            HeldSkill(Skill((1500 - number) / 40, 25 / 3), 202601),
            1,
            0,
            2,
        )
        for number, user in enumerate(users)
        for period in ("", *months)
        for game in ("", "skull")
        for where in (0, guild)
    ]


async def climbed(folder: Path, guild: int, users: list[int]) -> None:
    """Of four members the first has come from below this week; the next two hold the same."""
    year, week, _ = datetime.now(UTC).isocalendar()
    held = [(1100, year * 100 + week, 900), (1050, 202601, None), (1050, 202601, None), (950, 202601, None)]
    ratings = [
        Rating(user, Leaderboard("", "maze", guild), HeldSkill(Skill(score / 40, 25 / 3), week, was), 2, 0, 1)
        for user, (score, week, was) in zip(users, held, strict=True)
    ]
    async with open_store(None, folder) as store:
        await keep(store, ratings)


def places(message: Json) -> list[int]:
    """The places that a page lists."""
    return [int(line.split("\\")[0]) for line in text_of(message).splitlines() if "\\. <@" in line]


async def listing(player: Player, message: Json, expected: list[int]) -> Json:
    """The message once it lists these places."""
    return await once(player, message, lambda now: places(now) == expected)


@pytest.mark.soak
async def test_pages_and_boards(club: Club) -> None:
    strangers = list(range(10**17, 10**17 + 25))
    guild = int(club.local.world.guild["id"])
    await crowd(club.folder, guild, [*strangers[:21], int(club.ada.id), *strangers[21:]])
    shown = await answer_saying(club.ada, "Leaderboard: All games", "leaderboard")
    assert "this server · all time · 26 members" in text_of(shown)
    assert places(shown) == [*range(1, 11), 21, 22, 23]
    assert f"22\\. <@{club.ada.id}> · **1479**? · 1–0–2 · you" in text_of(shown)
    (gallery,) = (part for part in components(shown) if part["type"] == 12)
    assert gallery["items"][0]["description"].startswith(
        "Leaderboard: All games, this server · all time. 1: 1500"
    )
    assert (await club.ada.fetch(gallery["items"][0]["media"]["url"])).startswith(b"\x89PNG")
    assert "Top" not in usable_buttons(shown)

    await club.ada.press(shown, usable_buttons(shown)["Lower"])
    second = await listing(club.ada, shown, [*range(11, 21), 21, 22, 23])
    posted = await shown_to_all(club.ada, second)
    assert places(posted) == [*range(11, 21), 21, 22, 23]
    assert "this server · all time · 26 members" in text_of(posted)
    assert " · you" not in text_of(posted)
    assert (set(buttons(posted)), menus(posted)) == (set(), [])
    await press(club.ada, second, "Show to the channel")
    await told(club.ada, "You have shown this to the channel already.")
    await club.ada.press(second, usable_buttons(second)["My rank"])
    mine = await listing(club.ada, second, list(range(17, 27)))
    assert set(usable_buttons(mine)) == {"Top", "Higher", "Show to the channel"}
    await club.ada.press(mine, usable_buttons(mine)["Higher"])
    higher = await listing(club.ada, mine, [*range(7, 17), 21, 22, 23])
    await club.ada.press(higher, usable_buttons(higher)["Top"])
    await listing(club.ada, higher, [*range(1, 11), 21, 22, 23])

    games, boards = menus(shown)
    await club.ada.choose(shown, games, "skull")
    skull = await until(club.ada, shown, "Leaderboard: The Amazon Skull Game")
    assert places(skull) == [*range(1, 11), 21, 22, 23]
    await club.ada.choose(shown, menus(skull)[1], "everywhere:season")
    season = await until(club.ada, skull, "global · ")
    await club.ada.choose(shown, menus(season)[1], "everywhere:week")
    await until(club.ada, season, "Nobody is listed yet")
    other = await answer_saying(
        club.grace, "You are not on this leaderboard yet", "leaderboard", where="everywhere"
    )
    assert places(other) == list(range(1, 11))
    assert boards.endswith(":-")
    await every_board(club)
    await climbed(club.folder, guild, [*strangers[:3], int(club.ada.id)])
    maze = await answer_saying(club.grace, 'Leaderboard: "Maze"', "leaderboard", game="maze")
    assert places(maze) == [1, 2, 2, 4]
    (gallery,) = (part for part in components(maze) if part["type"] == 12)
    moves = re.findall(
        r"(1|2|4): (?:Ada, )?[0-9]+, uncertain, 3 games, ([a-z0-9 ]+)", gallery["items"][0]["description"]
    )
    assert " 4: Ada, 950, uncertain" in gallery["items"][0]["description"]
    assert moves == [("1", "up 3"), ("2", "down 1"), ("2", "down 1"), ("4", "down 1")]
    await choose(club.ada, await open_preferences(club.ada, "Members"), "prefer:listed", "off")
    hidden = await answer_saying(
        club.ada, "You chose not to be listed here", "leaderboard", where="everywhere"
    )
    assert "global · all time · 25 members" in text_of(hidden)
    maze = await answer_saying(club.grace, 'Leaderboard: "Maze"', "leaderboard", game="maze")
    (gallery,) = (part for part in components(maze) if part["type"] == 12)
    assert " 4: 950, uncertain" in gallery["items"][0]["description"], "not listed, so not named in pictures"
    podium = await answer_saying(
        club.grace,
        "Last season: The Amazon Skull Game\n-# this server",
        "leaderboard",
        game="skull",
        time="last",
    )
    assert f"🥇 <@{strangers[0]}> · **1500**" in text_of(podium)
    assert f"🥉 <@{strangers[2]}> · **1498**" in text_of(podium)
    await club.grace.choose(podium, "ladder-game:here:last", "alaric")
    podium = await until(club.grace, podium, "Nobody finished a rated game here last season")
    await club.grace.choose(podium, "ladder-board:alaric", "here:season")
    await until(club.grace, podium, "Leaderboard: Alaric")


async def every_board(club: Club) -> None:
    """Each place and time that can be asked for is another board, of which all or nobody is on it here."""
    now = datetime.now(UTC)
    year, week, _ = now.isocalendar()
    for where, there in (("here", "this server"), ("everywhere", "global")):
        for time, then, nobody in (
            ("always", "all time", False),
            ("season", f"{now:%B %Y}", False),
            ("week", f"week {week} of {year}", True),
        ):
            shown = await answer_saying(
                club.grace, f"\n-# {there} · {then}", "leaderboard", where=where, time=time
            )
            assert ("Nobody is listed yet" in text_of(shown)) == nobody
            assert places(shown) == ([] if nobody else list(range(1, 11)))


async def test_profiles_and_duels(club: Club) -> None:
    first = await challenge(club.ada, club.grace, "skull", "3x2")
    last, _ = await to_the_end((club.ada, club.grace), first)
    verdict = next(line for line in last.text.splitlines() if line.startswith("**"))
    winner, loser = (
        (club.ada, club.grace) if verdict.startswith(f"**<@{club.ada.id}>") else (club.grace, club.ada)
    )
    shown = await answer_saying(club.emmy, f"### <@{loser.id}>", "profile", member=loser.id)
    head = text_of(shown).split("\n-# ")[1].splitlines()[0]
    assert re.fullmatch(r"All games · this server · rating \d+\? · rank 2 of 2", head)
    assert '-# "?": only 1 rated game, so the rating can still change a lot.' in text_of(shown)
    assert "Favourite game: **The Amazon Skull Game**" in text_of(shown)
    assert "Skulls donated to the pile: 1" in text_of(shown)
    (gallery,) = (part for part in components(shown) if part["type"] == 12)
    assert "The Amazon Skull Game: 0 won, 0 drawn, 1 lost" in gallery["items"][0]["description"]
    assert (await club.emmy.fetch(gallery["items"][0]["media"]["url"])).startswith(b"\x89PNG")
    posted = await shown_to_all(club.emmy, shown)
    assert text_of(posted).startswith(text_of(shown))
    assert menus(posted) == ["history:watch"]
    game, _ = menus(shown)
    await press(club.emmy, shown, "Against me")
    await told(club.emmy, "They have not finished a rated game together")
    await club.emmy.choose(shown, game, "alaric")
    alaric = await until(club.emmy, shown, "No rated game yet")
    await club.emmy.choose(alaric, menus(alaric)[0], "skull")
    skull = await until(club.emmy, shown, "The Amazon Skull Game · this server")
    await club.emmy.press(skull, usable_buttons(skull)["Global"])
    await until(club.emmy, shown, "The Amazon Skull Game · global")

    leads = f"**<@{winner.id}> leads <@{loser.id}> 1\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}0** in 1 rated game."
    duels = await answer_saying(winner, leads, "profile", opponent=loser.id)
    assert leads in text_of(await shown_to_all(winner, duels))
    (gallery,) = (part for part in components(duels) if part["type"] == 12)
    assert "1 to 0. The Amazon Skull Game: 1 to 0." in gallery["items"][0]["description"]
    await choose(loser, await open_preferences(loser, "Members"), "prefer:listed", "off")
    await press(
        winner, await answer_saying(winner, leads, "profile", opponent=loser.id), "Show to the channel"
    )
    await told(winner, f"<@{loser.id}> did not agree to be shown by others; only you see this.")
    await answer_saying(loser, leads, "profile", member=winner.id, opponent=loser.id)
    duels = await answer_saying(winner, leads, "profile", opponent=loser.id)
    assert f"\n<@{winner.id}> · <@{loser.id}> " in text_of(duels), (
        "a player who is not listed has no name in the picture"
    )
    await answer_saying(winner, "Nobody plays against themselves", "profile", opponent=winner.id)
    crayon = computer_player(1)
    both = {"opponent": loser.id, "computer": crayon}
    await answer_saying(winner, "Name one opponent, a member or a computer player.", "profile", **both)
    shown = await answer_saying(winner, "### Crayon (computer)", "profile", computer=crayon)
    await press(winner, shown, "Against me")
    await told(winner, f"### <@{winner.id}> against Crayon (computer)")


async def test_a_podium_is_announced_once_where_it_is_wanted(club: Club) -> None:
    guild = int(club.local.world.guild["id"])
    club.local.system_channel("lounge")
    await crowd(club.folder, guild, [int(club.grace.id), int(club.emmy.id), int(club.ada.id)])
    await choose(club.ada, await open_settings(club.ada), "setting:everywhere", "off")
    await choose(club.ada, await open_settings(club.ada, "Posts in channels"), "setting:podium", "on")
    lounge = club.ada.elsewhere(club.local.channel("lounge")["id"])
    season = f"{datetime.now(UTC).replace(day=1) - timedelta(days=1):%Y-%m}"
    podium = await message_with(lounge, "### Last season: All games")
    assert f"🥇 <@{club.grace.id}> · **1500**" in text_of(podium)
    assert podium["mentions"] == []
    async with open_store(None, club.folder) as store:
        await published(store, PostKind.PODIUM, guild, season)
        assert not (await store.servers.settings(guild)).everywhere
    assert sum("Last season" in text_of(each) for each in await lounge.messages()) == 1
