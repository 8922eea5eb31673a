"""What several people say of one output: who gave which answer, with which note and tags, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from trace_inspector.core.review.label import Answer
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.figures import when_text
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import Group, facts

if TYPE_CHECKING:
    from trace_inspector.flows.review.open_calibration import Said

_MOST_PEOPLE = 20  # of a question
_NAME_CHARS, _NOTE_CHARS = 80, 1_000
_ANSWERS = {Answer.PASS: N_("pass"), Answer.FAIL: N_("fail"), Answer.UNSURE: N_("unsure")}


def answers_of_people(theme: Theme, said: Sequence[Said]) -> Iterator[QWidget]:
    """A group for each question that more than one person answered."""
    for question, own in groupby(said, key=lambda each: each.question):
        answers = [*own]
        if len({each.rater for each in answers}) < 2:
            continue
        agree = len({each.value for each in answers}) == 1
        title = tr("People agree") if agree else tr("People are divided")
        name = tr("the turn as a whole") if question == "overall" else one_line(question, _NAME_CHARS)
        group = Group(theme, title, name)
        group.body.addWidget(facts(theme, [_row(each) for each in answers[:_MOST_PEOPLE]]))
        yield group


def _row(each: Said) -> tuple[str, str]:
    value = tr(_ANSWERS[each.value]) if isinstance(each.value, Answer) else f"{each.value:g}"
    tags = tr("tags: {0}").format(", ".join(each.tags)) if each.tags else ""
    words = (value, one_line(each.note, _NOTE_CHARS), tags, _when(each.at))
    return one_line(each.rater, _NAME_CHARS) or tr("somebody"), " · ".join(filter(None, words))


def _when(at: str) -> str:
    return when_text(datetime.fromisoformat(at).timestamp()) if at else ""
