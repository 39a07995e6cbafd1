"""The store as a few dictionaries: what SqlStore is held against."""

from tests.db.model.challenges import Challenges
from tests.db.model.clocks import Clocks
from tests.db.model.history import History
from tests.db.model.matches import Matches


class Model(Challenges, Clocks, Matches, History):
    """Says what SqlStore should say, method by method."""
