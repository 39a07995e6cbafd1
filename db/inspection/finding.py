"""Something in a database that is not as it must be."""

from dataclasses import dataclass

RERATE = "stop the bot and run python -m bot rerate"
PROVE = "run python -m bot prove"
RESTORE = "restore a backup from before the damage"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong: what it is about (with its id), what is wrong with it, and what to do."""

    about: str
    wrong: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.about}: {self.wrong}; {self.remedy}."
