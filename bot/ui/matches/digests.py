"""The daily message to a member: games that wait, questions, results, open games and the puzzle of the day."""

from collections.abc import Iterator, Sequence

from discord.utils import format_dt

from bot.app.members.digests import Contents
from bot.app.services import Services
from bot.ui.challenges.wording import linked_title, standing_line, summary
from bot.ui.components.message_parts import with_emoji
from bot.ui.components.wording import linked_name, result, with_opponents
from bot.ui.posts.clients import Clients
from bot.ui.posts.permissions import sees
from bot.ui.proposals import proposal_sentence
from bot.ui.puzzles.posts import goal
from db.values.challenges import Challenge
from db.values.places import DiscordId, Place
from rules.games import find

LONGEST = 2000
"""The most characters of a message."""
FOOT = (
    "-# Once a day, as you chose. `/preferences` changes the hour or ends it; `/games` lists all your games."
)
MORE = "- and more, which `/games` lists"


async def digest(
    services: Services, clients: Clients, user: DiscordId, day: int
) -> tuple[str, Place | None] | None:
    """Return the daily message of a member, and the place of the board that has waited longest, if there is one.

    Return None if there is nothing to tell. `day` is an ordinal number.
    """
    found = await services.digests.contents(user, day)
    if found is None:
        return None
    offers = [it for it in found.offers if await sees(clients, user, it.place)]
    lines = [*_games(found, user), *_block("Open games", [_offer(it) for it in offers])]
    puzzle = await services.daily_puzzles.undone(user)
    if puzzle is not None:
        title = with_emoji(puzzle.game, find(puzzle.game).sheet.title)
        lines.append(f"**Puzzle of the day**: {title}. {goal(puzzle)} `/puzzle` shows it.")
    shown = ((it.stored.place.guild, it.stored.panel) for it in found.due)
    place = next((Place(guild, panel.channel) for guild, panel in shown if panel is not None), None)
    return fitted(lines), place


def _games(found: Contents, user: DiscordId) -> Iterator[str]:
    """Yield the lines about the member's own games."""
    due = []
    for it in found.due:
        line = f"{with_opponents(it, user)} · your turn came {format_dt(it.since(user), 'R')}"
        until = it.until(user)
        due.append(line if until is None else f"{line}, your time ends {format_dt(until, 'R')}")
    yield from _block(f"Your turn ({len(due)})", due)
    asked = [
        f"{linked_title(it)}: {summary(it)}, expires {format_dt(it.expires_at, 'R')}" for it in found.asked
    ]
    asked += [f"{linked_name(loaded)}: {proposal_sentence(it, loaded)}" for it, loaded in found.proposed]
    yield from _block(f"To answer ({len(asked)})", asked)
    yield from _block("Results", [f"{linked_name(it)}: {result(it)}" for it in found.results])
    yield from _block("Your standing offers", [standing_line(it, own=True) for it in found.resting])


def _block(heading: str, lines: Sequence[str]) -> list[str]:
    """Return a list with its heading; nothing if the list is empty."""
    return [f"**{heading}**", *(f"- {line}" for line in lines)] if lines else []


def _offer(offer: Challenge) -> str:
    return f"{linked_title(offer)}: {summary(offer)}" if offer.standing is None else standing_line(offer)


def fitted(lines: Sequence[str]) -> str:
    """Return the lines and the foot, as far as they fit into a message."""
    if len("\n".join([*lines, FOOT])) <= LONGEST:
        return "\n".join([*lines, FOOT])
    left, fitting = LONGEST - len(f"{MORE}\n{FOOT}"), list[str]()
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            break
        fitting.append(line)
    return "\n".join([*fitting, MORE, FOOT])
