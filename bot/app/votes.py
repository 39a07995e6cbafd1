"""Vote games: the members of a server play together, and each of their moves is the one with the most votes.

The seat belongs to a player of its own (TEAMS of db.values.members). A vote is over at `due_at` of the schedule, and
no vote is stored from then on. A round then enters the move like that of any player, which counts once; after that it
stores when the next vote ends. A round that was interrupted in between finds by the time of the last move of the voters
that only the second step is missing.

For secret moves nobody votes: a volunteer plays them (see bot.app.volunteers).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from bot.app.challenges.limits import check_admitted, check_channel, check_place
from bot.app.computers import ComputerGames
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch, judged, position_keys
from bot.app.matches.matches import Matches
from bot.app.mentions import mention
from bot.app.searches import Purpose, Thinker
from bot.app.system import Chance, Clock
from bot.app.tasks.rounds import Rounds
from bot.app.volunteers import DAY, Duty, Volunteers, next_end, side
from db.store import Store
from db.values.matches import Beginning
from db.values.members import GUESTS, HOSTS, TEAMS, VOTERS
from db.values.places import DiscordId, Place, former
from db.values.votes import Invitation, Vote, VoteGame, VoteOver, VoteTerms
from rules.core.game import Seat
from rules.core.match import LEAVING, Match, Setup
from rules.games import find
from rules.players.choose import find_player
from rules.players.levels import STRONGEST

log = structlog.get_logger()

TASK = "votes"
"""Name of the task whose items are vote games whose vote is over."""
VOLUNTEERS = "volunteers"
"""Name of the task whose items are vote games in which a volunteer plays in secret."""
MOST_RUNNING = 3
"""Vote games that one server hosts at once."""
DIGITS = 10
"""Hexadecimal digits of the code of an invitation."""
VALID = timedelta(days=7)
"""The time for which an invitation can be accepted."""
SHORTEST = timedelta(minutes=10)
"""The least time between two moves of the voters; the most is a day."""


@dataclass(frozen=True, slots=True)
class Poll:
    """The votes in a game as its board shows them.

    `ends_at` is None unless voters are on turn, whose votes so far are `votes`; with `named` it says whose they are.
    `last` are those for the last `move` of voters, which is None before it; a move without votes was a hint. `voters`
    is empty until the game is over. Of two servers, each is told only the names of its own members. `servers` are the
    names of both, the hosts first, as far as they are known.
    """

    game: VoteGame
    ends_at: datetime | None
    votes: Sequence[Vote]
    move: str | None
    last: Sequence[Vote]
    voters: Sequence[DiscordId]
    yours: bool
    """True if the members of this server vote now."""
    named: bool
    guests: DiscordId | None = None
    """The server of the guests in a game of two servers."""
    duty: Duty | None = None
    """The secret moves that the members of this server are to play now."""
    hints: Sequence[tuple[DiscordId, str]] = ()
    """The player of TEAMS and the phase of secret moves that were hints."""
    players: Sequence[DiscordId] = ()
    """The members of this server who were drawn for secret moves; empty until the game is over."""
    servers: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Ballot:
    """A running vote game of a member who has voted or volunteered in it, where its board is in their server.

    `ends_at` is None unless their side votes now, or the member was drawn to play secret moves now; `move` is what they
    have voted for then, or None.
    """

    loaded: LoadedMatch
    ends_at: datetime | None
    move: str | None


def tally(votes: Sequence[Vote]) -> list[tuple[str, int]]:
    """Return the moves with their numbers of votes, the winner first. `votes` are in the order of their times.

    Of moves with equally many votes, the one with the earliest vote comes first.
    """
    return Counter(it.move for it in votes).most_common()


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
        volunteers: Volunteers,
    ) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._matches = matches
        self._computer_games = computer_games
        self._thinker = thinker
        self._rounds = rounds
        self._volunteers = volunteers

    async def start(self, place: Place, key: str, level: int, terms: VoteTerms) -> LoadedMatch:
        """Begin a game of the server of a place against a computer player; seats are drawn by lot.

        The caller checks permissions.
        """
        await self._check(place, key, terms)
        find_player(find(key))
        (computer,) = await self._computer_games.seated(VOTERS, key, level, 1)
        return await self._begin(place, key, terms, (VOTERS, computer))

    async def invite(self, place: Place, key: str, terms: VoteTerms) -> str:
        """Offer a game to another server. Return the code with which it accepts; an earlier code is no longer valid."""
        await self._check(place, key, terms)
        code = self._chance.salt()[-DIGITS:]
        await self._store.votes.invite(Invitation(code, place, key, terms, self._clock.now()))
        return code

    async def invitation(self, code: str, place: Place) -> Invitation:
        """Return the invitation with this code, which the server of a place may accept."""
        found = await self._store.votes.invitation(code.strip().lower())
        if found is None or self._clock.now() - found.made_at > VALID:
            raise Refused(
                "This code is not valid; ask for a new one, which is valid for a week and for one game."
            )
        if found.place.guild == place.guild:
            raise Refused("This code is from this server; somebody who manages another server must enter it.")
        await self._check(place, found.game, found.terms)
        return found

    async def accept(self, code: str, place: Place) -> LoadedMatch:
        """Begin the game of an invitation, whose board is also posted at a place of the server that accepts it."""
        found, now = await self.invitation(code, place), self._clock.now()
        terms = replace(found.terms, first_at=next_end(found.terms, now))
        try:
            return await self._begin(found.place, found.game, terms, (HOSTS, GUESTS), (found, place))
        except VoteOver:
            raise Refused("This code has already been used; ask for a new one.") from None

    async def _check(self, place: Place, key: str, terms: VoteTerms) -> None:
        """Raise Refused unless a vote game on these terms may begin at a place."""
        if place.guild is None:
            raise Refused("A vote game takes place in a server of which I am a member.")
        if not SHORTEST <= terms.every <= DAY:
            raise Refused("A vote lasts ten minutes to one day.")
        await check_place(self._store, place, key)
        check_channel(len(await self._store.lists.running_in(place.channel)))
        if await self._store.votes.running(place.guild) >= MOST_RUNNING:
            raise Refused(
                f"{MOST_RUNNING} vote games are running in this server; start one when one of them is over."
            )

    async def _begin(
        self,
        place: Place,
        key: str,
        terms: VoteTerms,
        users: Sequence[DiscordId],
        guests: tuple[Invitation, Place] | None = None,
    ) -> LoadedMatch:
        """Begin a game; seats are drawn by lot. Raises VoteOver if the invitation of the guests is gone."""
        game, now = find(key), self._clock.now()
        users = self._chance.shuffled(users)
        options = tuple(game.sizes["standard"].items())
        first = Match.start(game, dict(options), len(users))
        begun = Beginning(game.version, (), position_keys(first, rated=False))
        setup = Setup(key, options, len(users))
        match = await self._store.votes.begin(setup, terms, place, users, begun, now, guests)
        return await self._matches.resume(match)

    async def cast(
        self, match: int, user: DiscordId, guild: DiscordId | None, text: str, plies: int | None
    ) -> tuple[str, datetime]:
        """Let a member of a server vote for a move. Return it as the record has it, and when the vote ends.

        `plies` is the number of entries that their board showed. The caller checks that the member sees the match, and
        that it is `voted`. Raises Refused and RuleError.
        """
        if text.strip().lower() in LEAVING:
            raise Refused("Voters cannot resign; vote for a move.")
        await check_admitted(self._store, guild, (user,), user)
        loaded, seat, _ = await self._matches.prompt_for(match, user, plies)
        await self._check_side(loaded, seat, user, guild)
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

    async def _check_side(
        self, loaded: LoadedMatch, seat: Seat, user: DiscordId, guild: DiscordId | None
    ) -> None:
        """Raise Refused unless a member may vote for a seat: that of their server, for which alone they have voted."""
        due = loaded.stored.users[seat]
        if due == VOTERS:
            return
        if due != side(loaded, guild):
            raise Refused(
                f"It is {mention(due)}' turn in {loaded.name}; members of the other server vote now."
            )
        if (await self._volunteers.sides(loaded)).get(user, seat) != seat:
            raise Refused(f"You have voted for the other server in {loaded.name}, so you cannot vote here.")

    async def poll(self, loaded: LoadedMatch, guild: DiscordId | None) -> Poll | None:
        """Return what the board of a match in a server shows of its votes; None if it is no vote game."""
        game = None if loaded.team is None else await self._store.votes.get(loaded.id)
        if game is None:
            return None
        votes, own, log = self._store.votes, side(loaded, guild), loaded.stored.log
        moved = [ply for ply in _voted(loaded) if ply not in loaded.match.secrets]
        open_ = loaded.team in loaded.waiting_for and not loaded.secret
        duties = await self._volunteers.duties(loaded, game)
        voters, players = list[DiscordId](), list[DiscordId]()
        if loaded.match.over:
            voters = [it for ply, it in await votes.voters(loaded.id) if loaded.back_to(ply).team == own]
            seat = loaded.stored.users.index(own)
            drawn = [it for it in await votes.volunteers(loaded.id) if it.drawn_at and it.seat == seat]
            players = [it for it in dict.fromkeys(it.user for it in drawn) if not former(it)]
        return Poll(
            game=game,
            ends_at=self._ends_at(loaded, game) if open_ else None,
            votes=await votes.votes(loaded.id, loaded.plies) if open_ else (),
            move=log[moved[-1]].text if moved else None,
            last=await votes.votes(loaded.id, moved[-1]) if moved else (),
            voters=voters,
            yours=own in loaded.waiting_for and (loaded.secret or loaded.team == own),
            named=game.terms.named and loaded.team == own,
            guests=None if own == VOTERS else await votes.guests(loaded.id),
            duty=next((it for it in duties if loaded.stored.users[it.seat] == own), None),
            hints=await self._volunteers.played_by_hints(loaded),
            players=players,
        )

    async def ballots(self, user: DiscordId) -> list[Ballot]:
        """Return the running vote games in which a member has voted or volunteered, oldest first."""
        found, votes = [], self._store.votes
        for match in await votes.voted_in(user):
            loaded, game = await self._matches.load(match), await votes.get(match)
            seat = (await self._volunteers.sides(loaded)).get(user)
            if game is None or game.due_at is None or seat is None:
                continue  # it has just ended, or the member's data was deleted
            own, ends_at, move = loaded.stored.users[seat], None, None
            if loaded.secret:
                duties = await self._volunteers.duties(loaded, game)
                ends_at = next((it.ends_at for it in duties if it.is_for(user)), None)
            elif own == loaded.team and own in loaded.waiting_for:
                ends_at, move = self._ends_at(loaded, game), await self.vote_of(loaded, user)
            found.append(Ballot(await self._volunteers.at_side(loaded, seat), ends_at, move))
        return found

    async def vote_of(self, loaded: LoadedMatch, user: DiscordId) -> str | None:
        """Return the vote of a member for the next move of a match, or None."""
        return next((it.move for it in await self.current(loaded) if it.user == user), None)

    async def current(self, loaded: LoadedMatch) -> Sequence[Vote]:
        """Return the votes for the next move of a match; none if it is no vote game."""
        return () if loaded.team is None else await self._store.votes.votes(loaded.id, loaded.plies)

    async def round(self) -> bool:
        """Play the moves whose vote is over. Return True if any vote was."""
        due = await self._store.votes.due(self._clock.now(), await self._rounds.limit(TASK))
        await self._rounds.each(TASK, due, self.close)
        return bool(due)

    async def replace_absent(self) -> bool:
        """Replace the volunteers who may no longer play. Return True if any volunteer plays."""
        playing = await self._store.votes.playing()
        await self._rounds.each(VOLUNTEERS, playing, self._volunteers.replace_absent)
        return bool(playing)

    async def close(self, match: int) -> None:
        """Play the move with the most votes in a match whose vote is over, or let the vote last longer once.

        For secret moves a volunteer is drawn or replaced.
        """
        await self._volunteers.replace_absent(match)
        loaded, game, now = (
            await self._matches.resume(match),
            await self._store.votes.get(match),
            self._clock.now(),
        )
        if game is None or loaded.team is None or game.due_at is None or game.due_at > now:
            return
        if loaded.match.over:
            await self._store.votes.schedule(game, None, now)
            return
        if loaded.secret:
            await self._volunteers.close(loaded, game)
            await self._store.votes.schedule(game, next_end(game.terms, now), now)
            return
        seat = loaded.stored.users.index(loaded.team)
        if seat in loaded.match.to_move and self._ends_at(loaded, game) == game.due_at:
            votes = await self._store.votes.votes(match, loaded.plies)
            if not votes and not game.extended:
                await self._store.votes.schedule(game, next_end(game.terms, now), now, extended=True)
                return
            move = tally(votes)[0][0] if votes else await self._hint(loaded, seat)
            try:
                await self._matches.play(match, loaded.team, move, loaded.shown)
            except Refused:
                log.info("vote.already_played", match=match)
                return
        await self._store.votes.schedule(game, next_end(game.terms, now), now)

    async def _hint(self, loaded: LoadedMatch, seat: Seat) -> str:
        """Return the strongest move for the voters."""
        return (await self._thinker.choose(loaded.match, seat, STRONGEST, purpose=Purpose.HINT)).move

    def _ends_at(self, loaded: LoadedMatch, game: VoteGame) -> datetime:
        """Return when the vote for the next move of voters ends."""
        last = max((loaded.stored.times[ply] for ply in _voted(loaded)), default=None)
        assert game.due_at is not None
        return game.due_at if last is None or last < game.due_at else next_end(game.terms, last)


def voting_seat(loaded: LoadedMatch, guild: DiscordId | None) -> Seat | None:
    """Return the seat for which the members of a server vote now; None if they do not vote in this match now."""
    if loaded.secret:
        return None
    team = side(loaded, guild)
    return loaded.stored.users.index(team) if team in loaded.waiting_for else None


def _player(loaded: LoadedMatch, ply: int) -> DiscordId | None:
    """Return the player of an entry of the log; None for chance."""
    seat = loaded.stored.log[ply].seat
    return None if seat is None else loaded.stored.users[seat]


def _voted(loaded: LoadedMatch) -> list[int]:
    """Return the numbers of the entries of a match that voters made."""
    return [ply for ply in range(loaded.plies) if _player(loaded, ply) in TEAMS]
