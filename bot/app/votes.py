"""Vote games: the members of a server play together, and each of their moves is the one with the most votes.

The seat belongs to a player of its own (VOTERS of db.values.members). A vote is over at `due_at` of the schedule, and
no vote is stored from then on. A round then enters the move like that of any player, which counts once; after that it
stores when the next vote ends. A round that was interrupted in between finds by the time of the last move of the voters
that only the second step is missing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog

from bot.app.challenges.limits import check_admitted, check_channel, check_place
from bot.app.computers.games import ComputerGames
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch, judged, position_keys
from bot.app.matches.matches import Matches
from bot.app.review.hints import STRONGEST
from bot.app.searches import Purpose, Thinker
from bot.app.system import Chance, Clock
from bot.app.tasks.rounds import Rounds
from db.store import Store
from db.values.matches import Beginning
from db.values.members import VOTERS
from db.values.places import DiscordId, Place
from db.values.votes import Vote, VoteGame, VoteOver, VoteTerms
from rules.core.game import Game, Seat
from rules.core.match import LEAVING, Match, Setup
from rules.games import find
from rules.players.choose import find_player

log = structlog.get_logger()

TASK = "votes"
"""Name of the task whose items are vote games whose vote is over."""
MOST_RUNNING = 3
"""Vote games of one server that run at once."""
DAY = timedelta(days=1)
SHORTEST = timedelta(minutes=10)
"""The least time between two moves of the voters; the most is a day."""


@dataclass(frozen=True, slots=True)
class Poll:
    """What a board shows of the votes in its game.

    `ends_at` is None unless the voters are on turn, whose votes so far are `votes`. `last` are those for their last
    move, which is None before it; a move without votes was a hint. `voters` is empty until the game is over.
    """

    game: VoteGame
    ends_at: datetime | None
    votes: Sequence[Vote]
    move: str | None
    last: Sequence[Vote]
    voters: Sequence[DiscordId]


def tally(votes: Sequence[Vote]) -> list[tuple[str, int]]:
    """Return the moves with their numbers of votes, the winner first. `votes` are in the order of their times.

    Of moves with equally many votes, the one with the earliest vote comes first.
    """
    return Counter(it.move for it in votes).most_common()


def next_end(game: VoteGame, after: datetime) -> datetime:
    """Return the first end of a vote by the schedule of a game after a time."""
    assert game.due_at is not None
    return game.due_at + game.every * max(0, (after - game.due_at) // game.every + 1)


def open_to_votes(game: Game[Any, Any]) -> bool:
    """Return True if the members of a server can vote for every move: no move of the game is ever hidden."""
    return type(game).secret is Game.secret


class Votes:
    """The service of vote games. Methods raise Refused; then nothing was changed."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        chance: Chance,
        matches: Matches,
        computer_games: ComputerGames,
        thinker: Thinker,
        rounds: Rounds,
    ) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._matches = matches
        self._computer_games = computer_games
        self._thinker = thinker
        self._rounds = rounds

    async def start(self, place: Place, key: str, level: int, terms: VoteTerms) -> LoadedMatch:
        """Begin a game of the server of a place against a computer player; seats are drawn by lot.

        The caller checks permissions.
        """
        if place.guild is None:
            raise Refused("A vote game takes place in a server of which I am a member.")
        game = find(key)
        find_player(game)
        if not open_to_votes(game):
            raise Refused(f"{game.sheet.title} has secret moves, so members cannot vote for them.")
        if not SHORTEST <= terms.every <= DAY:
            raise Refused("A vote lasts ten minutes to one day.")
        await check_place(self._store, place, key)
        check_channel(len(await self._store.lists.running_in(place.channel)))
        if await self._store.votes.running(place.guild) >= MOST_RUNNING:
            raise Refused(
                f"{MOST_RUNNING} vote games are running in this server; start one when one of them is over."
            )
        computers = await self._computer_games.seated(VOTERS, key, level, 1)
        users = self._chance.shuffled((VOTERS, *computers))
        options, now = tuple(game.sizes["standard"].items()), self._clock.now()
        first = Match.start(game, dict(options), len(users))
        begun = Beginning(game.version, (), position_keys(first, rated=False))
        setup = Setup(key, options, len(users))
        match = await self._store.votes.begin(setup, terms, place, users, begun, now)
        return await self._matches.resume(match)

    async def cast(
        self, match: int, user: DiscordId, text: str, plies: int | None
    ) -> tuple[str, datetime] | None:
        """Let a member vote for a move, and return it as the record has it, and when the vote ends.

        `plies` is the number of entries that their board showed. Return None if the match is no vote game. The caller
        checks that the member sees the match. Raises Refused and RuleError.
        """
        stored = self._store.matches.cached(match) or await self._store.matches.load(match)
        if stored is None or VOTERS not in stored.users:
            return None
        if text.strip().lower() in LEAVING:
            raise Refused("Voters cannot resign; vote for a move.")
        await check_admitted(self._store, stored.place.guild, (user,), user)
        loaded, seat, _ = await self._matches.prompt_for(match, user, plies)
        vote = Vote(user, judged(loaded, seat, text).log[-1].text, self._clock.now())
        game = await self._store.votes.get(match)
        assert game is not None
        assert game.due_at is not None
        try:
            await self._store.votes.cast(match, loaded.plies, vote)
        except VoteOver:
            raise Refused(
                f"This vote in {loaded.name} is over; vote for the next move on its newest board."
            ) from None
        return vote.move, game.due_at

    async def poll(self, loaded: LoadedMatch) -> Poll | None:
        """Return what the board of a match shows of its votes; None if it is no vote game."""
        seat = loaded.seat_of(VOTERS)
        game = None if seat is None else await self._store.votes.get(loaded.id)
        if game is None:
            return None
        own = [index for index, entry in enumerate(loaded.stored.log) if entry.seat == seat]
        votes = self._store.votes
        open_ = seat in loaded.match.to_move
        return Poll(
            game=game,
            ends_at=self._ends_at(loaded, game, seat) if open_ else None,
            votes=await votes.votes(loaded.id, loaded.plies) if open_ else (),
            move=loaded.stored.log[own[-1]].text if own else None,
            last=await votes.votes(loaded.id, own[-1]) if own else (),
            voters=await votes.voters(loaded.id) if loaded.match.over else (),
        )

    async def round(self) -> bool:
        """Play the moves whose vote is over. Return True if anything was due."""
        due = await self._store.votes.due(self._clock.now(), await self._rounds.limit(TASK))
        await self._rounds.each(TASK, due, self.close)
        return bool(due)

    async def close(self, match: int) -> None:
        """Play the move with the most votes in a match whose vote is over, or let the vote last longer once."""
        loaded, game, now = (
            await self._matches.resume(match),
            await self._store.votes.get(match),
            self._clock.now(),
        )
        seat = loaded.seat_of(VOTERS)
        if game is None or seat is None or game.due_at is None or game.due_at > now:
            return
        if loaded.match.over:
            await self._store.votes.schedule(game, None, now)
            return
        if seat in loaded.match.to_move and self._ends_at(loaded, game, seat) == game.due_at:
            votes = await self._store.votes.votes(match, loaded.plies)
            if not votes and not game.extended:
                await self._store.votes.schedule(game, next_end(game, now), now, extended=True)
                return
            move = tally(votes)[0][0] if votes else await self._hint(loaded, seat)
            try:
                await self._matches.play(match, VOTERS, move, loaded.shown)
            except Refused:
                log.info("vote.already_played", match=match)
                return
        await self._store.votes.schedule(game, next_end(game, now), now)

    async def _hint(self, loaded: LoadedMatch, seat: Seat) -> str:
        """Return the strongest move for the voters."""
        return (await self._thinker.choose(loaded.match, seat, STRONGEST, purpose=Purpose.HINT)).move

    def _ends_at(self, loaded: LoadedMatch, game: VoteGame, seat: Seat | None) -> datetime:
        """Return when the vote for the next move of the voters ends."""
        log = zip(loaded.stored.log, loaded.stored.times, strict=True)
        last = max((at for entry, at in log if entry.seat == seat), default=None)
        assert game.due_at is not None
        return game.due_at if last is None or last < game.due_at else next_end(game, last)
