"""The data of the model."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from db.values.challenges import Challenge
from db.values.matches import Panel, PositionKeys, StoredMatch, panel_of
from db.values.places import Place
from db.values.posts import Post, PostKind
from db.values.proposals import Proposal


@dataclass
class Base:
    """A few dictionaries by id. The ids come from the database."""

    all_challenges: dict[int, Challenge] = field(default_factory=dict)
    closed_at: dict[int, datetime] = field(default_factory=dict)
    """By challenge: when it was closed."""
    matches: dict[int, StoredMatch] = field(default_factory=dict)
    proposals: dict[int, Proposal] = field(default_factory=dict)
    posts: dict[tuple[PostKind, int, str], Post] = field(default_factory=dict)
    """By kind, subject and key. Their ids are left out."""
    keyed: dict[int, tuple[int, PositionKeys | None]] = field(default_factory=dict)
    """By match: the number of plies after which the keys of its position were stored, and these."""
    faced: dict[int, tuple[str | None, ...]] = field(default_factory=dict)
    there: datetime | None = None
    """When the bot was last connected."""

    def put(self, match: StoredMatch) -> StoredMatch:
        """Store a match, and with it what the second game of two says of its first."""
        self.matches[match.id] = match
        second = self.second_game(match.id)
        if second is not None:
            self.matches[second] = replace(self.matches[second], first=match)
        return match

    def second_game(self, match: int) -> int | None:
        return next((it.id for it in self.matches.values() if it.first and it.first.id == match), None)

    def add_post(self, kind: PostKind, subject: int, place: Place, at: datetime, key: str = "") -> None:
        post = Post(0, kind, subject, key, place.guild, place.channel, 1, at)
        self.posts.setdefault((kind, subject, key), post)

    def announce(self, kind: PostKind, match: int, at: datetime, *keys: str) -> None:
        """Have a result announced, unless the match is in direct messages."""
        place = self.matches[match].place
        for key in keys if place.guild is not None else ():
            self.add_post(kind, match, place, at, key)

    def change_post(self, kind: PostKind, subject: int, at: datetime | None = None) -> None:
        post = self.posts[kind, subject, ""]
        due_at = post.due_at if post.pending or at is None else at
        self.posts[kind, subject, ""] = replace(post, version=post.version + 1, due_at=due_at)

    def board(self, match: int) -> Post:
        return self.posts[PostKind.BOARD, match, ""]

    def panel(self, match: int) -> Panel | None:
        return panel_of(self.board(match))

    def keep_post(self, post: Post) -> None:
        """Store what Discord shows of a post. Its version and its due time stay."""
        key = post.kind, post.subject, post.key
        now = self.posts[key]
        self.posts[key] = replace(post, id=0, version=now.version, due_at=now.due_at)
        if post.kind is PostKind.CARD:
            challenge = self.all_challenges[post.subject]
            self.all_challenges[challenge.id] = replace(challenge, message=post.message)

    def pending_posts(self, at: datetime) -> list[Post]:
        """Return the pending posts of servers, in any order."""
        return [it for it in self.posts.values() if it.pending and it.guild is not None and it.due_at <= at]
