"""Matchers that passing runs or coding agents suggest, decided one by one; each that is taken is one step of undo."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from trace_inspector.core.golden.bulk_calls import rule_text
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Calls, GoldenChange
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.values.pointer import split
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.goldens.matcher_proposals import LEAST_RUNS, Proposal
from trace_inspector.engine.lints.turns import expected
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.multi_selection import Picked, recorded
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.work.golden.bulk_requests import DecideProposal, ProposeMatchers
from trace_inspector.work.golden.requests import Ask
from trace_inspector.work.processes.request_child import Answer

MOST_RUNS = 50  # runs that are compared


class Decision(enum.Enum):
    """A person's decision on a proposal."""

    OPEN = ""
    TAKEN = "taken"
    SKIPPED = "skipped"


class MatcherProposals(QObject):
    """`changed` when there are proposals, or one was decided."""

    changed = Signal()

    def __init__(self, golden: GoldenContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._golden = golden
        self._runs = list(passing(golden))[:MOST_RUNS]
        self.proposals: tuple[Proposal, ...] = ()
        self.decided: list[Decision] = []
        self.waiting = False
        self.sentence = ""
        self._is_abandoned = False

    def ask(self) -> None:
        """Ask for proposals."""
        golden = self._golden
        self.waiting = True
        self._golden.goldens.begin(golden.file.number)
        runs = tuple(recorded(picked, (), Status.PASSED) for picked in self._runs)
        asked = Ask(golden.file.number, ProposeMatchers(golden.place, runs))
        self._golden.goldens.ask(golden.file.number, asked, self._take)

    def leave(self) -> None:
        """Ignore proposals that are still being made."""
        self._is_abandoned = True

    def decide(self, index: int, decision: Decision) -> None:
        """Accept or skip a proposal; decisions are final."""
        if self.decided[index] is Decision.OPEN:
            self.decided[index] = decision
            proposal = self.proposals[index]
            if decision is Decision.TAKEN:
                self._make(proposal)
            if proposal.number:
                noted = Ask(self._golden.file.number, DecideProposal(proposal.number, decision.value))
                self._golden.goldens.ask(self._golden.file.number, noted, self._noted)
            self.changed.emit()

    def _noted(self, answer: Answer) -> None:
        """A decision that could not be kept is told; the proposal would come again."""
        if answer.sentence and not self._is_abandoned:
            self.sentence = answer.sentence
            self.changed.emit()

    def because(self, proposal: Proposal) -> str:
        """What varied, and who says so."""
        return tr("a coding agent: {0}").format(proposal.because) if proposal.number else proposal.because

    def name(self, proposal: Proposal) -> str:
        """The argument as shown."""
        case = self._golden.case
        called = next(
            (call.name for turn in case.turns for call in calls_of(turn) if call.place == proposal.call), ""
        )
        return f"{called} · {'/'.join(split(proposal.matcher.place))}"

    def rule(self, proposal: Proposal) -> str:
        """The rule in a few words."""
        return rule_text(proposal.matcher)

    def _make(self, proposal: Proposal) -> None:
        words = tr("Compare {0}: {1}").format(self.name(proposal), rule_text(proposal.matcher))
        self._golden.goldens.change(
            self._golden.file.number, self._golden.place, words, lambda case: list(_with_rule(case, proposal))
        )

    def _take(self, answer: Answer) -> None:
        if self._is_abandoned:
            return
        self.waiting = False
        proposals = answer.value if isinstance(answer.value, tuple) else ()
        turn = self._golden.turn_place
        self.proposals = tuple(proposal for proposal in proposals if not turn or proposal.turn == turn)
        self.decided = [Decision.OPEN] * len(self.proposals)
        if answer.sentence or not self.proposals:
            words = tr("{0} conversations passed, and none of their arguments needs another rule.")
            if len(self._runs) < LEAST_RUNS:
                words = tr(
                    "At least {0} conversations that passed this golden are needed. Open them, and evaluate (F5)."
                )
            self.sentence = answer.sentence or words.format(max(len(self._runs), LEAST_RUNS))
        self.changed.emit()


def passing(golden: GoldenContext) -> Iterator[Picked]:
    """The conversations that passed a golden in the run that is shown."""
    run = golden.shown.value
    if run is None:
        return
    files = {str(file.path): file for file in golden.files}
    for number, _by_engine in run.of_golden(run.path_of(golden.file), golden.place):
        verdict = run.cases[number]
        file = files.get(verdict.trace_path)
        if verdict.status is Status.PASSED and file is not None:
            top = run.on(file).row_at(verdict.trace_place, verdict.trace_id or "")
            if top != TOP:
                yield Picked(file, file.table, top)


def _with_rule(case: Case, proposal: Proposal) -> Iterator[GoldenChange]:
    turn = next((turn for turn in case.turns if turn.place == proposal.turn), None)
    if turn is None:
        return
    yield Calls(
        turn.place,
        tuple(
            replace(call, matchers=(*call.matchers, proposal.matcher)) if call.call.place == proposal.call else call
            for call in expected(case, turn)
        ),
    )
