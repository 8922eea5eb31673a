"""What a failure mode becomes: a filter, goldens, a rubric that a judge can be asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from trace_inspector.core.review.codebook import Mode
from trace_inspector.core.review.failure_modes import Output
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.search.filter_language import quoted
from trace_inspector.views.criteria.panel import CriteriaPanel
from trace_inspector.views.promote.dialog import show_promote
from trace_inspector.views.promote.first_wrong import check_first_wrong, promotion_of
from trace_inspector.views.window_context.desk import Desk

_AS_PATTERN = re.compile(r'[*?"\[\]]')  # what means something else in a filter
_NO_WORDS = re.compile(r"\W+")
_LONGEST_ID = 60
_CALL = "call"


def filter_by(desk: Desk, name: str) -> None:
    """Show only turns with this mode."""
    filtering = desk.workspace.filtering
    filtering.set_text(f"mode:{quoted(_AS_PATTERN.sub('?', name))}")
    filtering.remember()


def promote(desk: Desk, places: Iterable[Selection]) -> None:
    """Make goldens of turns, as Ctrl+G does of what is selected."""
    chosen = promotion_of(desk, places)
    if chosen is not None:
        show_promote(desk, chosen)


def check_calls(desk: Desk, outputs: Sequence[Output]) -> None:
    """Make goldens of turns that expect the calls before the first wrong one, so that exact criteria fail them."""
    modes = desk.workspace.failure_modes
    faults: dict[tuple[int, int], int] = {}
    for output in outputs:
        part, _, number = output.first_fault.rpartition("/")
        if part == _CALL and output.subject in modes.places:
            place = modes.places[output.subject][0]
            faults[place.file, place.row] = int(number)
    if not faults:
        desk.say(
            tr("No open example first went wrong at a call, which could be checked. Draft a rubric instead (R).")
        )
        return
    check_first_wrong(desk, faults)


def draft_rubric(desk: Desk, mode: Mode) -> None:
    """A rubric that asks whether the mode is absent, in the criteria editor, to be worded by a person."""
    dock = desk.docks["criteria"]
    criteria = dock.widget()
    if not isinstance(criteria, CriteriaPanel):
        return
    meaning = " – ".join(filter(None, (mode.name, " ".join(mode.description.split()))))
    text = tr("The response does not show this failure: {0}").format(meaning)
    refused = criteria.add_rubric(_identifier(mode.name), text)
    desk.say(refused or tr("A draft of the rubric is in the criteria. Word it so that a judge can answer yes or no."))
    dock.show()
    dock.raise_()


def _identifier(name: str) -> str:
    """As rubrics are called."""
    return _NO_WORDS.sub("_", name.casefold()).strip("_")[:_LONGEST_ID] or "failure"
