"""Members playing through the local Discord, by every way of entering a move."""

from collections.abc import Awaitable, Collection, Sequence
from typing import Any

from render.games import HOSTED_GAMES
from rules.core.match import Match
from tests.contract.player import Player
from tests.e2e.messages import (
    ANSWERED,
    Json,
    answered,
    components,
    message_with,
    newest,
    press,
    text_of,
    usable_buttons,
)
from tests.e2e.panels import Panel, newest_board, opened_part, panel_at, panels

OPEN = tuple(game for game in HOSTED_GAMES if Match.start(game, {}, game.seats[0]).legal() is not None)
"""The games in which everybody sees every move; the others have tests of their own."""


async def challenge(
    challenger: Player, opponents: Player | Sequence[Player], game: str, size: str = ""
) -> Panel:
    """One member challenges another, or several, who all accept; the first board."""
    others = [opponents] if isinstance(opponents, Player) else list(opponents)
    asked = await ask(challenger, others, game, size)
    for other in others[:-1]:
        await press_accept(other, asked["id"])
    return await accept(others[-1], asked["id"])


async def ask(
    challenger: Player, others: Sequence[Player], game: str, size: str = "", **options: Any
) -> Json:
    """One member challenges others, several of them from the menu of an open game; the message of the challenge.

    The game is rated unless the options say something else: without a clock that is not the default.
    """
    options.setdefault("games", "one")
    if size:
        options["size"] = size
    if len(others) == 1:
        options["member"] = others[0].id
    made = await offered(challenger, challenger.command("challenge", game=game, **options))
    if len(others) == 1:
        return made
    menu = next(it["custom_id"] for it in components(made) if it["type"] == 5)
    return await offered(challenger, challenger.choose(made, menu, *(other.id for other in others)))


async def offered(player: Player, doing: Awaitable[object]) -> Json:
    """Do what makes a challenge; the message that the bot then posts, once it is there."""
    known = {message["id"] for message in await player.messages()}
    await doing
    return await newest(
        player,
        lambda it: (
            it["id"] not in known and it["ephemeral_for"] is None and "refuse:" in str(it["components"])
        ),
    )


async def press_accept(opponent: Player, message: str) -> None:
    """Presses the button that accepts."""
    seen = await opponent.get(f"messages/{message}")
    buttons = (part["custom_id"] for part in components(seen) if part["type"] == 2)
    custom_id = next(custom_id for custom_id in buttons if custom_id.startswith("accept:"))
    answer = await opponent.press(seen, custom_id)
    assert answer["outcome"] in ANSWERED, answer


async def accept(opponent: Player, message: str) -> Panel:
    """The last of those who are challenged accepts; the first board."""
    known = max((board.match for board in await panels(opponent)), default=0)
    await press_accept(opponent, message)
    # An older board may come into sight meanwhile, because the message of the challenge is deleted.
    return await newest_board(opponent, lambda it: it.match > known)


async def by_button(player: Player, panel: Panel, text: str) -> None:
    answer = await player.press(panel.message, panel.moves[text])
    assert answer["outcome"] in ANSWERED, answer


async def by_parts(player: Player, panel: Panel) -> None:
    """Press a part on the board, and then what the private messages offer, until a move is played."""
    message, moves, parts = panel.message, panel.moves, panel.parts
    while not moves:
        path = [*parts][panel.plies % len(parts)]
        assert (await player.press(message, parts[path]))["outcome"] in ANSWERED
        message, moves, parts = await opened_part(player, panel.match, panel.plies, path)
    text = [*moves][panel.plies % len(moves)]
    assert (await player.press(message, moves[text]))["outcome"] == "update"


async def by_modal(player: Player, panel: Panel, text: str) -> None:
    opened = await player.press(panel.message, panel.buttons["Type a move"])
    assert opened["outcome"] == "modal", opened
    done = await player.submit(opened, move=text)
    assert done["outcome"] in ANSWERED, done


async def by_command(player: Player, panel: Panel, text: str) -> None:
    assert (await player.command("move", move=text, number=panel.match))["outcome"] == "message"


async def legal(player: Player, panel: Panel) -> list[str]:
    """Moves that autocompletion offers."""
    answer = await player.autocomplete("move", "move", move="", number=panel.match)
    return [choice["value"] for choice in answer["choices"]]


async def to_the_end(players: Sequence[Player], panel: Panel) -> tuple[Panel, set[str]]:
    """Play a match to its end, changing the way of entry at every ply; the last board and the ways used."""
    by_id = {player.id: player for player in players}
    used: set[str] = set()
    while panel.turn is not None:
        player = by_id[panel.turn]
        moves = await legal(player, panel)
        text = moves[panel.plies % len(moves)]
        ways = ["typed", "autocomplete"]
        if text in panel.moves:
            ways = ["button", "typed", "button", "autocomplete"]
        elif panel.parts:
            ways = ["parts", "typed", "parts", "autocomplete"]
        way = ways[panel.plies % len(ways)]
        used.add(way)
        match way:
            case "button":
                await by_button(player, panel, text)
            case "parts":
                await by_parts(player, panel)
            case "typed":
                await by_modal(player, panel, f" {text.upper()} ")
            case _:
                await by_command(player, panel, text)
        panel = await panel_at(player, panel.match, panel.plies + 1)
    return panel, used


async def resigned(loser: Player, panel: Panel) -> Panel:
    """The last board of a match that a member gives up."""
    await resign(loser, panel.match)
    return await panel_at(loser, panel.match, panel.plies + 1)


async def by_more(player: Player, match: int, word: str) -> Json:
    """Press a button of the menu of a match, given the first word of its custom id; what comes of it, such as a form.

    The menu is opened from the board as text, as members do who see no picture.
    """
    board = await answered(player, "board", number=match, as_text=True)
    known = {message["id"] for message in await player.messages()}
    await press(player, board, "More")
    return await player.press(await _menu(player, match, known), f"{word}:{match}")


async def more(player: Player, panel: Panel) -> Json:
    """The menu that a member opens under a board, for their eyes alone."""
    known = {message["id"] for message in await player.messages()}
    assert (await player.press(panel.message, panel.buttons["More"]))["outcome"] in ANSWERED
    menu = await _menu(player, panel.match, known)
    assert menu["ephemeral_for"] == player.id
    return menu


async def _menu(player: Player, match: int, known: Collection[str]) -> Json:
    """The menu of a match, which is none of the `known` messages: an earlier menu is deleted when it is there."""
    words = f"#{match}**: what would you like to do?"
    return await newest(player, lambda it: it["id"] not in known and words in text_of(it))


async def resign(loser: Player, match: int) -> None:
    """A member gives up a match."""
    await by_more(loser, match, "resign")
    question = await message_with(loser, f"#{match}?")
    await loser.press(question, usable_buttons(question)["Yes, resign"])


async def end(moderator: Player, match: int, reason: str) -> None:
    """A moderator ends a match, or takes its result back."""
    await moderator.submit(await by_more(moderator, match, "end"), reason=reason)
