"""Announcements by the owner of the bot, as members read it in answers and under boards."""

from discord.utils import format_dt

from db.api.administration import Announcement


def announcement_lines(announced: Announcement | None) -> list[str]:
    """Return the line of an announcement; none without one."""
    if announced is None:
        return []
    return [f"-# **Announcement** until {format_dt(announced.until)}: {announced.text}"]
