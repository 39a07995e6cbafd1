"""The clocks of a match as text on its board."""

from datetime import timedelta

import discord

import render
from bot.app.clocks.time_controls import spell_time_control
from bot.app.matches.table import Table
from db.api.clocks import SeatClock


def clock_lines(table: Table) -> list[str]:
    """Return a line with the clocks, or nothing where there are none. Discord counts down to the next deadline."""
    time_control, clocks = table.stored.time_control, table.stored.clocks
    if time_control is None or table.match.over:
        return []
    seats = [
        f"{render.seat_mark(seat)} {_clock(clock)}"
        for seat, clock in enumerate(clocks)
        if clock is not None and (clock.deadline is not None or not time_control.per_move)
    ]
    return [f"-# {' · '.join([spell_time_control(time_control), *seats])}"] if seats else []


def ran_out_together(table: Table) -> bool:
    """True if the match ended because the time of all who still played ran out at the same moment."""
    clocks = table.stored.clocks
    return table.match.agreed and bool(clocks) and all(clock is None or not clock.left for clock in clocks)


def _clock(clock: SeatClock) -> str:
    if clock.deadline is not None:
        return f"time ends {discord.utils.format_dt(clock.deadline, 'R')}"
    return f"{_count(clock.left)} left"


def _count(span: timedelta) -> str:
    """Return a span like `9:58`, `1:00:00` or `3 days 2:00:00`, rounded down to whole seconds."""
    days, seconds = span.days, span.seconds
    hours, minutes = seconds // 3600, seconds // 60 % 60
    clock = f"{hours}:{minutes:02}:{seconds % 60:02}" if days or hours else f"{minutes}:{seconds % 60:02}"
    return f"{days} day{'s' if days > 1 else ''} {clock}" if days else clock
