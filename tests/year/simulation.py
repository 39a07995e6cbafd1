"""The actions of the members, hour by hour, and the notifications that they get.

Members call the services that buttons and commands call, and let the bot display the result as an answer does. They do
not press over the wire: a press with its answer costs several times as much, and a year has tens of thousands.
"""

import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Awaitable
from datetime import UTC, date, datetime, timedelta
from statistics import median
from time import process_time
from typing import TypeVar

from bot.app.challenges.terms import NamedTerms
from bot.app.clocks.dates import zone_of
from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.app.matches.listed import Listed
from bot.app.matches.loaded import LoadedMatch
from bot.app.members.agenda import agenda
from bot.app.members.digests import within_hours
from bot.app.servers import NEW_SERVERS_CLOCK
from bot.sandbox import Sandbox
from bot.sandbox.world.events import Event, MessageSent
from bot.sandbox.world.objects import DM
from bot.ui.challenges.offers import WHY_TOLD, tell_interested
from bot.ui.matches.direct_message_task import FOOT
from db.values.challenges import Challenge, Reply, Standing
from db.values.members import Interest, Notice
from db.values.places import DiscordId, Place
from db.values.proposals import Matter
from tests.e2e.play import OPEN
from tests.year.driven import DrivenBot, DrivenClock
from tests.year.people import DAY, Person

STEP_H = 3
"""Simulated hours between two rounds of background tasks. Clocks and reminders are at most so late."""
WEEK_DAYS = 7
REOPENS = 0.5
"""Chance that a member who forgets nothing opens an offer again that rests when they look after their games."""
LIMITS = re.compile(
    "challenges open|games open for others|you are playing|is playing|in this channel|times within a day"
    "|within a day;",
    re.IGNORECASE,
)
"""Matches the refusals of bot.app.challenges.limits that a number of games or challenges causes."""

FOLLOWED = re.compile(r"\[[^]]* #([0-9]+)\].*which you follow")
"""Matches a message about a game that a member follows; the group is its number."""
REMINDER = re.compile("Your time in .* ends|is waiting for your move")
"""Matches the reminders that members of a daily message get beside it."""

T = TypeVar("T")


class Year:
    """A server for so many days, and all that is counted."""

    def __init__(
        self, local: Sandbox, bot: DrivenBot, clock: DrivenClock, people: list[Person], seed: int
    ) -> None:
        self.bot, self.clock, self.people = bot, clock, people
        self.services = bot.services
        self._chance = random.Random(seed)
        self.first = clock.now()
        world = local.world
        self._world = world
        self.guild = int(world.guild["id"])
        games, news = (int(it["id"]) for it in world.channels_of(world.guild["id"]) if it["type"] == 0)
        self.place, self._news = Place(self.guild, games), news
        self.news_at: datetime | None = None
        """The time of the last puzzle, result or podium that everybody can see."""
        self._by_id = {person.id: person for person in people}
        self.matches: list[int] = []
        self.refusals: Counter[str] = Counter()
        self.begun: Counter[int] = Counter()
        """Seats of members in games that began, by week."""
        self.told: Counter[tuple[DiscordId, int]] = Counter()
        """Mentions and direct messages by member and week."""
        self.unwanted: Counter[str] = Counter()
        """Notifications that a member did not choose, by what is wrong with them."""
        self.told_away: Counter[str] = Counter()
        """Notifications while the member was away, by their beginnings."""
        self._wanted: Counter[tuple[DiscordId, date]] = Counter()
        self._daily: Counter[tuple[DiscordId, date]] = Counter()
        self.followed: set[tuple[DiscordId, int]] = set()
        """Members, each with a match that they chose to follow."""
        self.told_of_followed = 0
        self.by_offer: dict[int, list[int]] = {}
        """The matches that began by each standing offer."""
        self.offering = False
        """True if members make standing offers and follow games."""
        self.rested: set[tuple[int, int]] = set()
        """Offers that rested, each with the number of games that had begun by it."""
        self.reopened = 0
        """How often a member opened an offer again that rested."""
        self.broken_offers = 0
        """How often more games of an offer were played at once than it promises."""
        self.visits: defaultdict[DiscordId, list[tuple[datetime, bool]]] = defaultdict(list)
        """The times at which members came to Discord, with True if they looked after their games."""
        self.lists: list[int] = []
        """Lengths of the lists of `/games`."""
        world.listen(self._hear)

    def week(self) -> int:
        return (self.clock.now() - self.first).days // WEEK_DAYS

    def _hear(self, event: Event) -> None:
        """Count a new message of the bot for each member whom it notifies."""
        if not isinstance(event, MessageSent) or event.message.author_id != self._world.bot["id"]:
            return
        channel = self._world.channel(event.message.channel_id)
        direct = channel["type"] == DM
        if int(event.message.channel_id) == self._news:
            self.news_at = self.clock.now()
        told = [channel["recipients"][0]["id"]] if direct else event.pinged
        for person in (self._by_id[int(id_)] for id_ in told):
            person.pinged = True
            self.told[person.id, self.week()] += 1
            self._judge(person, direct=direct, text="\n".join(event.message.texts()))

    def _judge(self, person: Person, *, direct: bool, text: str) -> None:
        """Note what is wrong with a notification."""
        if person.away_at(self.clock.now()):
            self.told_away[_kind(text)] += 1
        if WHY_TOLD in text:
            there = self.clock.now().astimezone(zone_of(person.zone))
            self._wanted[person.id, there.date()] += 1
            if self._wanted[person.id, there.date()] > person.wanted:
                self.unwanted["beyond the daily maximum"] += 1
            if not within_hours(there.hour, *person.hours):
                self.unwanted["outside of the chosen hours"] += 1
            if person.away_at(self.clock.now()):
                self.unwanted["wanted while away"] += 1
        elif followed := FOLLOWED.search(text):
            self.told_of_followed += 1
            if (person.id, int(followed[1])) not in self.followed:
                self.unwanted["of a game that the member does not follow"] += 1
        elif FOOT in text:
            day = self.clock.now().astimezone(zone_of(person.zone)).date()
            self._daily[person.id, day] += 1
            if person.notice is not Notice.DIGEST or self._daily[person.id, day] > 1:
                self.unwanted["a daily message that was not chosen, or the second of a day"] += 1
        elif person.notice is Notice.DIGEST:
            if not direct or not REMINDER.search(text):
                self.unwanted[f"beside the daily message: {_kind(text)}"] += 1
        elif person.notice is Notice.NONE:
            self.unwanted[f"chose none: {_kind(text)}"] += 1
        elif direct is not (person.notice is Notice.DIRECT):
            self.unwanted[f"{'direct' if direct else 'mention'} not chosen: {_kind(text)}"] += 1

    async def set_up(self, *, defaults: bool) -> None:
        """Set the server up as the form of its managers does by default, or as before these defaults were there."""
        self.offering = defaults
        if defaults:
            await self.services.departures.joined(self.guild, threads=True)
            await self.services.store.servers.change(
                self.guild,
                puzzle_channel=self._news,
                weekly_moment=True,
                results=self._news,
                podium=True,
                time_control=NEW_SERVERS_CLOCK,
            )
        for person in self.people:
            if person.notice is Notice.DIGEST:
                await self.services.digests.begin(person.id, person.hours[0], person.zone)
            else:
                await self.services.preferences.choose(person.id, notice=person.notice)
            if person.wanted and defaults:
                begin, end = person.hours
                wish = Interest(person.id, (), begin, end, person.zone, person.wanted)
                await self.services.interests.choose(wish, self.guild, here=True)

    async def run(self, days: int) -> None:
        """Let so many days pass."""
        for number in range(days):
            midnight = self.first + number * DAY
            # The days of a zone begin at other times: a visit belongs to the day on which it is in UTC.
            visits = sorted(
                (at.astimezone(UTC), person.id)
                for person in self.people
                for day in (midnight.date() - DAY, midnight.date(), midnight.date() + DAY)
                for at in person.times(day, random.Random(f"{person.id} {day}"))
                if midnight <= at < midnight + DAY
            )
            leaving = sorted(
                (midnight, person.id)
                for person in self.people
                for holiday in person.holidays
                if holiday.first == midnight.date() and holiday.said
            )
            for at, user in (*leaving, *visits):
                person = self._by_id[user]
                if (at, user) in leaving:
                    await self.pass_until(at)
                    await self._leave(person)
                else:
                    looks = self._looks(person)
                    self.visits[user].append((at, looks))
                    if looks:
                        await self.pass_until(at)
                        await self._visit(person)
                        await self.bot.publish(self.clock)
                person.seen = at
            await self.pass_until(midnight + DAY)
            if (number + 1) % (4 * WEEK_DAYS) == 0:
                self._report(number + 1)

    def _report(self, day: int) -> None:
        """Write how far the simulation is, and what looks wrong so far."""
        wrong = {**self.unwanted, **self.refusals, **self.services.rounds.failures}
        found = {what: number for what, number in wrong.items() if number}
        sys.stderr.write(f"day {day}, {process_time():.0f} CPU s: {len(self.matches)} games, {found}\n")

    async def pass_until(self, end: datetime) -> None:
        """Let time pass, and run the background rounds that are due.

        Publishing can take some seconds more. A step in these seconds is left out.
        """
        while (now := self.clock.now()) < end:
            step = now.replace(hour=now.hour // STEP_H * STEP_H, minute=0, second=0, microsecond=0)
            step += timedelta(hours=STEP_H)
            at = min(end, step)
            await self.clock.advance((at - now).total_seconds())
            # The bot notes every ten seconds that it is there. This is the last note of the time that has passed.
            await self.services.store.clocks.alive(at, timedelta.max)
            if at == step:
                await self.bot.rounds(at.hour)
                await self.bot.publish(self.clock)

    def _looks(self, person: Person) -> bool:
        """Return True if a member who visits Discord looks after their games."""
        if person.pinged:
            return self._chance.random() >= person.forgets
        news = self.news_at is not None and (person.seen is None or self.news_at > person.seen)
        return self._chance.random() < (0.5 if news else 0.25) * (1 - person.forgets)

    async def _leave(self, person: Person) -> None:
        """Let a member who goes on holiday say so. A holiday that is longer than an absence may be is cut short."""
        now = self.clock.now()
        (holiday,) = (it for it in person.holidays if it.first == now.date())
        text = f"in {min(10, holiday.days)} days"
        until = await self.tried(self.services.absences.begin(person.id, text))
        if until is None:
            await self._play_all(person, everything=True)
            until = await self.tried(self.services.absences.begin(person.id, text))
        if until is not None:
            person.absences.append((now, until))

    async def tried(self, action: Awaitable[T]) -> T | None:
        """Await an action of a member. Return None if it is refused, which is counted."""
        try:
            return await action
        except Refused as refusal:
            self.refusals[re.sub(r"<?[@#]?[0-9]+>?", "N", str(refusal))] += 1
            return None

    async def _visit(self, person: Person) -> None:
        """Let a member look after their games, and begin others if they have too few."""
        person.pinged = False
        chance, now = self._chance, self.clock.now()
        if person.absences and person.absences[-1][1] > now:
            await self.tried(self.services.absences.end(person.id))
            person.absences[-1] = person.absences[-1][0], now
        for proposal, _ in await self.services.proposals.waiting(person.id):
            answer = (
                self.services.proposals.agree if chance.random() < 0.7 else self.services.proposals.refuse
            )
            done = await self.tried(answer(proposal.id, person.id))
            if done is not None:
                await self.bot.display.show(done.match)
        mine = await self._play_all(person)
        for offer in await self.services.challenges.waiting(person.id):
            if offer.reply_of(person.id) is Reply.ASKED and chance.random() < 0.8:
                if len(mine) > 2 * person.appetite or chance.random() < 0.1:
                    await self.tried(self.services.challenges.refuse(offer.id, person.id))
                else:
                    await self._accept(person, offer)
        if self.offering:
            await self._offer(person)
            await self._follow(person)
        if len(mine) < person.appetite:
            await self._begin(person)
        if chance.random() < 0.1:
            shown = await agenda(
                self.services.matches,
                self.services.challenges,
                self.services.proposals,
                person.id,
                self.place,
            )
            rows = (shown.due, shown.asked, shown.proposed, shown.waiting, shown.sent)
            self.lists.append(sum(map(len, rows)))

    async def _play_all(self, person: Person, *, everything: bool = False) -> list[Listed]:
        """Let a member move in the games in which it is their turn, with few exceptions. Return their games."""
        mine, _ = await self.services.matches.by_hand(person.id)
        for listed in mine:
            loaded = await self.services.matches.load(listed.id)
            if self.services.forgotten.can_be_ended_by(loaded, person.id) and self._chance.random() < 0.5:
                await self.tried(self.services.forgotten.end_by_opponent(listed.id, person.id))
            elif person.id in listed.waiting_for and (everything or self._chance.random() >= person.forgets):
                await self._move(person, loaded)
        return mine

    async def _move(self, person: Person, loaded: LoadedMatch) -> None:
        """Let a member move in a game, or do something else there. Against a computer they play some moves."""
        chance, draw = self._chance, self._chance.random()
        if draw < 0.005:
            await self.tried(self.services.matches.resign(loaded.id, person.id))
        elif draw < 0.02 and not loaded.stored.private:
            timed = (Matter.PAUSE, Matter.TIME) if loaded.stored.clocks else ()
            matter = chance.choice((*timed, Matter.DRAW, Matter.TAKEBACK))
            await self.tried(self.services.proposals.propose(loaded.id, person.id, matter))
        else:
            for _ in range(chance.randint(2, 8) if loaded.stored.private else 1):
                moves = loaded.match.legal()
                if loaded.match.over or person.id not in loaded.waiting_for or not moves:
                    break
                move = self.services.matches.play(loaded.id, person.id, chance.choice(moves))
                if await self.tried(move) is None:
                    break
                await self.bot.display.boards.automatic.wait(loaded.id, 10)
                loaded = await self.services.matches.load(loaded.id)
        if not loaded.stored.private:
            await self.bot.display.show(loaded.id)

    async def _accept(self, person: Person, offer: Challenge) -> None:
        accepted = await self.tried(self.services.challenges.accept(offer.id, person.id))
        if accepted is not None and accepted[1] is not None:
            await self._note_begun(accepted[1])

    async def _offer(self, person: Person) -> None:
        """Let a member who makes a standing offer have one, and withdraw it now and then."""
        mine = await self.services.challenges.waiting(person.id)
        made = [it for it in mine if it.challenger == person.id and it.standing is not None]
        if made and self._chance.random() < 0.01:
            await self.tried(self.services.challenges.refuse(made[0].id, person.id))
        elif made and made[0].standing is not None and made[0].standing.rests:
            self.rested.add((made[0].id, len(self.by_offer.get(made[0].id, ()))))
            if self._chance.random() < REOPENS * (1 - person.forgets):
                await self.tried(self.services.challenges.offer_again(made[0].id, person.id))
                self.reopened += 1
        elif not made and person.offers:
            usual = await self.services.preferences.time_control(self.guild, "")
            terms = NamedTerms(self._chance.choice(OPEN).key, "quick").read(2, 2, usual)
            offer = await self.tried(self.services.challenges.make(self.place, person.id, terms))
            if offer is not None:
                keeping = self.services.challenges.keep_offering(offer.id, person.id, Standing(person.offers))
                await self.tried(keeping)
                await self.bot.display.invite(offer.id)

    async def _take(self, person: Person, offer: Challenge) -> None:
        """Let a member begin a game by a standing offer, and note if more are played than it promises."""
        standing, before = offer.standing, len(self.matches)
        assert standing is not None
        await self._accept(person, offer)
        begun = self.by_offer.setdefault(offer.id, [])
        begun += self.matches[before:]
        running = [it for it in begun if not (await self.services.matches.load(it)).match.over]
        if len(running) > standing.most:
            self.broken_offers += 1

    async def _follow(self, person: Person) -> None:
        """Let a member follow a game of others now and then: its end, or also its moves."""
        if self._chance.random() >= person.follows:
            return
        newest = [await self.services.matches.load(it) for it in self.matches[-20:]]
        others = [
            it.id for it in newest if not (it.match.over or it.stored.private or person.id in it.stored.users)
        ]
        if others:
            match, moves = self._chance.choice(others), self._chance.random() < 0.5
            following = self.services.followers.follow(match, person.id, self.place, moves=moves)
            if await self.tried(following) is not None:
                self.followed.add((person.id, match))

    async def _note_begun(self, loaded: LoadedMatch) -> None:
        self.matches.append(loaded.id)
        self.begun[self.week()] += sum(user in self._by_id for user in loaded.stored.users)
        if not loaded.stored.private:
            await self.bot.display.show(loaded.id)

    async def _begin(self, person: Person) -> None:
        """Let a member join an open game, or begin one: against a computer, against a friend, or for everybody."""
        chance, services = self._chance, self.services
        offers = await services.challenges.standing(person.id, self.place) if self.offering else []
        if offers and chance.random() < 0.5:
            await self._take(person, chance.choice(offers))
            return
        joinable = await services.challenges.joinable(person.id, self.place)
        if joinable and chance.random() < 0.8:
            await self._accept(person, joinable[0])
            return
        game, draw = chance.choice(OPEN).key, chance.random()
        if draw < 0.3:
            begun = await self.tried(services.computer_games.play(self.place, person.id, game))
            if begun is not None:
                await self._note_begun(begun)
            return
        number = self.people.index(person)
        friends = [self.people[(number + step) % len(self.people)].id for step in (1, 2, 5, 29)]
        asked = (chance.choice(friends),) if draw < 0.65 else ()
        clock = "none" if chance.random() < 0.1 else ""
        usual = await services.preferences.time_control(self.guild, "")
        time_control = read_time_control(clock) if clock else usual
        size = chance.choice(("quick", "standard"))
        terms = NamedTerms(game, size).read(2, 2, time_control)
        offer = await self.tried(services.challenges.make(self.place, person.id, terms, asked))
        if offer is not None:
            await self.bot.display.invite(offer.id)
            if offer.public:
                await tell_interested(services, self.bot.ui_services, offer)

    def weekly(self, days: int) -> list[int]:
        """Return the number of notifications of each member in each whole week."""
        weeks = range(max(1, days // WEEK_DAYS))
        return [self.told[person.id, week] for person in self.people for week in weeks]

    def games_per_week(self, days: int) -> float:
        """Return the median over the weeks of the games that a member began."""
        weeks = range(max(1, days // WEEK_DAYS))
        return median(self.begun[week] / len(self.people) for week in weeks)


def _kind(text: str) -> str:
    """Return the beginning of a notification without names and numbers."""
    return re.sub(r"[<\[(*]*[@#]?[0-9]+[>\])*]*", "N", " ".join(text.split()))[:50]
