"""The links to the operator's pages: privacy policy, terms and support."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of the operator's pages, as far as the operator has named them."""

    privacy: str | None = None
    terms: str | None = None
    support: str | None = None

    @property
    def line(self) -> tuple[str, ...]:
        """Return the line of links below an answer, or nothing if there are none."""
        named = ("Privacy policy", self.privacy), ("Terms", self.terms), ("Support", self.support)
        links = [f"[{name}]({address})" for name, address in named if address is not None]
        return (f"-# {' · '.join(links)}",) if links else ()

    @property
    def contact(self) -> str:
        """Return the sentence by which a member learns how to reach the operator."""
        if self.support is not None:
            return f"You reach them by the [support page]({self.support})."
        return "The person who added me, to a server or for themselves, knows how to reach them."
