"""What can be set for a metric, as plain values for a form, and what is wrong with what was set."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from trace_inspector.core.values.values import Json

FLAG, WORD, NUMBER, WHOLE, TEXT, OTHER = "flag", "word", "number", "whole", "text", "other"


class OptionForm(Struct, frozen=True):
    """One option. `path` leads to it inside the criterion; `words` are those it may be."""

    path: tuple[str, ...]
    title: str
    kind: str
    default: Json = None
    words: tuple[str, ...] = ()
    least: float | None = None


class MetricForm(Struct, frozen=True):
    """One metric."""

    name: str
    title: str
    family: str
    meaning: str
    needs: tuple[str, ...] = ()
    range: tuple[float, float] | None = None
    default_threshold: float | None = None
    informational: bool = False
    options: tuple[OptionForm, ...] = ()
    has_rubrics: bool = False
    has_parts: bool = False  # its criteria are distinguished by what follows a colon

    def is_of(self, criterion: str) -> bool:
        """Whether a criterion of that name means this metric."""
        return criterion == self.name or (self.has_parts and criterion.startswith(f"{self.name}:"))


def form_of(forms: Iterable[MetricForm], criterion: str) -> MetricForm | None:
    """The form of the metric that a criterion of that name means."""
    return next((form for form in forms if form.is_of(criterion)), None)


class Wrong(Struct, frozen=True):
    """What is wrong with one criterion; `field` is the option it is about, "" for the whole."""

    metric: str
    field: str
    sentence: str
