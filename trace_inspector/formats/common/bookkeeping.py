"""Records that say something of a program or of a session as a whole, and nothing of what was said or done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from trace_inspector.core.finding import Finding, info
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json

_MOST_SHOWN = 100  # of one kind beside a conversation; all of them are in the file


class Bookkeeping:
    """Keeps such records of one conversation by kind, to be shown beside it."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.places: dict[str, str] = {}
        self._values: dict[str, list[Json]] = {}

    def keep(self, kind: str, value: Json, place: str) -> None:
        """One more record of a kind."""
        self.counts[kind] += 1
        self.places.setdefault(kind, place)
        values = self._values.setdefault(kind, [])
        if len(values) < _MOST_SHOWN:
            values.append(value)

    def extras(self) -> Iterator[Extra]:
        """The records of each kind: one by itself, several as a list."""
        for kind, values in self._values.items():
            yield Extra(kind, values if len(values) > 1 else values[0], self.places[kind])


def bookkeeping_finding(books: Iterable[Bookkeeping]) -> Iterator[Finding]:
    """How many records of which kind were kept beside the conversations of a file, if any."""
    counts: Counter[str] = Counter()
    places: list[str] = []
    for book in books:
        counts.update(book.counts)
        places += book.places.values()
    if counts:
        named = ", ".join(f"“{kind}” {count:,}" for kind, count in counts.most_common())
        yield info("bookkeeping", f"Records of bookkeeping stand beside the conversation: {named}.", places[0])
