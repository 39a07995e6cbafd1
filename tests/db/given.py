"""Data and helpers for tests of the store."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations

from db.store import Store
from db.values.challenges import Answer, Challenge, NewChallenge, Participant, Reply, Standing, Terms
from db.values.events import (
    Deed,
    Entrant,
    Event,
    EventChange,
    EventState,
    NewEvent,
    NewPairing,
    Stage,
    StoredDeed,
    Versus,
)
from db.values.events import Terms as EventTerms
from db.values.matches import Beginning, Ending, NewEntry, Outcome, Panel, StoredMatch
from db.values.members import VOTERS, computer_player
from db.values.places import Place
from db.values.posts import Companion, Post, PostKind
from db.values.standings import Change
from db.values.votes import VoteTerms
from rules.core.match import Ply, Setup

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)
DEADLINE = NOW + timedelta(days=1)

ANNA, BERT, CLEO = 2**62 + 1, 102, 103
GUILD, CHANNEL = 2**61 + 1, 202
PLACE = Place(GUILD, CHANNEL)
THERE = Place(GUILD + 1, CHANNEL + 1)
SKULL = Setup("skull", (("rows", 5), ("columns", 6)), 2)

FIRST, SECOND = Ply(0, "a1"), Ply(1, "b2")
WON, DRAWN, LOST = Outcome
IN, ASKED, DECLINED, REMOVED = Reply.IN, Reply.ASKED, Reply.DECLINED, Reply.REMOVED


def terms(setup: Setup = SKULL) -> Terms:
    return Terms(setup.game, setup.options, setup.players, setup.players)


def new_challenge(
    challenger: int = ANNA,
    *others: int,
    place: Place = PLACE,
    setup: Setup = SKULL,
    made_at: datetime = NOW,
    expires_at: datetime = DEADLINE,
) -> NewChallenge:
    """Return a challenge to `others`, by default to Bert."""
    asked = (Participant(user, ASKED) for user in others or (BERT,))
    participants = (Participant(challenger, IN), *asked)
    return NewChallenge(terms(setup), place, challenger, participants, False, made_at, expires_at)


def new_lobby(most: int = 6, challenger: int = ANNA) -> NewChallenge:
    """Return a challenge for two or more that anybody may join."""
    maze = Terms("maze", (("size", 4),), 2, most)
    return NewChallenge(maze, PLACE, challenger, (Participant(challenger, IN),), True, NOW, DEADLINE)


def new_event(organiser: int = ANNA, place: Place = PLACE, most: int = 3) -> NewEvent:
    """Return a cup that starts when `most` have joined."""
    event_terms = EventTerms(SKULL.game, SKULL.options, None, rated=True, most=most)
    return NewEvent(place, organiser, event_terms, None, DEADLINE, NOW)


async def event_running(store: Store, users: Sequence[int], place: Place = PLACE) -> Event:
    """Start a cup in which these users play each other once; the first organises it, and started it early."""
    event = await event_of(store, await store.events.add(new_event(users[0], place, len(users) + 1)))
    numbers = range(len(users))
    change = EventChange(
        state=EventState.RUNNING,
        joined=[Entrant(number, user) for number, user in enumerate(users)],
        stage=Stage(0, NOW, DEADLINE),
        pairings=[NewPairing(0, one, other, True, Beginning(1)) for one, other in combinations(numbers, 2)],
        deeds=[StoredDeed(0, Deed.STARTED, NOW, by=users[0])],
    )
    return await store.events.change(event, change, NOW)


async def server_match(store: Store) -> Event:
    """Start a match of one game between PLACE, for which ANNA plays, and THERE, for which BERT plays."""
    new = replace(new_event(most=2), versus=Versus(1, "0123456789"))
    event = await event_of(store, await store.events.add(new))
    event = await store.events.change(event, EventChange(guests=THERE), NOW)
    change = EventChange(
        state=EventState.RUNNING,
        joined=[Entrant(0, ANNA), Entrant(1, BERT, guest=True)],
        stage=Stage(0, NOW, DEADLINE),
        pairings=[NewPairing(0, 0, 1, True, Beginning(1))],
    )
    return await store.events.change(event, change, NOW)


async def vote_game(store: Store, place: Place = PLACE) -> int:
    """Begin a vote game against a computer player, whose first vote ends at DEADLINE."""
    terms = VoteTerms(timedelta(days=1), DEADLINE, named=False)
    users = VOTERS, computer_player(1)
    return await store.votes.begin(SKULL, terms, place, users, Beginning(1), NOW)


async def offered(store: Store, most: int = 2, on: Terms | None = None) -> Challenge:
    """Store a standing offer of Anna with so many games at once."""
    made = await store.challenges.add(replace(new_lobby(), terms=on or terms()))
    offer = replace(made, standing=Standing(most))
    await store.challenges.change(made, offer, NOW)
    return offer


async def taken(store: Store, offer: Challenge, user: int, at: datetime = NOW) -> StoredMatch:
    """Begin a match of Anna and `user` by her standing offer."""
    after = standing(offer, (ANNA, IN), (user, IN), answer=Answer.ACCEPTED)
    return await store.challenges.accept(offer, after, (ANNA, user), 1, at)


async def challenged(store: Store, challenger: int = ANNA, opponent: int = BERT) -> Challenge:
    return await store.challenges.add(new_challenge(challenger, opponent))


def standing(
    challenge: Challenge, *participants: tuple[int, Reply], answer: Answer = Answer.OPEN
) -> Challenge:
    """Return the challenge with these participants, by default unchanged, and this answer."""
    members = tuple(Participant(user, reply) for user, reply in participants) or challenge.participants
    return replace(challenge, participants=members, answer=answer)


def accepted(challenge: Challenge) -> Challenge:
    """Return the challenge after all members have accepted."""
    return standing(challenge, *((it.user, IN) for it in challenge.participants), answer=Answer.ACCEPTED)


async def expire(store: Store, at: datetime) -> list[Challenge]:
    """Close all challenges whose time is over, and return them."""
    due = await store.challenges.expired(at, 100)
    closed = [await store.challenges.expire(it, at, timedelta(days=30)) for it in due]
    return [it for it in closed if it is not None]


async def accept(
    store: Store,
    challenge: Challenge,
    users: Sequence[int] | None = None,
    version: int = 1,
    at: datetime = NOW,
) -> StoredMatch:
    """Accept a challenge for everybody; `users` by seat, by default in the order of the challenge."""
    seats = challenge.users(*Reply) if users is None else users
    return await store.challenges.accept(challenge, accepted(challenge), seats, version, at)


async def close(store: Store, challenge: Challenge, answer: Answer, at: datetime = NOW) -> Challenge:
    """Close a challenge without changing the replies."""
    closed = standing(challenge, answer=answer)
    await store.challenges.change(challenge, closed, at)
    return closed


async def started(
    store: Store,
    users: Sequence[int] = (ANNA, BERT),
    *,
    place: Place = PLACE,
    setup: Setup = SKULL,
    at: datetime = NOW,
) -> StoredMatch:
    """Start a match, `users` by seat."""
    challenge = await store.challenges.add(new_challenge(*users, place=place, setup=setup))
    return await accept(store, challenge, at=at)


async def finished(
    store: Store,
    users: Sequence[int],
    outcomes: Sequence[Outcome],
    *,
    place: Place = PLACE,
    setup: Setup = SKULL,
    ranks: Sequence[int] | None = None,
    at: datetime = NOW,
) -> int:
    """Play a match that ends with its first ply and return its id. With `ranks` it is rated."""
    match = await started(store, users, place=place, setup=setup, at=min(at, NOW))
    await store.matches.append(match.id, 0, NewEntry(FIRST, at), Ending(outcomes, ranks=ranks))
    return match.id


async def first_of_two(
    store: Store,
    users: Sequence[int] = (ANNA, BERT),
    *,
    place: Place = PLACE,
    setup: Setup = SKULL,
    at: datetime = NOW,
) -> StoredMatch:
    """Start a two-game match, `users` by seat in its first game."""
    new = new_challenge(*users, place=place, setup=setup)
    two = replace(new, terms=replace(new.terms, games=2))
    return await accept(store, await store.challenges.add(two), at=at)


async def second_of_two(
    store: Store,
    users: Sequence[int] = (ANNA, BERT),
    outcomes: Sequence[Outcome] = (WON, LOST),
    *,
    place: Place = PLACE,
    setup: Setup = SKULL,
    at: datetime = NOW,
) -> StoredMatch:
    """Play the first game of a two-game match; `users` and `outcomes` by seat in it. Return the second."""
    first = await first_of_two(store, users, place=place, setup=setup, at=min(at, NOW))
    await store.matches.append(first.id, 0, NewEntry(FIRST, at), Ending(outcomes, then=Beginning(1)))
    return await match_of(store, await second_game(store, first.id))


async def match_of(store: Store, match: int) -> StoredMatch:
    found = await store.matches.load(match)
    assert found is not None
    return found


async def event_of(store: Store, event: int) -> Event:
    found = await store.events.get(event)
    assert found is not None
    return found


async def second_game(store: Store, first: int) -> int:
    """Return the id of the second game of two, which has begun."""
    found = await store.matches.second_game(first)
    assert found is not None
    return found


async def changes_of(store: Store, match: int) -> Sequence[Change]:
    """Return the changes of ratings by a match, which is rated."""
    found = await store.ratings.changes(match)
    assert found is not None
    return found


async def challenge_of(store: Store, challenge: int) -> Challenge:
    found = await store.challenges.get(challenge)
    assert found is not None
    return found


async def post_of(store: Store, kind: PostKind, subject: int, key: str = "") -> Post:
    found = await store.posts.get(kind, subject, key)
    assert found is not None
    return found


async def publish(store: Store, kind: PostKind, subject: int, message: int | None = 5, key: str = "") -> Post:
    """Store that Discord shows the newest version of a post, and return it."""
    post = await post_of(store, kind, subject, key)
    after = replace(post, shown=post.version, message=message, tried_at=None)
    await store.posts.keep(after)
    return after


async def show(store: Store, match: int, panel: Panel, *companions: Companion, pinned: bool = False) -> Post:
    """Store that this message shows the newest version of a board, and return its post."""
    post = await post_of(store, PostKind.BOARD, match)
    after = replace(
        post,
        shown=post.version,
        channel=panel.channel,
        message=panel.message,
        progress=panel.plies,
        companions=companions,
        pinned=pinned,
    )
    await store.posts.keep(after)
    return after


async def pending(store: Store, kind: PostKind | None = PostKind.BOARD, at: datetime = DEADLINE) -> list[int]:
    """Return the subjects of the pending posts of a kind, by default of boards."""
    posts = await store.posts.pending(at, 1000)
    return [post.subject for post in posts if kind in (None, post.kind)]
