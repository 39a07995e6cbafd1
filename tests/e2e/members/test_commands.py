"""The commands that members are offered, and the rules of every game."""

from rules.games import GAMES
from tests.e2e.club import Club
from tests.e2e.messages import text_of


async def test_the_commands_are_these(club: Club) -> None:
    names = {command["name"] for command in await club.ada.get("commands")}
    assert names == {
        "challenge", "move", "board", "resign", "draw", "takeback", "rematch", "games", "rules", "replay",
        "leaderboard", "profile", "versus", "season", "Challenge to a game", "preferences", "settings", "end", "block",
        "unblock", "history", "export", "import", "lobby", "help", "privacy", "achievements", "play",
        "hint", "review",
    }  # fmt: skip


async def test_the_rules_of_every_game(club: Club) -> None:
    for game in GAMES:
        answer = await club.emmy.command("rules", game=game.key)
        text = text_of(answer["message"])
        assert game.sheet.author in text
        assert str(game.sheet.year) in text
        assert all(ruling in text for ruling in game.sheet.house)
        assert answer["message"]["ephemeral_for"] == club.emmy.id
