"""How many records of a log became something of the view, and which kinds did not."""

from __future__ import annotations

from collections import Counter

from trace_inspector.core.finding import Finding, info

_KINDS_NAMED = 12
_MOST_KINDS = 200  # a hostile file may give each record a kind of its own
_LONGEST_KIND = 40


class RecordCounts:
    """Counts the records of a file: those that are understood, and the others by kind."""

    def __init__(self) -> None:
        self._understood = 0
        self._unknown: Counter[str] = Counter()
        self._first_place = ""

    def understood(self, count: int = 1) -> None:
        """Records that became a turn, an event, a call, a result, tokens, a score or a finding."""
        self._understood += count

    def unknown(self, kind: str, place: str) -> None:
        """A record that is only shown as it stands."""
        if not self._unknown:
            self._first_place = place
        name = kind[:_LONGEST_KIND] or "no kind"
        self._unknown[name if name in self._unknown or len(self._unknown) < _MOST_KINDS else "others"] += 1

    def finding(self) -> Finding:
        """“120 of 124 records are understood”, with the kinds of the others."""
        unknown = self._unknown.total()
        whole = self._understood + unknown
        if not unknown:
            return info("records-understood", f"{whole:,} of {whole:,} records are understood.")
        named = ", ".join(f"“{kind}” {count:,}" for kind, count in self._unknown.most_common(_KINDS_NAMED))
        more = len(self._unknown) - _KINDS_NAMED
        rest = f" and {more} more kinds" if more > 0 else ""
        count = f"{self._understood:,} of {whole:,} records are understood"
        message = f"{count}. The others are shown as they stand: {named}{rest}."
        return info("records-understood", message, self._first_place)
