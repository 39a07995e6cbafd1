"""Moves, from new and old boards, and ends of games that are not moves."""

import random
from functools import partial

from hypothesis import strategies as st

from bot.app.conditional import MOST
from bot.app.matches.loaded import LoadedMatch
from db.values.places import Place, former
from rules.core.match import LEAVING, VOID, Ply
from tests.app.foreseeing import enter
from tests.app.stateful.base import anybody, served
from tests.app.stateful.challenges import ChallengeRules
from tests.app.stateful.strategies import numbers, places, seeds
from tests.rules.hostile import NASTY
from tests.rules.walks import texts
from tests.seeds import CHARACTERS


class MoveRules(ChallengeRules):
    """Members who play, and members who try to."""

    @served(number=numbers, seed=seeds, moves=st.sampled_from((1, 2, 5, 12)))
    def play(self, number: int, seed: int, moves: int) -> None:
        """Members on turn make legal moves."""
        self.play_on(number, seed, moves)

    def play_on(self, number: int, seed: int, moves: int) -> None:
        chance, loaded = random.Random(seed), self.pick(number)
        while loaded is not None and moves and not loaded.match.over:
            if not self.move(loaded, chance):
                return
            loaded, moves = self.shown(loaded.id), moves - 1

    def move(self, loaded: LoadedMatch, chance: random.Random) -> bool:
        seat = chance.choice(loaded.match.to_move)
        assert seat is not None
        text = chance.choice(texts(loaded.match, seat, chance))
        user, may = loaded.stored.users[seat], not self.late(loaded)
        plies = chance.choice([None, loaded.shown])
        if (
            self.attempt(lambda: self.host.services.matches.play(loaded.id, user, text, plies), may=may)
            is None
        ):
            return False
        self.oracle.confirmed.append((loaded.id, Ply(seat, text)))
        return True

    @served(
        number=numbers,
        who=numbers,
        seed=seeds,
        text=st.sampled_from(NASTY) | st.none() | st.text(CHARACTERS, max_size=6),
    )
    def stumble(self, number: int, who: int, seed: int, text: str | None) -> None:
        """Any member types anything, or a text that was once a move."""
        loaded, chance = self.pick(number), random.Random(seed)
        if loaded is None:
            return
        played = [ply.text for ply in loaded.match.log] or ["a1"]
        typed = chance.choice(played) if text is None else text
        user = anybody(loaded.stored.users, who)
        may = None if user in loaded.waiting_for and not self.late(loaded) and typed not in LEAVING else False
        done = self.attempt(lambda: self.host.services.matches.play(loaded.id, user, typed), may=may)
        if done is not None:
            entry = done.stored.log[-1]
            legal = loaded.match.legal()
            assert entry.seat == loaded.seat_of(user)
            assert legal is None or entry.text in legal
            self.oracle.confirmed.append((loaded.id, entry))
            self.shown(loaded.id)

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
        loaded = self.shown(board.id)
        newest = board.shown == loaded.shown or loaded.secret
        may: bool | None = newest and user in loaded.waiting_for and not self.late(loaded)
        if may and (loaded.secret or user != users[seat]):
            may = None  # whether it is a legal move there is for the game to say
        if not newest:
            asking = self.host.services.matches.prompt_for
            self.attempt(lambda: asking(board.id, user, board.shown), may=False)
        playing = self.host.services.matches.play
        if self.attempt(lambda: playing(board.id, user, text, board.shown), may=may) is not None:
            mine = loaded.seat_of(user)
            assert loaded.secret or mine == seat
            self.oracle.confirmed.append((board.id, Ply(mine, text)))
            self.shown(board.id)

    @served(number=numbers, who=numbers, seed=seeds, moves=st.integers(1, 5), then=st.integers(0, 3))
    def foresee(self, number: int, who: int, seed: int, moves: int, then: int) -> None:
        """Any member enters conditional moves, if they may; then the game goes on, perhaps as foreseen."""
        loaded, chance = self.pick(number), random.Random(seed)
        if loaded is None:
            return
        service, users = self.host.services.conditional_moves, loaded.stored.users
        waiting = [it for it in users if it not in loaded.waiting_for and not former(it)]
        user = chance.choice(waiting) if waiting and who % 4 else anybody(users, who)
        may = service.offered(loaded, user)
        assert may is (user not in loaded.waiting_for) or not may
        at = self.attempt(lambda: service.look(loaded.id, user), may=may)
        while at is not None and moves and at.open:
            text, before = chance.choice(at.ahead.match.legal() or ()), at
            at = self.attempt(
                partial(enter, self.host, before, text), may=len(before.variations) < MOST or None
            )
            if at is not None:
                self.oracle.variations.update(at.variations)
                moves -= 1
        self.play_on_as_foreseen(loaded, user, then)

    def play_on_as_foreseen(self, loaded: LoadedMatch, user: int, moves: int) -> None:
        """The others make the moves that a member foresees."""
        while moves and not self.late(loaded):
            known = self.run(self.host.store.variations.of_match(loaded.id))
            text = next((one.moves[0] for one in known if one.user == user), None)
            if text is None:
                return
            (mover,) = loaded.match.to_move
            assert mover is not None
            doing = partial(self.host.services.matches.play, loaded.id, loaded.stored.users[mover], text)
            self.attempt(doing, may=True)
            self.oracle.confirmed.append((loaded.id, Ply(mover, text)))
            loaded, moves = self.shown(loaded.id), moves - 1

    @served(number=numbers, who=numbers)
    def resign(self, number: int, who: int) -> None:
        loaded = self.pick(number)
        if loaded is None:
            return
        user = anybody(loaded.stored.users, who)
        seat = loaded.seat_of(user)
        may = seat in loaded.match.playing and not loaded.match.over and not self.late(loaded)
        if self.attempt(lambda: self.host.services.matches.resign(loaded.id, user), may=may) is not None:
            self.oracle.confirmed.append((loaded.id, Ply(seat, "resign")))
            self.shown(loaded.id)

    @served(number=numbers, place=places)
    def break_off(self, number: int, place: Place) -> None:
        """A moderator of some server, perhaps of another one, ends the game."""
        loaded = self.pick(number)
        if loaded is None:
            return
        guild = loaded.stored.place.guild
        may = guild is not None and guild == place.guild and loaded.stored.void is None
        done = self.attempt(
            lambda: self.host.services.matches.break_off(loaded.id, place, "too  loud"), may=may
        )
        if done is not None:
            if loaded.match.over:
                self.oracle.taken_back(done, "too loud")
            else:
                self.oracle.confirmed.append((loaded.id, Ply(None, VOID)))
            self.shown(loaded.id)
