"""Hints, and the values of positions and moves in words."""

import render
from bot.app.matches.exercise import entered
from bot.ui.components.message_parts import items_below, picture_of
from bot.ui.interactions.buttons import MatchButton
from bot.ui.interactions.reply import Content, Context
from bot.ui.moves.play import PlayItButton, hint_name
from rules.players.review import DOUBT, Judged

RESULTS = {1.0: "won", 0.5: "drawn", 0.0: "lost"}


def percent(share: float) -> str:
    """Return a share of the win as text, like "62%"."""
    return f"{round(100 * share)}%"


def swing(move: Judged) -> str:
    """Return the loss by a move: "turned a won game into a drawn one (proved)".

    An estimate is "lowered the chances from 62% to 31% ± 4 (estimated)".
    """
    if move.exact and move.before in RESULTS and move.after in RESULTS:
        return f"turned a {RESULTS[move.before]} game into a {RESULTS[move.after]} one (proved)"
    doubt = "" if move.exact else f" ± {max(1, round(100 * DOUBT * move.error))}"
    sure = "proved" if move.exact else "estimated"
    return f"lowered the chances from {percent(move.before)} to {percent(move.after)}{doubt} ({sure})"


def promise(value: float | None, *, exact: bool, players: int = 2) -> str:
    """Return a sentence about the value of a move for its player in a game of so many `players`; "" without a value."""
    if value is None:
        return ""
    if not exact:
        return f"I estimate your chances at {percent(value)} from here."
    match RESULTS.get(value):
        case "won":
            others = "your opponent plays" if players == 2 else "the others play"
            return f"It wins for certain, whatever {others}."
        case "drawn":
            return "It draws with best play; no move does better."
        case "lost":
            return "You are losing against best play; no move changes that."
    return f"With best play you share the win: your part of it is {percent(value)}."


def expectation(value: float | None, *, exact: bool) -> str:
    """Return a sentence about the value of a line for the computer player; "" if it is not known."""
    if value is None:
        return ""
    if not exact:
        return f"I estimate my chances at {percent(value)}."
    if value in RESULTS:
        return f"This position is {RESULTS[value]} for me (proved)."
    return f"With best play I share the win: my part of it is {percent(value)} (proved)."


class HintButton(MatchButton, word="hint", label="Hint"):
    """Shows a good move to the player on turn, with a button that plays it. The board says that they took a hint."""

    async def answer(self, context: Context) -> Content:
        hint = await context.services.hints.take(self.match, context.user)
        await context.display.show(self.match)
        loaded, choice = hint.loaded, hint.choice
        # A hidden move has no place on the board that could be marked.
        advice = None if loaded.secret else render.Advice(choice.move)
        observation = loaded.match.observe(hint.seat)
        file = await picture_of(loaded, observation, await context.theme(), advice=advice)
        words = promise(choice.value, exact=choice.exact, players=loaded.match.setup.players)
        text = f"**{loaded.name}**: {entered(observation.prompt, choice.move)}. {words}".rstrip()
        button = PlayItButton(loaded.id, loaded.shown, choice.move)
        seen = "The board says" if loaded.stored.private else "The others can see"
        text = f"{text}\n-# {seen} that you took a hint."
        return Content(text, items_below(button), file, name=hint_name(self.match))
