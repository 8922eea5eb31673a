"""What a golden expects of a turn or a case, one expectation under the other as its file states it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text, spoken_text
from trace_inspector.core.trace.summary import compact, label_of, one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.translatable import N_
from trace_inspector.core.values.values import Absent
from trace_inspector.models.base.translation import tr
from trace_inspector.models.search.properties import Chapter, chapters_of
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import CutText, Group, Growing, facts
from trace_inspector.views.blocks.json_view import JsonView
from trace_inspector.views.details.place import Place
from trace_inspector.views.widgets.controls import Label

EXPECTATIONS_SHOWN = 40
PARTS_SHOWN = 20

_TITLES = {
    Expects.CALL: N_("Expected call"),
    Expects.RESULT: N_("Expected result"),
    Expects.ANSWER: N_("Expected answer"),
    Expects.TRANSFER: N_("Expected transfer"),
    Expects.VARIABLES: N_("Expected variables"),
    Expects.NO_CALLS: N_("Expected: no calls"),
    Expects.CRITERION: N_("Criterion for a judge"),
    Expects.MOCK: N_("Mock, not checked"),
}
# What head and words of an expectation say already.
_SHOWN_BY_HEAD = frozenset({"kind", "skipped", "text", "parts", "criteria"})


def expectations(theme: Theme, place: Place) -> QWidget | None:
    """All of a golden's turn or case; a growing page of them."""
    thing = place.thing
    listed = thing.expectations if isinstance(thing, Turn | Case) else ()
    return Growing(lambda box: _steps(theme, listed, box)) if listed else None


def _steps(theme: Theme, listed: Sequence[Expectation], box: QVBoxLayout) -> Iterator[None]:
    for expectation in listed[:EXPECTATIONS_SHOWN]:
        box.addWidget(_group(theme, expectation))
        yield
    if len(listed) > EXPECTATIONS_SHOWN:
        words = tr("{0} of {1} expectations shown; Raw shows the others.").format(EXPECTATIONS_SHOWN, len(listed))
        box.addWidget(Label(theme, words, font="secondary", ink="text2", wrap=True))


def _group(theme: Theme, expectation: Expectation) -> Group:
    texts = [words for words in (expectation.text, spoken_text(expectation.parts)) if words]
    skipped = [Label(theme, tr("Skipped"), font="secondary", ink="warn")] if expectation.skipped else []
    group = Group(theme, tr(_TITLES[expectation.kind]), "" if texts else _line(expectation), skipped)
    for words in texts:
        group.body.addWidget(CutText(theme, words))
    for chapter in _chapters(expectation):
        if chapter.title:
            group.body.addWidget(Label(theme, chapter.title, font="caption", ink="text2"))
        if chapter.facts:
            group.body.addWidget(facts(theme, chapter.facts))
        for name, value in chapter.values:
            group.body.addWidget(Label(theme, name, font="caption", ink="text2"))
            group.body.addWidget(JsonView(theme, value, name))
    return group


def _line(expectation: Expectation) -> str:
    """What is expected, in short."""
    if expectation.parts:
        return ", ".join(label_of(part) for part in expectation.parts[:2])
    return "" if isinstance(expectation.value, Absent) else one_line(compact(expectation.value))


def _chapters(expectation: Expectation) -> Iterator[Chapter]:
    """Every field that the head does not show: its own, those of what is expected, its own criteria."""
    yield from chapters_of(expectation, "", _SHOWN_BY_HEAD)
    for part in expectation.parts[:PARTS_SHOWN]:
        if not isinstance(part, Text):
            yield from chapters_of(part, "")
    for criterion in expectation.criteria:
        yield from chapters_of(criterion, tr("Criterion of its own"))
