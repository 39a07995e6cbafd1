"""Rules about the posts of boards and challenges."""

from dataclasses import replace
from datetime import datetime

from hypothesis import strategies as st
from hypothesis.stateful import rule

from db.values.posts import Companion, PostKind
from tests.db.machine.base import Base, challenges, channels, matches, messages, times

companions = st.lists(
    st.builds(Companion, channels, messages, st.none() | st.integers(0, 1), st.integers(0, 9)), max_size=2
)


class Posts(Base):
    """Rules about the posts of boards and challenges."""

    @rule(
        match=matches, at=times, behind=st.integers(0, 2), channel=channels, message=st.none() | messages,
        pinned=st.booleans(), beside=companions,
    )  # fmt: skip
    def show_board(
        self, match: int, at: datetime, behind: int, channel: int, message: int | None, pinned: bool,
        beside: list[Companion],
    ) -> None:  # fmt: skip
        """Show a board, sometimes in a version that is no longer the newest."""
        post = self.run(self.store.posts.get(PostKind.BOARD, match))
        self.run(self.store.posts.note_attempt(post.id, at))
        shown = replace(
            post,
            shown=max(1, post.version - behind),
            channel=channel,
            message=message,
            progress=len(self.model.matches[match].log),
            pinned=pinned,
            companions=tuple(beside),
        )
        self.both(self.store.posts.keep(shown), lambda: self.model.keep_post(shown))

    @rule(challenge=challenges, message=messages)
    def show_card(self, challenge: int, message: int) -> None:
        post = self.run(self.store.posts.get(PostKind.CARD, challenge))
        shown = replace(post, shown=post.version, message=message)
        self.both(self.store.posts.keep(shown), lambda: self.model.keep_post(shown))

    @rule(at=times, channel=st.none() | channels)
    def look_at_posts(self, at: datetime, channel: int | None) -> None:
        found = self.run(self.store.posts.pending(at, 1000))
        assert found == sorted(found, key=lambda it: (it.due_at, it.id))
        assert {replace(it, id=0) for it in found} == set(self.model.pending_posts(at))
        if channel is not None:
            direct = self.run(self.store.posts.pending_in(channel))
            assert [(it.pending, it.guild, it.channel) for it in direct] == [(True, None, channel)] * len(
                direct
            )
            assert len(direct) == sum(
                it.pending and it.guild is None and it.channel == channel for it in self.model.posts.values()
            )
