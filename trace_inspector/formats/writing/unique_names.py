"""Names that tell apart what several files bring into one."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, info


class UniqueNames(Struct):
    """Gives each item a name that no other has; one that is renamed for it is noted."""

    notes: list[Finding]
    item: str  # in words: "case"
    before: str = ""  # what a sentence says before a name: "The id "
    _taken: Counter[str] = field(default_factory=Counter)

    def take(self, name: str, place: str) -> str:
        """The name, or the same with a number."""
        self._taken[name] += 1
        if self._taken[name] == 1:
            return name
        given = f"{name} ({self._taken[name]})"
        message = f"{self.before}“{name}” exists already; this {self.item} is written as “{given}”."
        self.notes.append(info("renamed-case", message, place))
        return given
