"""Moves, from new and old boards, and ends of games that are not moves."""

import random

from hypothesis import strategies as st

from bot.app.matches.table import Table
from db.values.places import Place
from rules.core.match import LEAVING, VOID, Ply
from tests.app.stateful.base import anybody, served
from tests.app.stateful.challenges import ChallengeRules
from tests.app.stateful.strategies import numbers, places, seeds
from tests.rules.hostile import NASTY
from tests.rules.walks import texts


class MoveRules(ChallengeRules):
    """Members who play, and members who try to."""

    @served(number=numbers, seed=seeds, moves=st.sampled_from((1, 2, 5, 12)))
    def play(self, number: int, seed: int, moves: int) -> None:
        """Members on turn make legal moves."""
        self.play_on(number, seed, moves)

    def play_on(self, number: int, seed: int, moves: int) -> None:
        chance, table = random.Random(seed), self.pick(number)
        while table is not None and moves and not table.match.over:
            if not self.move(table, chance):
                return
            table, moves = self.shown(table.id), moves - 1

    def move(self, table: Table, chance: random.Random) -> bool:
        seat = chance.choice(table.match.to_move)
        assert seat is not None
        text = chance.choice(texts(table.match, seat, chance))
        user, may = table.stored.users[seat], not self.late(table)
        plies = chance.choice([None, table.shown])
        if (
            self.attempt(lambda: self.host.services.matches.play(table.id, user, text, plies), may=may)
            is None
        ):
            return False
        self.oracle.confirmed.append((table.id, Ply(seat, text)))
        return True

    @served(
        number=numbers, who=numbers, seed=seeds, text=st.sampled_from(NASTY) | st.none() | st.text(max_size=6)
    )
    def stumble(self, number: int, who: int, seed: int, text: str | None) -> None:
        """Any member types anything, or a text that was once a move."""
        table, chance = self.pick(number), random.Random(seed)
        if table is None:
            return
        played = [ply.text for ply in table.match.log] or ["a1"]
        typed = chance.choice(played) if text is None else text
        user = anybody(table.stored.users, who)
        may = None if user in table.waiting_for and not self.late(table) and typed not in LEAVING else False
        done = self.attempt(lambda: self.host.services.matches.play(table.id, user, typed), may=may)
        if done is not None:
            entry = done.stored.log[-1]
            legal = table.match.legal()
            assert entry.seat == table.seat_of(user)
            assert legal is None or entry.text in legal
            self.oracle.confirmed.append((table.id, entry))
            self.shown(table.id)

    @served(number=numbers, seed=seeds)
    def play_out(self, number: int, seed: int) -> None:
        """Play until the game is over, if nothing else happens in between."""
        self.play_on(number, seed, 100)

    @served(number=numbers, who=numbers, seed=seeds)
    def press_a_board(self, number: int, who: int, seed: int) -> None:
        """Any member presses a move under any board that was ever shown; most of them are old."""
        if not self.boards:
            return
        board, chance = self.boards[-1 - number % min(len(self.boards), 12)], random.Random(seed)
        if board.match.over:
            return
        seat = chance.choice(board.match.to_move)
        assert seat is not None
        text = chance.choice(texts(board.match, seat, chance))
        users = board.stored.users
        user = users[seat] if who % 3 else anybody(users, who)
        table = self.shown(board.id)
        newest = board.shown == table.shown or table.secret
        may: bool | None = newest and user in table.waiting_for and not self.late(table)
        if may and (table.secret or user != users[seat]):
            may = None  # whether it is a legal move there is for the game to say
        if not newest:
            asking = self.host.services.matches.prompt_for
            self.attempt(lambda: asking(board.id, user, board.shown), may=False)
        playing = self.host.services.matches.play
        if self.attempt(lambda: playing(board.id, user, text, board.shown), may=may) is not None:
            mine = table.seat_of(user)
            assert table.secret or mine == seat
            self.oracle.confirmed.append((board.id, Ply(mine, text)))
            self.shown(board.id)

    @served(number=numbers, who=numbers)
    def resign(self, number: int, who: int) -> None:
        table = self.pick(number)
        if table is None:
            return
        user = anybody(table.stored.users, who)
        seat = table.seat_of(user)
        may = seat in table.match.playing and not table.match.over and not self.late(table)
        if self.attempt(lambda: self.host.services.matches.resign(table.id, user), may=may) is not None:
            self.oracle.confirmed.append((table.id, Ply(seat, "resign")))
            self.shown(table.id)

    @served(number=numbers, place=places)
    def break_off(self, number: int, place: Place) -> None:
        """A moderator of some server, perhaps of another one, ends the game."""
        table = self.pick(number)
        if table is None:
            return
        guild = table.stored.place.guild
        may = guild is not None and guild == place.guild and table.stored.void is None
        done = self.attempt(
            lambda: self.host.services.matches.break_off(table.id, place, "too  loud"), may=may
        )
        if done is not None:
            if table.match.over:
                self.oracle.taken_back(done, "too loud")
            else:
                self.oracle.confirmed.append((table.id, Ply(None, VOID)))
            self.shown(table.id)
