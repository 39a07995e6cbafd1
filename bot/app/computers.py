"""Games against computer players: how they start, the turns of computer players, and their answers to proposals."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from hashlib import sha256

import structlog

from bot.app.challenges.challenges import Challenges
from bot.app.challenges.terms import terms_of
from bot.app.errors import Refused
from bot.app.matches.free_seats import suggested_level, suited_level
from bot.app.matches.listed import all_played_by
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import FORGOTTEN, Matches
from bot.app.mentions import mention
from bot.app.proposals import Proposals, still_to_agree
from bot.app.searches import NoChoice, Thinker
from bot.app.system import Chance
from db.rating_math import calibrated
from db.store import Store
from db.values.challenges import Answer, Order, Terms
from db.values.matches import MatchOptions
from db.values.members import COMPUTER_PLAYERS, LEVELS, computer_player, is_computer, level_of
from db.values.places import DiscordId, Ownership, Place
from db.values.proposals import Matter, Proposal
from rules.core.errors import BadSetup, RuleError
from rules.core.game import Seat
from rules.games import find
from rules.players.choose import check_level, levels_of
from rules.players.levels import Budget
from rules.players.player import Choice

MOST_ARCHIVED = 50
"""The most archived games of one member. When they begin another, the longest forgotten ones end without a result."""


class ComputerGames:
    """The service that starts games against computer players. Methods raise Refused or BadSetup without any change."""

    def __init__(self, store: Store, matches: Matches, challenges: Challenges) -> None:
        self._store = store
        self._matches = matches
        self._challenges = challenges

    async def play(
        self,
        place: Place,
        user: DiscordId,
        game: str,
        level: int | None = None,
        size: str = "",
        order: Order = Order.LOT,
        *,
        rated: bool = False,
    ) -> LoadedMatch:
        """Begin a game of `user` against one computer player. Without a level it is `suggested_level`.

        In a server only `user` sees the board. Without a size it is the size that `user` played last against a computer
        player, at first the quick one.
        A rated game has the standard size, on which the levels are calibrated.
        """
        private = place.guild is not None
        last = await self._store.history.last_computer(user, game)
        usual = "standard" if rated else next(iter(find(game).sizes))
        terms = terms_of(game, size or usual, 2, 2, order, MatchOptions(rated=rated, private=private))
        if last is not None and not size and not rated:
            terms = replace(terms, options=last[1])
        computers = await self.seated(user, game, level, 1)
        if rated:
            _check_rated(terms, computers[0])
        begun = await self._challenges.play(place, user, terms, computers)
        _, archived = await self._matches.by_hand(user)
        for match in archived[: max(0, len(archived) - MOST_ARCHIVED)]:
            await self._matches.abandon(match.id, FORGOTTEN)
        return begun

    async def seated(
        self, user: DiscordId, game: str, level: int | None, count: int
    ) -> tuple[DiscordId, ...]:
        """Return `count` computer players of a level, and store them as members.

        The default is the `suggested_level` of `user`. Raises BadSetup for a game that no computer plays, or not at
        this level.
        """
        if not count:
            return ()
        check_level(find(game), LEVELS[0] if level is None else level)
        chosen = await self.suggested_level(user, game) if level is None else level
        players = tuple(computer_player(chosen, copy) for copy in range(count))
        for player in players:
            await self._store.members.change(player, computer=True)
        return players

    async def suggested_level(self, user: DiscordId, game: str) -> int:
        """Return the level against which `user` should win about half of their games (bot.app.matches.free_seats)."""
        return await suggested_level(self._store, user, game)

    async def suited_score(self, loaded: LoadedMatch) -> int | None:
        """Return the score of the member in a game against one computer player if its level suits that score."""
        users = loaded.stored.users
        members = [user for user in users if not is_computer(user)]
        if len(users) != 2 or len(members) != 1:
            return None
        own = await self._store.ratings.skill(members[0], loaded.match.game.key)
        if own is None or suited_level(own, loaded.match.game.key) not in map(level_of, users):
            return None
        return own.score


def played_by_computers(game: str, level: int = LEVELS[0]) -> bool:
    """Return True if a game has a computer player of this level."""
    try:
        return level in levels_of(find(game))
    except BadSetup:
        return False


def _check_rated(terms: Terms, computer: DiscordId) -> None:
    """Raise Refused unless the strength of a computer player on these terms is known."""
    found = find(terms.game)
    if calibrated(computer, terms.game) is None:
        raise Refused(
            f"The computer players are not rated in {found.sheet.title} yet; play without the option `rated`."
        )
    if dict(terms.options) != dict(found.sizes["standard"]):
        raise Refused(
            "A rated game against the computer has the standard size; leave `size` out, or `rated`."
        )


log = structlog.get_logger()


class ComputerTurns:
    """The service that plays moves for computer players. Several tasks and processes may use it at the same time."""

    def __init__(
        self, store: Store, matches: Matches, thinker: Thinker, chance: Chance, ownership: Ownership
    ) -> None:
        self._store = store
        self._matches = matches
        self._thinker = thinker
        self._ownership = ownership
        self._secret = chance.salt()
        self._searches: dict[int, tuple[int, asyncio.Task[Choice]]] = {}
        """By match: the number of moves before the one that is searched for, and the search."""

    async def play(self, match: int) -> bool:
        """Make every move that computer players owe in a match. True if any was made here.

        A member's turn may come in between, as in secret phases, where several seats act. Raises NoChoice.
        """
        made = False
        loaded = await self._matches.resume(match)
        while (seat := loaded.computer_on_turn) is not None:
            moved, before = await self._move(loaded, seat), loaded.plies
            made = made or moved
            loaded = await self._matches.load(match)
            if loaded.plies == before:
                break  # The time of a member is over, which decides the game.
        return made

    async def pending(self) -> AsyncIterator[int]:
        """Yield the running matches in which a computer player is on turn, or nobody is until chance has acted.

        Only those of the servers that this process looks after. They are read some at a time.
        """
        async for match in all_played_by(self._store, COMPUTER_PLAYERS):
            due = not match.waiting_for or any(map(is_computer, match.waiting_for))
            if due and self._ownership.serves(match.stored.place.guild):
                yield match.id

    async def _move(self, loaded: LoadedMatch, seat: Seat) -> bool:
        """Make one move. True unless the match had moved on. Raises NoChoice."""
        user = loaded.stored.users[seat]
        choice = await self._search(loaded, seat, Budget(level=level_of(user)))
        if choice is None:
            return False
        try:
            await self._matches.play(loaded.id, user, choice.move, loaded.shown)
        except Refused:
            log.info("computer_move.too_late", match=loaded.id)
            return False
        except RuleError as error:
            # The text of the error may quote a hidden move.
            log.error("computer_move.refused", match=loaded.id, error=type(error).__name__)
            raise NoChoice("The search gave a move that the rules refuse.") from None
        return True

    async def _search(self, loaded: LoadedMatch, seat: Seat, budget: Budget) -> Choice | None:
        """Return the choice of a computer player, or None if the match has moved on. Raises NoChoice."""
        search = asyncio.create_task(
            self._thinker.choose(loaded.match, seat, budget, self._seed(loaded, seat))
        )
        self._searches[loaded.id] = loaded.plies, search
        try:
            await asyncio.wait((search,))
        finally:
            self._searches.pop(loaded.id, None)
            search.cancel()
            await asyncio.gather(search, return_exceptions=True)
        return None if search.cancelled() else search.result()

    def moved_on(self, loaded: LoadedMatch) -> None:
        """End a search for a move that cannot be played any more, since the match has moved on to this.

        Where moves are hidden, others may move meanwhile, and the choice stays as good as it was.
        """
        plies, search = self._searches.get(loaded.id, (0, None))
        due = loaded.computer_on_turn is not None and loaded.secret
        if search is not None and loaded.plies != plies and not due:
            search.cancel()

    def _seed(self, loaded: LoadedMatch, seat: Seat) -> int:
        """Return a seed that stays the same during a match, so that a computer player overlooks the same things.

        Nobody can know it, so hidden moves cannot be computed by others.
        """
        digest = sha256(f"{self._secret} {loaded.id} {seat}".encode()).digest()
        return int.from_bytes(digest[:4])


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
