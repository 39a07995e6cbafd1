"""Turns and results of games for any number of players, some of whom may have left."""

from collections.abc import Container, Sequence

from rules.core.game import Seat


def next_seat(seat: Seat, players: int, gone: Container[Seat] = ()) -> Seat:
    """The seat that follows `seat` in turn, without those that are `gone`; `seat` itself if no other is left."""
    following = (seat + 1) % players
    while following in gone and following != seat:
        following = (following + 1) % players
    return following


def leaders(points: Sequence[int], gone: Container[Seat] = ()) -> tuple[Seat, ...]:
    """The seats with the most points, without those that are `gone`; ascending, since they share the win."""
    playing = [seat for seat in range(len(points)) if seat not in gone]
    most = max(points[seat] for seat in playing)
    return tuple(seat for seat in playing if points[seat] == most)
