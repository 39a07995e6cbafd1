"""Clocks as members see them: on the board, and in a reminder."""

from datetime import timedelta

import discord

import render
from bot.app.clocks.time_controls import spell_time_control
from bot.app.matches.table import Table
from db.api.clocks import SeatClock


def clock_lines(table: Table) -> list[str]:
    """How the clocks stand: the ends that come near are counted down by Discord itself."""
    time_control, clocks = table.stored.time_control, table.stored.clocks
    if time_control is None or table.match.over:
        return []
    seats = [
        f"{render.seat_mark(seat)} {_stands(clock)}"
        for seat, clock in enumerate(clocks)
        if clock is not None and (clock.deadline is not None or not time_control.per_move)
    ]
    return [f"-# {' · '.join([spell_time_control(time_control), *seats])}"] if seats else []


def together(table: Table) -> bool:
    """Whether time ended the match, for all who still played at the same instant."""
    clocks = table.stored.clocks
    return table.match.agreed and bool(clocks) and all(clock is None or not clock.left for clock in clocks)


def _stands(clock: SeatClock) -> str:
    if clock.deadline is not None:
        return f"time ends {discord.utils.format_dt(clock.deadline, 'R')}"
    return f"{_count(clock.left)} left"


def _count(span: timedelta) -> str:
    """`9:58`, `1:00:00`, `3 days 2:00:00`; begun seconds do not count."""
    days, seconds = span.days, span.seconds
    hours, minutes = seconds // 3600, seconds // 60 % 60
    clock = f"{hours}:{minutes:02}:{seconds % 60:02}" if days or hours else f"{minutes}:{seconds % 60:02}"
    return f"{days} day{'s' if days > 1 else ''} {clock}" if days else clock
