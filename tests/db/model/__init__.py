"""A model of the store, made of a few dictionaries, to compare the store with."""

from tests.db.model.challenges import Challenges
from tests.db.model.clocks import Clocks
from tests.db.model.history import History
from tests.db.model.matches import Matches


class Model(Challenges, Clocks, Matches, History):
    """The queries of the store that others affect, as methods of one object."""
