"""Fixes a hint about a golden, as its lint proposes."""

from __future__ import annotations

from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.problems import LINT_TITLES, Problem
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.work.golden.bulk_requests import FixHint
from trace_inspector.work.reading.linting import LINT


def apply_fix(goldens: Goldens, problem: Problem) -> None:
    """Apply the fix as one undo step; a sentence in the status bar where there is no automatic fix."""
    what = FixHint(problem.code.removeprefix(LINT), problem.pointer, problem.sentence)
    words = tr("Fix: {0}").format(LINT_TITLES.get(problem.code, ""))
    goldens.make(problem.selection.file, words, lambda _places: what)
