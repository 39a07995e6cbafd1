"""The messages that show matches, in the database."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from db.api.matches.matches import Panel
from db.api.matches.passing_messages import PassingMessage
from db.api.places import DiscordId
from db.models import MatchRow
from db.stores.matches.passing_messages import store_messages
from db.stores.matches.pins import store_pin

_SHOWN_BEFORE = (
    select(MatchRow.panel_channel, MatchRow.panel_message, MatchRow.panel_plies)
    .where(MatchRow.id == bindparam("match"))
    .with_for_update()
)
_SHOW = (
    update(MatchRow)
    .where(MatchRow.id == bindparam("match"))
    .values(
        panel_channel=bindparam("by_channel"),
        panel_message=bindparam("by_message"),
        panel_plies=bindparam("by_plies"),
    )
)
_SHOW_INSTEAD = _SHOW.where(MatchRow.panel_message == bindparam("instead"))
"""Changes no row if another message shows the match."""


def show_panel(
    connection: Connection,
    match: int,
    panel: Panel,
    calls: Sequence[PassingMessage],
    pin: bool,
    shrunk: DiscordId | None,
) -> None:
    """Do what `show` of db.api.matches.matches describes."""
    shown = {
        "match": match,
        "by_channel": panel.channel,
        "by_message": panel.message,
        "by_plies": panel.plies,
    }
    if shrunk is None or not connection.execute(_SHOW_INSTEAD, shown | {"instead": shrunk}).rowcount:
        before = connection.execute(_SHOWN_BEFORE, {"match": match}).one_or_none()
        if before is None:
            raise LookupError(f"there is no match {match}")
        calls = [*_replaced(match, tuple(before), panel), *calls]
        connection.execute(_SHOW, shown)
    store_messages(connection, calls)
    if pin:
        store_pin(connection, match, panel)


def _replaced(match: int, before: Sequence[Any], by: Panel) -> list[PassingMessage]:
    """Return the board of a match, which a newer message replaces; nothing if the message stays the same."""
    channel, message, plies = before
    if message is None or message == by.message:
        return []
    return [PassingMessage(match, channel, message, plies, by.plies)]
