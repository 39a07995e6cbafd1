"""Members who enter conditional moves, for tests."""

from bot.app.conditional import Foresight
from bot.app.matches.exercise import NUMBER
from db.values.places import DiscordId
from tests.app.conftest import Host


async def foresee(host: Host, match: int, user: DiscordId, *texts: str) -> Foresight:
    """Enter moves one after the other from the position of a match; the position after them.

    An answer that is known already is shown with the move that it answers, and not entered again.
    """
    at = await host.services.conditional_moves.look(match, user)
    for index, text in enumerate(texts):
        at = at if at.moves[index : index + 1] == (text,) else await enter(host, at, text)
    return at


async def enter(host: Host, at: Foresight, text: str) -> Foresight:
    """Enter a move in a foreseen position; the position after it. Raises the referee's refusal."""
    service = host.services.conditional_moves
    move = await service.entering(at.loaded.id, at.user, at.number, len(at.moves))
    await move.play(NUMBER, at.user, text, move.loaded_now.shown)
    return await service.enter(move)


async def foreseen(host: Host, match: int, user: DiscordId) -> list[tuple[str, ...]]:
    """The moves of the stored variations of a member in a match."""
    return [it.moves for it in await host.store.variations.of_match(match) if it.user == user]
