"""Exercises: positions that one member plays alone, in a lesson or a puzzle. Moves are judged as in a match."""

from abc import abstractmethod
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from bot.app.matches.loaded import IllegalMove, LoadedMatch
from bot.app.matches.matches import Matches
from bot.app.system import Chance, Clock
from db.store import Store
from db.values.matches import StoredMatch
from db.values.members import computer_player
from db.values.places import DiscordId, Place
from rules.core.game import Game, Seat
from rules.core.match import Match, Ply
from rules.core.notation import suits
from rules.core.prompt import Prompt, RowPrompt, WordsPrompt
from rules.players.choose import levels_of

NUMBER = 0
"""The number of the match; those of stored matches count from 1."""

_BEGUN = datetime(2000, 1, 1, tzinfo=UTC)


class Exercise(Matches):
    """The service of matches for `user`, whose only match is a position in which they play `seat`.

    Moves change `loaded_now`; nothing is stored here. A subclass judges each move.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        chance: Chance,
        start: Match,
        seat: Seat,
        user: DiscordId,
        entries: Iterable[Ply] = (),
    ) -> None:
        super().__init__(store, clock, chance)
        self.start, self.seat, self.user = start, seat, user
        self.loaded_now = self._after(*entries)

    @property
    def match(self) -> Match:
        return self.loaded_now.match

    @property
    @abstractmethod
    def tried(self) -> bool:
        """Return True if a move was made here, legal or not."""

    @abstractmethod
    def played(self, before: Match, after: Match) -> None:
        """Judge a legal move of the member."""

    def refused(self, refusal: IllegalMove) -> None:
        """Judge an illegal move of the member."""

    async def play(self, match: int, user: DiscordId, text: str, plies: int | None = None) -> LoadedMatch:
        try:
            return await super().play(match, user, text, plies)
        except IllegalMove as refusal:
            self.refused(refusal)
            raise

    def enter(self, *entries: Ply) -> None:
        """Add entries of any seat."""
        self.loaded_now = self._after(*self.entries, *entries)

    def begin_again(self) -> None:
        """Take all moves back."""
        self.loaded_now = self._after()

    @property
    def entries(self) -> tuple[Ply, ...]:
        """Return the entries after the start."""
        return self.match.log[len(self.start.log) :]

    async def load(self, match: int) -> LoadedMatch:
        return self.loaded_now

    async def _due(self, loaded: LoadedMatch) -> Match | None:
        return None

    async def _append(self, loaded: LoadedMatch, after: Match) -> LoadedMatch:
        self.enter(after.log[-1])
        self.played(loaded.match, after)
        return self.loaded_now

    def _after(self, *entries: Ply) -> LoadedMatch:
        return exercise_match(self.start, self.seat, self.user, entries)


def strongest(game: Game[Any, Any]) -> DiscordId:
    """Return the strongest computer player of a game."""
    return computer_player(levels_of(game)[-1])


def exercise_match(start: Match, seat: Seat, user: DiscordId, entries: Iterable[Ply] = ()) -> LoadedMatch:
    """Return a position with further entries, as a match of `user` at `seat` against the strongest computer player."""
    log, opponent = (*start.log, *entries), strongest(start.game)
    stored = StoredMatch(
        id=NUMBER,
        setup=start.setup,
        version=start.game.version,
        place=Place(None, 0),
        users=tuple(user if other == seat else opponent for other in range(start.setup.players)),
        log=log,
        salts=(None,) * len(log),
        started_at=_BEGUN,
        finished_at=None,
        outcomes=None,
        rated=False,
    )
    return LoadedMatch.of(stored)


def entered(prompt: Prompt | None, move: str) -> str:
    """Return how a player enters a move, for a sentence: the buttons to press for a word, and otherwise the move."""
    if isinstance(prompt, WordsPrompt):
        word = move.split()[-1]
        if word == prompt.stop:
            return f"press **{prompt.stop.capitalize()}**"
        if word in prompt.row:
            first = prompt.row.index(word) + 1
            last = first + len(word) - 1
            end = f"{first}–{last}" if last > first else f"{first} alone"
            return f"press **{suits('R')} {first}**, then **{end}**"
    if isinstance(prompt, RowPrompt):
        return f"lay **{suits(move.split()[-1])}**"
    return f"play **{move}**"
