"""Criteria: which metrics judge a run, with threshold and options as the file or the person gave them."""

from __future__ import annotations

from msgspec import Struct, field

from trace_inspector.core.values.values import JsonObject


class Criterion(Struct, frozen=True):
    """A metric with its threshold and options. `options` hold every other key, as written."""

    metric: str
    threshold: float | None = None
    options: JsonObject = field(default_factory=dict)
    place: str = ""
    told_only: bool = False  # shown beside another criterion that decides in its stead


class Criteria(Struct, frozen=True):
    """The criteria of a run in their order, and where they came from in words."""

    items: tuple[Criterion, ...] = ()
    source: str = ""
    asked_for: bool = False  # by the person (--criteria, --only) or a file beside the golden, not by default
