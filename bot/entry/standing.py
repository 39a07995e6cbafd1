"""`/leaderboard`: who won most."""

from collections.abc import Sequence

from db.values import Standing


def leaderboard(title: str, standings: Sequence[Standing]) -> str:
    """The table of a server as a message; members with the same record share a place."""
    if not standings:
        return f"**{title}**\nNobody has finished a game here yet. Start one with `/challenge`."
    lines = [
        f"{place}. <@{row.user}> · {row.won} won · {row.drawn} drawn · {row.lost} lost"
        for place, row in zip(_places(standings), standings, strict=True)
    ]
    return "\n".join([f"**{title}**", *lines])


def _places(standings: Sequence[Standing]) -> list[int]:
    records = [(row.won, row.drawn, row.lost) for row in standings]
    return [records.index(record) + 1 for record in records]
