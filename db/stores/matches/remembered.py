"""The matches that this process has last read or changed."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from db.values.matches import StoredMatch
from db.values.posts import Post

REMEMBERED = 1000
"""The most matches that are remembered, those that were used last; some ten kilobytes each."""


class RememberedMatches:
    """The matches that this process has last read or changed. They may be out of date, but no entry of a log is."""

    def __init__(self) -> None:
        self._matches: OrderedDict[int, StoredMatch] = OrderedDict()

    def get(self, match: int) -> StoredMatch | None:
        return self._matches.get(match)

    def put(self, stored: StoredMatch) -> None:
        """Remember a match, unless it is remembered with more entries: that was read later."""
        known = self._matches.get(stored.id)
        if known is None or len(known.log) <= len(stored.log):
            self._matches[stored.id] = stored
        self._matches.move_to_end(stored.id)
        if len(self._matches) > REMEMBERED:
            self._matches.popitem(last=False)

    def forget(self, stale: Callable[[StoredMatch], bool]) -> None:
        """Forget those of them that may be out of date."""
        for match in [match for match, stored in self._matches.items() if stale(stored)]:
            del self._matches[match]

    def shown(self, post: Post) -> None:
        """Note what Discord shows of a match."""
        if (known := self._matches.get(post.subject)) is not None:
            self._matches[post.subject] = replace(known, post=post)
