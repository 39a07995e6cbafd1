"""Lessons in the database."""

from sqlalchemy import or_, select

from db.api.lessons import Progress
from db.api.places import DiscordId
from db.models import LessonRow
from db.stores.base import StorePart, inserting
from db.stores.known import add_members


class LessonPart(StorePart):
    """The queries of db.api.lessons."""

    async def progress(self, user: DiscordId, game: str) -> Progress:
        async with self._sessions.read() as session:
            row = await session.get(LessonRow, (user, game))
        return Progress(user, game) if row is None else row.value()

    async def all_progress(self, user: DiscordId) -> list[Progress]:
        query = select(LessonRow).where(LessonRow.user_id == user).order_by(LessonRow.game)
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]

    async def keep_progress(self, progress: Progress) -> None:
        async with self._sessions.write() as session:
            await add_members(session, [progress.user])
            made = inserting(session, LessonRow).values(
                user_id=progress.user,
                game=progress.game,
                step=progress.step,
                moves=progress.moves,
                done=progress.done,
            )
            given = made.excluded
            changes = {
                "step": given.step,
                "moves": given.moves,
                "done": or_(LessonRow.done, given.done),
            }
            await session.execute(
                made.on_conflict_do_update(index_elements=["user_id", "game"], set_=changes)
            )
