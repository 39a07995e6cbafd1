"""What the store takes and gives: plain values, free of any database library. Times are aware and in UTC."""

from db.values.challenges import Answer, Answered, Challenge, NewChallenge
from db.values.matches import MovedOn, Outcome, Panel, Standing, StoredMatch
from db.values.places import DiscordId, Place

__all__ = [
    "Answer",
    "Answered",
    "Challenge",
    "DiscordId",
    "MovedOn",
    "NewChallenge",
    "Outcome",
    "Panel",
    "Place",
    "Standing",
    "StoredMatch",
]
