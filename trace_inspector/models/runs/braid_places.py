"""The branches of a braid with their figures and words, as they are painted and read aloud."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.models.base.translation import tr
from trace_inspector.work.runs.explaining import BraidShown


class BranchPlace(Struct, frozen=True):
    """One branch: where it is, its title, and how many runs went there and passed. `mask` has the runs as bits."""

    column: int
    number: int
    title: str
    runs: int
    passed: int
    of: int
    mask: int
    is_turn: bool = False

    @property
    def counts(self) -> str:
        """“12 runs, 3 pass”."""
        return tr("{0} of {1} runs pass").format(f"{self.passed:,}", f"{self.runs:,}")

    @property
    def words(self) -> str:
        """All of it in one sentence."""
        return tr("{0}: {1} of {2} runs go there, {3} of these pass").format(
            self.title, f"{self.runs:,}", f"{self.of:,}", f"{self.passed:,}"
        )


class BraidPlaces:
    """The columns of a braid; none where nothing was found."""

    def __init__(self, shown: BraidShown | None) -> None:
        from trace_inspector.engine.braid.words import step_words

        self._columns: list[tuple[BranchPlace, ...]] = []
        self._skipped: list[int] = []
        attempts = shown.explanation.attempts if shown is not None else ()
        self.runs = len(attempts)
        passing = sum(1 << index for index, attempt in enumerate(attempts) if not attempt.failed)
        for index, column in enumerate(shown.explanation.braid.columns if shown is not None else ()):
            self._columns.append(
                tuple(
                    BranchPlace(
                        index,
                        number,
                        step_words(branch.label),
                        branch.runs.bit_count(),
                        (branch.runs & passing).bit_count(),
                        self.runs,
                        branch.runs,
                        bool(column.turn),
                    )
                    for number, branch in enumerate(column.branches)
                )
            )
            self._skipped.append(self.runs - column.runs.bit_count())

    def __len__(self) -> int:
        return len(self._columns)

    def branches(self, column: int) -> Sequence[BranchPlace]:
        """The branches of a column, the most frequent first."""
        return self._columns[column] if 0 <= column < len(self._columns) else ()

    def branch(self, column: int, number: int) -> BranchPlace | None:
        """One branch; None where there is none."""
        branches = self.branches(column)
        return branches[number] if 0 <= number < len(branches) else None

    def skipped(self, column: int) -> int:
        """How many runs make no step of a column."""
        return self._skipped[column]
