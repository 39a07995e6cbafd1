"""The starts of events: the entrants who play, their groups or boards, and the games that begin."""

from collections.abc import Sequence
from dataclasses import replace

from bot.app.bans import banned_among
from bot.app.errors import Refused
from bot.app.events.line_ups import line_up, seated
from bot.app.events.pairings import FEWEST, ONE_GROUP, groups, late_pairs, round_robin
from bot.app.events.schedule import season_after, season_start, stage_span
from bot.app.events.standing import LARGEST, divisions, groups_of
from bot.app.system import Clock
from db.rating_math import calibrated
from db.store import Store
from db.values.events import (
    Entrant,
    Event,
    EventChange,
    EventState,
    NewPairing,
    Stage,
    StoredDeed,
)
from db.values.matches import Beginning
from db.values.members import COPIES, computer_player, is_computer
from db.values.places import DiscordId
from db.values.standings import ALWAYS, EVERYWHERE, Leaderboard
from rules.games import find
from rules.players.choose import levels_of

FULL = "This cup is full; `/cup` opens another one."


class Starts:
    """Returns the changes by which events start and go on with further games, for the caller to store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def start(self, found: Event, deeds: Sequence[StoredDeed]) -> EventChange:
        """Return the start of a cup with the present entrants, and computer players on free seats if they may play."""
        if found.versus is not None:
            return await self._paired(found)
        first, unwelcome = found.next_number, await self._unwelcome(found)
        found = replace(found, entrants=tuple(it for it in found.entrants if it.number not in unwelcome))
        computers = self._computers(found)
        joined = [Entrant(number, user) for number, user in enumerate(computers, first)]
        entrants = [*found.present, *joined]
        if not found.members or len(entrants) < FEWEST:
            raise Refused(f"This {found.noun} cannot start yet; at least two players must join.")
        for player in computers:
            await self._store.members.change(player, computer=True)
        strength = {it.number: await self._strength(it.user, found.terms.game) for it in entrants}
        if found.season is None:
            seeds = sorted(strength, key=lambda it: -strength[it])
            dealt = [[seeds[it] for it in group] for group in groups(len(seeds))]
        else:
            dealt = divisions(entrants, strength, await self._months_before(found))
        stage = await self.stage(replace(found, entrants=(*found.entrants, *joined)), dealt, 0)
        return replace(stage, joined=joined, withdrawn=unwelcome, deeds=deeds)

    async def _paired(self, found: Event) -> EventChange:
        """Return the start of a match between two servers, whose boards are paired by rating. Raises Refused."""
        if await self._store.servers.gone(found.servers):
            raise Refused("This match cannot start; one of its servers has removed me.")
        unwelcome = await self._unwelcome(found)
        playing = [it for it in found.present if it.number not in unwelcome]
        strength = {it.number: await self._strength(it.user, found.terms.game) for it in playing}
        numbers = {it.user: it.number for it in playing}
        blocked = {
            frozenset((one.number, numbers[it]))
            for one in playing
            for it in await self._store.members.blocked(one.user)
            if it in numbers
        }
        boards = line_up(playing, strength, found.boards, blocked)
        if not boards:
            raise Refused("This match cannot start yet; each server needs a player.")
        assert found.versus is not None
        now = self._clock.now()
        games = [self._game(found, *it) for it in seated(boards, found.versus.games)]
        stage = Stage(0, now, now + stage_span(found.terms.time_control))
        return EventChange(
            state=EventState.RUNNING, stage=stage, pairings=games, withdrawn=unwelcome, late=False
        )

    async def stage(self, found: Event, dealt: Sequence[Sequence[int]], number: int) -> EventChange:
        """Return the beginning of a stage with these groups of entrants. Its times are set when it is stored."""
        users = found.users
        now = self._clock.now()
        if found.season is None:
            ends_at = now + stage_span(found.terms.time_control)
        else:
            ends_at = season_start(season_after(found.season))
        stage = Stage(number, now, ends_at)
        games = [
            self._game(found, group, entrants[pair.first], entrants[pair.second])
            for group, entrants in enumerate(dealt)
            for pair in round_robin(len(entrants))
            # Computer players do not play each other: nobody would watch, and no place of a member depends on it.
            if not (is_computer(users[entrants[pair.first]]) and is_computer(users[entrants[pair.second]]))
        ]
        return EventChange(state=EventState.RUNNING, stage=stage, pairings=games, late=False)

    async def late_games(self, found: Event, entrant: Entrant) -> list[NewPairing]:
        """Return the games of an entrant who joins late: with all present entrants of the smallest group.

        In a league it is the last division.
        """
        present = {it.number for it in found.present}
        groups = {it.number: it for it in groups_of(found, len(found.stages) - 1)}
        by_group = {
            number: [row.entrant for row in it.rows if row.entrant in present]
            for number, it in groups.items()
        }
        league = found.season is not None
        group = max(by_group) if league else min(by_group, key=lambda it: (len(by_group[it]), it))
        if len(groups[group].rows) + len(groups[group].annulled) >= (LARGEST if league else ONE_GROUP):
            raise Refused(FULL)  # With another row, nobody could read its table.
        games = [frozenset((it.first, it.second)) for it in found.newest if it.group == group]
        twice = len(games) > len(set(games))
        others = sorted(by_group[group])
        numbers, found = [*others, entrant.number], replace(found, entrants=(*found.entrants, entrant))
        return [
            self._game(found, group, numbers[pair.first], numbers[pair.second])
            for pair in late_pairs(len(others), range(len(others)), twice=twice)
        ]

    def _game(self, found: Event, group: int, first: int, second: int) -> NewPairing:
        """Return a game that is to begin, without its clocks. Games against computer players are casual."""
        users = found.users
        rated = found.terms.rated and not is_computer(users[first]) and not is_computer(users[second])
        return NewPairing(group, first, second, rated, Beginning(find(found.terms.game).version))

    def _computers(self, found: Event) -> list[DiscordId]:
        """Return the computer players who take the free seats: of the chosen level, then of the nearest ones.

        They fill one group at most: a final of computer players, who do not play each other, would have no games.
        """
        level, free = found.terms.computers, min(found.terms.most, ONE_GROUP) - len(found.present)
        if not level or free <= 0:
            return []
        levels = sorted(levels_of(find(found.terms.game)), key=lambda it: (abs(it - level), it))
        return [computer_player(it, copy) for it in levels for copy in range(COPIES)][:free]

    async def _unwelcome(self, found: Event) -> list[int]:
        """Return the numbers of entrants who have been excluded from the server, or banned, since they joined."""
        users = await banned_among(self._store.administration, self._clock, found.members)
        for guild in found.servers:
            users.update(await self._store.servers.excluded(guild))
        return [it.number for it in found.entrants if it.user in users]

    async def _strength(self, user: DiscordId, game: str) -> int:
        """Return the score by which entrants are divided into groups; 0 without a rated game."""
        if (skill := calibrated(user, game)) is not None:
            return skill.score
        board = Leaderboard(ALWAYS, game, EVERYWHERE)
        ratings = [] if is_computer(user) else await self._store.ratings.of_member(user)
        return next((it.held.skill.score for it in ratings if it.leaderboard == board), 0)

    async def _months_before(self, found: Event) -> list[Event]:
        """Return the last two months of a league, the newest first, as far as they were played."""
        assert found.place.guild is not None
        assert found.season is not None
        months = [
            await self._store.events.season(
                found.place.guild, found.terms.game, season_after(found.season, -ago)
            )
            for ago in (1, 2)
        ]
        return [it for it in months if it is not None]
