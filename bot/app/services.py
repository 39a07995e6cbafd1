"""All services of the application, built from a store, a clock and a random source."""

from datetime import timedelta

from bot.app.administration import Administration
from bot.app.awards import Awards
from bot.app.challenges.challenges import Challenges, Rematches
from bot.app.computers import ComputerAnswers, ComputerGames, ComputerTurns
from bot.app.conditional import ConditionalMoves
from bot.app.events.events import Events
from bot.app.events.leagues import Leagues
from bot.app.events.server_matches import ServerMatches
from bot.app.lessons import Lessons
from bot.app.matches.followers import Followers
from bot.app.matches.forgotten import ForgottenMatches
from bot.app.matches.matches import Matches
from bot.app.matches.timekeeper import Timekeeper
from bot.app.members.absence import Absences
from bot.app.members.digests import Digests
from bot.app.members.preferences import Interests, Preferences
from bot.app.members.privacy import Privacy, Retention
from bot.app.moments import Moments
from bot.app.proposals import Proposals
from bot.app.puzzles.daily import DailyPuzzles, WeeklyPosts
from bot.app.puzzles.puzzles import PuzzleRuns, Puzzles
from bot.app.replay import History, Records
from bot.app.review.explorer import Explorer
from bot.app.review.fair_play import FairPlay
from bot.app.review.hints import Hints
from bot.app.review.reviews import Lines, Reviews
from bot.app.searches import Searches
from bot.app.servers import Alerts, Departures
from bot.app.showing import Reports, Showing
from bot.app.standings import LeaderboardCleanup, Leaderboards, Profiles, Ratings
from bot.app.system import Chance, Clock
from bot.app.tasks.rounds import Rounds
from bot.app.volunteers import Volunteers
from bot.app.votes import Votes
from db.store import Store
from db.values.places import Ownership


class Services:
    """The services of the application, one per subject. All their state is in the store that they share."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        chance: Chance,
        search: Searches,
        *,
        theme: str,
        challenge_lifetime: timedelta,
        departure_grace: timedelta,
        retention_months: int = 24,
        ownership: Ownership | None = None,
    ) -> None:
        """Build all services.

        `theme` is the look where neither member nor server chose one, `challenge_lifetime` the time until a challenge
        expires, `departure_grace` the time until the data of a server that removed the bot is deleted. The data of
        members and servers is deleted `retention_months` after their last activity. `ownership` says which servers
        this process looks after, and is the same that the store was opened with.
        """
        self.store = store
        self.clock = clock
        self.ownership = ownership = ownership or Ownership()
        self.rounds = rounds = Rounds(store.failed_items, clock)
        self.matches = matches = Matches(store, clock, chance, ownership)
        self.challenges = challenges = Challenges(store, clock, chance, challenge_lifetime, matches, rounds)
        self.proposals = proposals = Proposals(store, clock, matches)
        self.history = history = History(store.history)
        self.privacy = privacy = Privacy(store, clock, matches)
        fair_play = FairPlay(store.positions)
        self.moments = moments = Moments(store, clock, search, rounds)
        self.puzzles = puzzles = Puzzles(store, clock, chance, fair_play, moments)
        self.daily_puzzles = DailyPuzzles(store, clock, puzzles)
        self.events = events = Events(store, clock, matches, rounds)
        self.computer_games = ComputerGames(store, matches, challenges)
        self.absences = Absences(store, clock, matches.move_log)
        self.administration = Administration(store, clock, matches, privacy, ownership, rounds)
        self.alerts = Alerts(store.servers, clock)
        self.awards = Awards(store)
        self.computer_answers = ComputerAnswers(store, matches, proposals, search)
        self.computer_turns = ComputerTurns(store, matches, search, chance, ownership)
        self.conditional_moves = ConditionalMoves(store, clock, chance, matches)
        self.departures = Departures(store.servers, clock, departure_grace, rounds)
        self.digests = Digests(store, clock, rounds, matches, challenges, proposals)
        self.explorer = Explorer(search, fair_play, self.daily_puzzles.check_explored, clock)
        self.followers = Followers(store, clock, matches)
        self.forgotten = ForgottenMatches(store, clock, matches, rounds)
        self.hints = Hints(store.matches, matches, search, fair_play)
        self.interests = Interests(store, clock)
        self.leaderboard_cleanup = LeaderboardCleanup(store.leaderboards, clock, rounds)
        self.leaderboards = Leaderboards(store, clock)
        self.leagues = Leagues(store, clock, events, rounds)
        self.lessons = Lessons(store, clock, chance, search)
        self.lines = Lines(search, fair_play, clock)
        self.preferences = Preferences(store, clock, theme)
        self.profiles = Profiles(store.profiles)
        self.puzzle_runs = PuzzleRuns(store, clock, chance, puzzles)
        self.ratings = Ratings(store.ratings, clock)
        self.records = Records()
        self.rematches = Rematches(store, clock, matches, challenges, challenge_lifetime)
        self.reports = Reports(clock)
        self.retention = Retention(store, clock, privacy, rounds, retention_months)
        self.reviews = Reviews(matches, history, search, fair_play)
        self.server_matches = ServerMatches(store, clock, chance, events)
        self.showing = Showing(store, clock)
        self.timekeeper = Timekeeper(store.clocks, clock, matches, rounds)
        self.volunteers = Volunteers(store, clock, chance, matches, search)
        self.votes = Votes(
            store, clock, chance, matches, self.computer_games, search, rounds, self.volunteers
        )
        self.weekly_posts = WeeklyPosts(store, clock, matches, moments, puzzles)
