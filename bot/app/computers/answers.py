"""The answers of computer players to offers of a draw and requests for a takeback, more time or a pause."""

from dataclasses import dataclass

import structlog

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import Matches
from bot.app.mentions import mention
from bot.app.proposals import Proposals, still_to_agree
from bot.app.searches import Thinker
from db.store import Store
from db.values.challenges import Answer
from db.values.members import is_computer, level_of
from db.values.places import DiscordId
from db.values.proposals import Matter, Proposal
from rules.players.levels import Budget

log = structlog.get_logger()

EVEN = 0.5
"""The highest proved share of the win with which a computer player agrees to a draw."""
LOWEST = 4
"""The lowest level that agrees to a draw. Lower levels overlook moves, and win a part of the lost positions."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A proposal after the computer players have answered, and what they said to it in one sentence each."""

    proposal: Proposal
    said: tuple[str, ...]


class ComputerAnswers:
    """The answers of computer players to proposals. They propose nothing themselves."""

    def __init__(self, store: Store, matches: Matches, proposals: Proposals, thinker: Thinker) -> None:
        self._store = store
        self._matches = matches
        self._proposals = proposals
        self._thinker = thinker

    async def answer(self, proposal: Proposal) -> Answered:
        """Answer a proposal for every computer player that is asked. Raises NoChoice."""
        said: list[str] = []
        while proposal.answer is Answer.OPEN:
            loaded = await self._matches.load(proposal.match)
            asked = [user for user in still_to_agree(proposal, loaded) if is_computer(user)]
            if not asked:
                break
            agrees = await self._agrees(proposal, loaded, asked[0])
            try:
                if agrees:
                    proposal = await self._proposals.agree(proposal.id, asked[0])
                else:
                    proposal = await self._proposals.refuse(proposal.id, asked[0])
            except Refused:
                break  # It was answered, or the match has moved on, while the computer player thought.
            said.append(_sentence(proposal.matter, asked[0], agrees=agrees, rated=loaded.stored.rated))
        return Answered(await self._store.proposals.get(proposal.id) or proposal, tuple(said))

    async def _agrees(self, proposal: Proposal, loaded: LoadedMatch, user: DiscordId) -> bool:
        """Return True if a computer player agrees. Raises NoChoice.

        A computer player agrees to a draw only if a win for the opponent or a draw is proved. An estimate does not
        suffice: a level wins up to half of the positions that it estimates as lost, if it plays both sides.
        """
        if proposal.matter in (Matter.TIME, Matter.PAUSE):
            return True
        if proposal.matter is Matter.TAKEBACK:
            return not loaded.stored.rated
        seat = loaded.seat_of(user)
        assert seat is not None
        own = seat in loaded.match.to_move
        mover = seat if own else loaded.match.to_move[0]
        if mover is None or (loaded.secret and not own):
            return False  # Its value could only be found by looking at what others hide.
        level = level_of(user)
        if level is None or level < LOWEST:
            return False
        choice = await self._thinker.choose(loaded.match, mover, Budget(level=level, with_value=True))
        if choice.value is None or not choice.exact:
            return False
        return (choice.value if own else 1 - choice.value) <= EVEN


def _sentence(matter: Matter, user: DiscordId, *, agrees: bool, rated: bool) -> str:
    name = mention(user)
    if matter is Matter.DRAW:
        return f"{name} agrees to a draw." if agrees else f"{name} declines the draw and plays on."
    if agrees:
        return f"{name} agrees."
    return f"{name} declines: in a rated game moves stand." if rated else f"{name} declines."
