"""All services of the application, built from a store, a clock and a random source."""

from dataclasses import dataclass
from datetime import timedelta

from bot.app.administration import Administration
from bot.app.awards import Awards
from bot.app.challenges.challenges import Challenges, Rematches
from bot.app.computers.answers import ComputerAnswers
from bot.app.computers.games import ComputerGames
from bot.app.computers.turns import ComputerTurns
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
from bot.app.members.interests import Interests
from bot.app.members.preferences import Preferences
from bot.app.members.privacy import Privacy
from bot.app.moments import Moments
from bot.app.proposals import Proposals
from bot.app.puzzles.daily import DailyPuzzles
from bot.app.puzzles.puzzles import Puzzles
from bot.app.puzzles.runs import PuzzleRuns
from bot.app.puzzles.weekly import WeeklyPosts
from bot.app.replay import History, Records
from bot.app.reports import Reports
from bot.app.retention import Retention
from bot.app.review.explorer import Explorer
from bot.app.review.fair_play import FairPlay
from bot.app.review.hints import Hints
from bot.app.review.lines import Lines
from bot.app.review.reviews import Reviews
from bot.app.searches import Searches
from bot.app.servers import Alerts, Departures
from bot.app.showing import Showing
from bot.app.standings.leaderboards import LeaderboardCleanup, Leaderboards
from bot.app.standings.ratings import Profiles, Ratings
from bot.app.system import Chance, Clock
from bot.app.tasks.rounds import Rounds
from bot.app.votes import Votes
from db.store import Store
from db.values.shards import Ownership


@dataclass(frozen=True, slots=True)
class Services:
    """The services of the application, one per subject. All their state is in the store that they share.

    `ownership` says which servers this process looks after.
    """

    store: Store
    absences: Absences
    administration: Administration
    alerts: Alerts
    awards: Awards
    challenges: Challenges
    clock: Clock
    computer_answers: ComputerAnswers
    computer_games: ComputerGames
    computer_turns: ComputerTurns
    conditional_moves: ConditionalMoves
    daily_puzzles: DailyPuzzles
    departures: Departures
    events: Events
    digests: Digests
    explorer: Explorer
    followers: Followers
    forgotten: ForgottenMatches
    hints: Hints
    history: History
    interests: Interests
    leaderboard_cleanup: LeaderboardCleanup
    leaderboards: Leaderboards
    leagues: Leagues
    server_matches: ServerMatches
    lessons: Lessons
    lines: Lines
    matches: Matches
    moments: Moments
    ownership: Ownership
    preferences: Preferences
    privacy: Privacy
    profiles: Profiles
    proposals: Proposals
    puzzle_runs: PuzzleRuns
    puzzles: Puzzles
    ratings: Ratings
    records: Records
    rematches: Rematches
    reports: Reports
    retention: Retention
    reviews: Reviews
    rounds: Rounds
    showing: Showing
    timekeeper: Timekeeper
    votes: Votes
    weekly_posts: WeeklyPosts


def build_services(
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
) -> Services:
    """Build all services.

    `theme` is the look where neither member nor server chose one, `challenge_lifetime` the time until a challenge
    expires, `departure_grace` the time until the data of a server that removed the bot is deleted. The data of
    members and servers is deleted `retention_months` after their last activity. `ownership` is the same that the store
    was opened with.
    """
    ownership = ownership or Ownership()
    matches = Matches(store, clock, chance, ownership)
    rounds = Rounds(store.failed_items, clock)
    challenges = Challenges(store, clock, chance, challenge_lifetime, matches, rounds)
    proposals = Proposals(store, clock, matches)
    fair_play = FairPlay(store.positions)
    history = History(store.history)
    moments = Moments(store, clock, search, rounds)
    privacy = Privacy(store, clock, matches)
    puzzles = Puzzles(store, clock, chance, fair_play, moments)
    daily_puzzles = DailyPuzzles(store, clock, puzzles)
    events = Events(store, clock, matches, rounds)
    computer_games = ComputerGames(store, matches, challenges)
    return Services(
        store=store,
        absences=Absences(store, clock, matches.move_log),
        administration=Administration(store, clock, matches, privacy, ownership, rounds),
        alerts=Alerts(store.servers, clock),
        awards=Awards(store),
        challenges=challenges,
        clock=clock,
        computer_answers=ComputerAnswers(store, matches, proposals, search),
        computer_games=computer_games,
        computer_turns=ComputerTurns(store, matches, search, chance, ownership),
        conditional_moves=ConditionalMoves(store, clock, chance, matches),
        daily_puzzles=daily_puzzles,
        departures=Departures(store.servers, clock, departure_grace, rounds),
        events=events,
        digests=Digests(store, clock, rounds, matches, challenges, proposals),
        explorer=Explorer(search, fair_play, daily_puzzles.check_explored, clock),
        followers=Followers(store, clock, matches),
        forgotten=ForgottenMatches(store, clock, matches, rounds),
        hints=Hints(store.matches, matches, search, fair_play),
        history=history,
        interests=Interests(store, clock),
        leaderboard_cleanup=LeaderboardCleanup(store.leaderboards, clock, rounds),
        leaderboards=Leaderboards(store, clock),
        leagues=Leagues(store, clock, events, rounds),
        server_matches=ServerMatches(store, clock, chance, events),
        lessons=Lessons(store, clock, chance, search),
        lines=Lines(search, fair_play, clock),
        matches=matches,
        moments=moments,
        ownership=ownership,
        preferences=Preferences(store, clock, theme),
        privacy=privacy,
        profiles=Profiles(store.profiles),
        proposals=proposals,
        puzzle_runs=PuzzleRuns(store, clock, chance, puzzles),
        puzzles=puzzles,
        ratings=Ratings(store.ratings, clock),
        records=Records(),
        rematches=Rematches(store, clock, matches, challenges, challenge_lifetime),
        reports=Reports(clock),
        retention=Retention(store, clock, privacy, rounds, retention_months),
        reviews=Reviews(matches, history, search, fair_play),
        rounds=rounds,
        showing=Showing(store, clock),
        timekeeper=Timekeeper(store.clocks, clock, matches, rounds),
        votes=Votes(store, clock, chance, matches, computer_games, search, rounds),
        weekly_posts=WeeklyPosts(store, clock, matches, moments, puzzles),
    )
