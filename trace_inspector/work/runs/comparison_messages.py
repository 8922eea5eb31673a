"""Messages of a child about two compared runs, ready for the window to show."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.run_comparison.change_group import Group

if TYPE_CHECKING:
    from array import array

    from trace_inspector.engine.run_comparison.compared_modes import ComparedModes
    from trace_inspector.engine.run_comparison.judged_rates import ComparedJudge

Orders: TypeAlias = "tuple[array[int], array[int]]"  # indexes of cases in ascending and in descending order


class RunSide(Struct, frozen=True):
    """A run by id, or a file or folder of results by path; its name, and a note on it."""

    name: str
    title: str
    caption: str = ""


class Tally(Struct, frozen=True):
    """The results of one run over all of its cases."""

    verdicts: int
    decided: int
    passed: int


class CriterionChange(Struct, frozen=True):
    """One criterion over the cases that both runs scored; `low` and `high` bound its change with 95 %.

    `is_score`: it goes from 0 to 1, and not as a count or a time does. Where there are no bounds `chance` is what an
    exact test says, None where nothing changed.
    """

    metric: str
    cases: int
    base: float
    new: float
    low: float | None = None
    high: float | None = None
    is_score: bool = True
    chance: float | None = None


class RankChange(Struct, frozen=True):
    """Percentiles of a figure in both runs, with how many of the turns or calls (the `unit`) have it."""

    name: str
    base: tuple[tuple[int, float], ...]
    new: tuple[tuple[int, float], ...]
    base_told: tuple[int, int]
    new_told: tuple[int, int]
    unit: str = "turn"


class Wavering(Struct, frozen=True):
    """Disagreement within one run: of votes on the same answer, and of verdicts on the same case."""

    votes: int = 0  # on answers that were judged more than once
    flipped: int = 0  # of these, not with the majority
    cases: int = 0  # decided more than once
    changed: int = 0  # of these, passed and failed


class PairHead(Struct, frozen=True):
    """All but the cases. `columns` are the criteria whose scores stand beside each case.

    `orders` are those in which the cases may stand, one for each column of the list (`orders_of`). `shares` are those
    that passed before and after of the cases that both runs decided.
    """

    counts: tuple[tuple[Group, int], ...]
    passing: int  # of those that are unchanged
    base: Tally
    new: Tally
    chance: float | None
    criteria: tuple[CriterionChange, ...]
    ranks: tuple[RankChange, ...]
    notes: tuple[str, ...]
    repeats: tuple[str, ...]
    columns: tuple[str, ...]
    orders: tuple[Orders, ...]
    shares: tuple[float, float] | None = None
    wavering: tuple[Wavering, Wavering] = (Wavering(), Wavering())
    judges: tuple[ComparedJudge, ...] = ()
    modes: ComparedModes | None = None


class CaseSide(Struct, frozen=True):
    """A case in one run: its status (None where it is missing), its repeats as text, and its place."""

    status: Status | None = None
    share: str = ""
    path: str = ""
    place: str = ""
    id: str = ""
    golden_path: str = ""
    golden_place: str = ""
    case_id: str = ""


class CaseLine(Struct, frozen=True):
    """A case in both runs."""

    name: str
    group: Group
    base: CaseSide
    new: CaseSide
    words: str
    scores: tuple[tuple[float | None, float | None], ...]
    seconds: tuple[float | None, float | None]


class CaseLines(Struct, frozen=True):
    """Some cases by group, within a group in the order of the first run."""

    lines: tuple[CaseLine, ...]
