"""Lessons in the database."""

from sqlalchemy import or_, select

from db.models import LessonRow
from db.stores.base import StorePart, inserting
from db.stores.known import add_members
from db.values.places import DiscordId
from db.values.puzzles import Progress


class LessonStore(StorePart):
    """The progress of members in lessons."""

    async def progress(self, user: DiscordId, game: str) -> Progress:
        """Return how far a member has come in the lesson of a game: at its beginning if nothing is stored."""
        async with self._sessions.read() as session:
            row = await session.get(LessonRow, (user, game))
        return Progress(user, game) if row is None else row.value()

    async def all_progress(self, user: DiscordId) -> list[Progress]:
        """Return how far a member has come in every lesson that they have begun, by the keys of the games."""
        query = select(LessonRow).where(LessonRow.user_id == user).order_by(LessonRow.game)
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]

    async def keep(self, progress: Progress) -> None:
        """Store how far a member has come in a lesson. A lesson that was done stays done."""
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
