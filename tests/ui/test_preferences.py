"""The pages of a member's preferences, when they are longest."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

from bot.ui.interactions.reply import Context
from bot.ui.members.preferences import MOST_SHOWN, PAGES, preferences
from db.values.members import Digest, Member, Notice
from tests.sandbox.drafts import read_message
from tests.ui.test_messages import NOW


async def test_the_longest_preferences_fit_into_a_message() -> None:
    member = Member(1, notice=Notice.DIGEST, absent_until=NOW + timedelta(days=3))

    async def chosen(_: int) -> Member:
        return member

    async def blocked(_: int) -> list[int]:
        return [*range(2, 2 * MOST_SHOWN)]

    async def digest(_: int) -> Digest:
        return Digest(1, NOW, zone="America/Argentina/ComodRivadavia")

    services = SimpleNamespace(
        digests=SimpleNamespace(of=digest),
        preferences=SimpleNamespace(member=chosen),
        store=SimpleNamespace(members=SimpleNamespace(blocked=blocked)),
        clock=SimpleNamespace(now=lambda: NOW),
    )
    context = cast(Context, SimpleNamespace(services=services))
    for page in PAGES:
        view: Any = await preferences(context, member.user, page)
        read_message({"components": view.to_components(), "flags": 1 << 15}, ("slate.png", "paper.png"))
