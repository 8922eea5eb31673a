"""At the heading of the expected calls: by which rule they are compared, and rules from passing runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice

from PySide6.QtWidgets import QHBoxLayout, QWidget

from trace_inspector.engine.goldens.matcher_proposals import LEAST_RUNS
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.call_comparison_rule import MATCH_TYPE, MEANS, CallRule, call_rule
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.matcher_proposals import MOST_RUNS, passing
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.chip import Pick
from trace_inspector.views.golden.fields.small_button import SmallButton
from trace_inspector.views.window_context.desk import Desk

_CRITERIA = "the criteria"


class CallsHeading(QWidget):
    """`request` is called with functions of the desk, because the buttons act beyond this tab."""

    def __init__(self, theme: Theme, request: Callable[[Callable[[Desk], object]], object]) -> None:
        super().__init__()
        self._request = request
        self._rule = CallRule()
        self.rule = Pick(theme, tr("Match"), self._entries, self._pick, font="body", frame="thin")
        self.propose = SmallButton(theme, "star", lambda: request(lambda desk: desk.perform("propose-matchers")))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.rule)
        row.addWidget(self.propose)
        row.addStretch(1)

    @property
    def explanation(self) -> str:
        """The explanation of the rule, shown as its tooltip."""
        return self._rule.explanation

    def show_golden(self, context: GoldenContext) -> None:
        """The rule, and how many runs could propose others for single arguments."""
        self._rule = rule = call_rule(context)
        self.rule.show_words(tr("Match: {0}").format(rule.words), rule.match)
        self.rule.button.setAccessibleName(self.rule.button.whole)
        self.rule.button.setAccessibleDescription(rule.explanation)
        self.rule.button.setToolTip(plain_tip(rule.explanation))
        runs = sum(1 for _run in islice(passing(context), MOST_RUNS))
        tip = tr("What varied among them is proposed as a rule for its argument (Ctrl+M).")
        self.propose.set_label(tr("Propose matchers from {0} passing runs…").format(runs), enabled=True, tip=tip)
        self.propose.setVisible(runs >= LEAST_RUNS)

    def _entries(self) -> list[tuple[str, str]]:
        """The rules, where they can be chosen, and the criteria editor."""
        rules = [] if self._rule.why_not else [(f"{match}: {tr(means)}", match) for match, means in MEANS.items()]
        return [*rules, (tr("Open the criteria of the suite…"), _CRITERIA)]

    def _pick(self, match: str) -> None:
        if match == _CRITERIA:
            self._request(lambda desk: desk.perform("edit-criteria"))
        elif match != self._rule.match:
            self._request(partial(_choose, self._rule, match))


def _choose(rule: CallRule, match: str, desk: Desk) -> None:
    """Set the rule in the edited criteria; the next evaluation uses it."""
    from trace_inspector.views.criteria.panel import CriteriaPanel

    panel = desk.docks["criteria"].widget()
    if isinstance(panel, CriteriaPanel):
        problem = panel.set_options(rule.criteria, rule.path, rule.metrics, MATCH_TYPE, match)
        desk.say(problem or tr("Calls are compared by {0} from the next evaluation on (F5).").format(match))
