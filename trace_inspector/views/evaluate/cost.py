"""What an evaluation would ask of its judge: questions, tokens, kept replies; in words, before anything is sent."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from trace_inspector.flows.judges.selection import JudgeChoice
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.proposal import Proposal
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Label
from trace_inspector.work.runs.proposing import CostLine, Proposed

MOST_LINES = 4


class CostBand(QFrame):
    """A sentence, and a line for each criterion that asks."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("well")
        self.sentence = Label(theme, font="strong", wrap=True)
        self.lines = Label(theme, font="secondary", ink="text2", wrap=True)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 8, 12, 8)
        box.setSpacing(2)
        box.addWidget(self.sentence)
        box.addWidget(self.lines)

    def show_proposal(self, proposal: Proposal, judge: JudgeChoice, *, offline: bool) -> None:
        """The present state of the proposal."""
        result = proposal.result
        if result is None:
            head, lines = proposal.sentence or tr("Counting the questions to the judge…"), []
        elif result.problem:
            head, lines = result.problem, [tr("Choose another judge, or set this one up in Preferences (Ctrl+,).")]
        else:
            head, lines = _head(result, judge, offline=offline), [*_lines(result), *result.notes[:MOST_LINES]]
        self.sentence.setText(head)
        self.lines.setText("\n".join(lines))
        self.lines.setVisible(bool(lines))


def _head(result: Proposed, judge: JudgeChoice, *, offline: bool) -> str:
    cases = tr("1 case") if result.cases_to_judge == 1 else tr("{0} cases").format(f"{result.cases_to_judge:,}")
    if offline:
        return tr("{0}. Offline: no judge is asked (Preferences).").format(cases)
    if not result.calls:
        kept = sum(line.kept for line in result.costs)
        text = tr("{0} stored replies are used").format(f"{kept:,}") if kept else tr("no judge is asked")
        return tr("{0}; {1}, nothing is sent.").format(cases, text)
    return tr("{0}: {1} questions to {2}, about {3} tokens, plus the replies.").format(
        cases, f"{result.calls:,}", judge.who, _rounded(result.tokens)
    )


def _lines(result: Proposed) -> list[str]:
    asking = [line for line in result.costs if line.calls or line.kept]
    more = len(asking) - MOST_LINES
    texts = [_line(line) for line in asking[:MOST_LINES]]
    return [*texts, tr("and {0} more criteria").format(more)] if more > 0 else texts


def _line(line: CostLine) -> str:
    kept = tr(", {0} more are stored").format(f"{line.kept:,}") if line.kept else ""
    return tr("{0}: {1} to {2}, about {3} tokens{4}").format(
        line.metric, f"{line.calls:,}", line.model, _rounded(line.tokens), kept
    )


def _rounded(tokens: int) -> str:
    if tokens >= 1_000_000:
        return f"{tokens / 1e6:.1f} M"
    return f"{tokens / 1e3:.0f} k" if tokens >= 10_000 else f"{tokens:,}"
