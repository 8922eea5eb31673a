"""What the editor of a golden shows: a case and one of its turns as they are now, with a run's verdicts on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import GoldenChange
from trace_inspector.core.golden.recoverable_edits import Spot
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Agent, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict, TurnVerdict
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.evaluation.evaluation import Evaluation
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.golden.drafts import Draft, FieldSpot
from trace_inspector.models.golden.sessions import Goldens


class GoldenContext(Struct, frozen=True, eq=False):
    """A golden at one moment; each edit makes a new one. `turn` is None when the case as a whole is selected.

    `observed` is the paired turn of the trace (without events if it is long); `calls` are its calls.
    """

    files: Files
    shown: ShownRun
    evaluation: Evaluation
    goldens: Goldens  # makes its changes
    file: OpenFile
    place: str  # of the case
    case: Case
    index: int | None = None  # of the turn among those of the case
    turn: Turn | None = None
    observed: Turn | None = None
    calls: tuple[ToolCall, ...] = ()
    agents: tuple[Agent, ...] = ()  # those that the golden or the trace describes
    case_verdict: CaseVerdict | None = None
    turn_verdict: TurnVerdict | None = None

    @property
    def turn_place(self) -> str:
        """The place of the turn, "" for none."""
        return self.turn.place if self.turn is not None else ""

    @property
    def identity(self) -> tuple[int, str, int | None]:
        """The same before and after an edit: fields that show it are kept, with focus and cursor."""
        return self.file.number, self.place, self.index

    def spot(self, place: str, field: str, label: str) -> FieldSpot:
        """The key of a field's text until it is in the golden; `place` is what the field belongs to."""
        return FieldSpot(self.goldens.drafts, self.file.number, Spot(place, field), label)

    def change(
        self, words: str, make: Callable[[Case], Sequence[GoldenChange]], key: str = "", draft: Draft | None = None
    ) -> None:
        """Change the case as one undo step named `words`; consecutive steps of one `key` are merged."""
        step = f"{self.place} {self.index} {key}" * bool(key)
        self.goldens.change(self.file.number, self.place, words, make, step, draft)

    def change_turn(
        self, words: str, make: Callable[[Case, Turn], Sequence[GoldenChange]], key: str = "",
        draft: Draft | None = None,
    ) -> None:  # fmt: skip
        """Change the turn in the same way; `make` gets the turn as it is when the request is made."""
        index = self.index

        def changes(case: Case) -> Sequence[GoldenChange]:
            return make(case, case.turns[index]) if index is not None and index < len(case.turns) else ()

        self.change(words, changes, key, draft)
