"""What a CES evaluation has no place for, counted while one is written."""

from __future__ import annotations

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, error

# Each with the reason why it has no place there.
_WHY = {
    "thoughts": "CES keeps no thoughts",
    "media": "CES wants the bytes themselves, which are not read here",
    "parts": "CES has nothing of their kind",
    "results": "CES has a transfer in place of the call that they answer",
    "matchers": "CES compares arguments only exactly, by meaning, with a text or a pattern, or not at all",
    "rubrics": "only a scenario of CES has rubrics, and only their words",
    "criteria": "CES has no threshold or switch of theirs there",
    "expectations": "a case of CES as a whole is only judged by criteria that it names",
    "prompts": "CES names its criteria here, which are resources of their own",
    "event details": "CES keeps no times, tokens, models or errors of the steps that it expects",
    "turn details": "CES keeps no ids, times or durations of the turns that it expects",
    "agents": "their instructions and tools are part of an app, not of an evaluation",
    "earlier messages": "a golden of CES begins with its first turn",
    "sessions": "CES names no app, user or session in an evaluation",
    "personas": "CES takes a persona when an evaluation is run, not in it",
    "notes": "CES keeps no notes beside single values",
    "other fields": "CES has no such fields, and rejects what it does not know",
    "spans": "CES keeps no spans of what it expects",
    "verdicts": "an evaluation says what is expected, not how it came out",
    "recordings": "an evaluation says what is expected, and their cases are written already",
    "suites": "an evaluation has no suite around it",
    "turns beyond the hundredth": "CES takes no more; they are written all the same, and CES will reject them",
}


class Losses(Struct):
    """Counts things of each kind, and knows where the first of them stood."""

    counts: dict[str, int] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    def lose(self, what: str, place: str = "", count: int = 1) -> None:
        """Name some things that are gone for good."""
        if count > 0:
            self.counts[what] = self.counts.get(what, 0) + count
            self.places.setdefault(what, place)

    def findings(self) -> tuple[Finding, ...]:
        """One for each kind."""
        return tuple(
            error(f"{what.replace(' ', '-')}-lost", f"Not carried over ({what}: {count}): {why}.", self.places[what])
            for what, why in _WHY.items()
            if (count := self.counts.get(what))
        )
