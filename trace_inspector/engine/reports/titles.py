"""Column titles of criteria: short, and different where the short ones would be the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.metrics import metric_named

_TITLE_CHARS = 40


def titles_of(cases: Iterable[CaseVerdict]) -> dict[str, str]:
    """The title of each criterion of a run, in their order; its name where two would have the same, as with ADK's."""
    return titles_apart(dict.fromkeys(verdict.metric for case in cases for verdict in case.metrics))


def titles_apart(names: Iterable[str]) -> dict[str, str]:
    """The title of each criterion; its name where two would have the same, as with ADK's."""
    titles = {
        name: metric.title if (metric := metric_named(name)) else one_line(name, _TITLE_CHARS) for name in names
    }
    counts = Counter(titles.values())
    return {name: one_line(name, _TITLE_CHARS) if counts[title] > 1 else title for name, title in titles.items()}
