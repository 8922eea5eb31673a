"""Criteria while they are edited: every metric with its switch, threshold and options; undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.work.processes.jobs import Job, Jobs
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.runs.criteria_work import CheckCriteria, CriteriaCheck, Saved, criteria_service, save

SAVING = "saving criteria"
BY_HAND = "edited by hand"
MOST_STEPS = 200
RUBRIC_GROUPS = "vertex_rubrics"  # its criteria name a group after a colon
_MOST_RUBRICS = 500
_LONGEST_GROUP = 100


class Line(Struct, frozen=True):
    """One metric in the editor. A metric that is switched off keeps its threshold and options."""

    metric: str
    on: bool = False
    threshold: float | None = None
    options: JsonObject = field(default_factory=dict)


class CriteriaDraft(QObject):
    """`changed` when lines or the known metrics changed. Nothing is written before `save`."""

    changed = Signal()
    edited = Signal()  # by a person: the next evaluation uses other criteria
    saved = Signal(str)
    failed = Signal(str)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._past: list[tuple[Line, ...]] = []
        self._future: list[tuple[Line, ...]] = []
        self._pending: Criteria | None = None  # to be shown as soon as the metrics are known
        self._then: Callable[[], None] = _nothing
        self.lines: tuple[Line, ...] = ()
        self.path = ""  # the file they were read from
        self.source = ""
        self.seen: CriteriaCheck | None = None
        self.problem = ""  # why the metrics are not known

    def load(self, criteria: Criteria | None, path: str = "", then: Callable[[], None] | None = None) -> None:
        """Edit these criteria, and call `then`; None are the defaults of ADK. Earlier edits are dropped."""
        self._pending, self.path, self._then = criteria, path, then or _nothing
        self._past, self._future = [], []
        if self.seen is None:
            self._jobs.ask(criteria_service, CheckCriteria(), self._learn)
        else:
            self._begin(self.seen)

    @property
    def criteria(self) -> Criteria:
        """The criteria that are switched on, in order."""
        items = [Criterion(line.metric, line.threshold, line.options) for line in self.lines if line.on]
        return Criteria(tuple(items), BY_HAND, asked_for=True)

    @property
    def is_changed(self) -> bool:
        """Whether anything was edited since it was loaded or saved."""
        return bool(self._past)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return bool(self._future)

    def set_line(self, line: Line) -> None:
        """Change the settings of one metric."""
        self._step(tuple(line if other.metric == line.metric else other for other in self.lines))

    @property
    def has_groups(self) -> bool:
        """Whether the metrics are known, so that a group of rubrics can be added."""
        return self.line(RUBRIC_GROUPS) is not None

    def wrong_with_group(self, name: str) -> str:
        """Why no group of rubrics can be added under that name; "" when it can."""
        if not name.strip():
            return "Give the group a name, like “tone”."
        if len(name) > _LONGEST_GROUP:
            return f"A name has at most {_LONGEST_GROUP} characters."
        if not name.isprintable():
            return "Write the name on one line, with letters, digits and punctuation."
        if self.line(group_criterion(name)) is not None:
            return f"There is a group “{name.strip()}” already. Choose another name."
        return ""

    def add_group(self, name: str) -> str:
        """Add a criterion for a group of rubrics, switched on, after the existing ones; returns its metric."""
        metric = group_criterion(name)
        index = max(
            index for index, other in enumerate(self.lines) if other.metric.partition(":")[0] == RUBRIC_GROUPS
        )
        whole = self.line(RUBRIC_GROUPS)
        line = Line(metric, on=True, threshold=whole.threshold if whole is not None else None)
        self._step((*self.lines[: index + 1], line, *self.lines[index + 1 :]))
        return metric

    def set_option(self, metric: str, path: Sequence[str], value: Json) -> None:
        """Set an option; None removes it, so that its default is used."""
        line = self.line(metric)
        if line is not None:
            self.set_line(replace(line, options=_with(line.options, path, value)))

    def line(self, metric: str) -> Line | None:
        """The settings of a metric."""
        return next((line for line in self.lines if line.metric == metric), None)

    def option(self, metric: str, path: Sequence[str]) -> Json:
        """The stated value of an option; None when there is none."""
        line = self.line(metric)
        value: Json = line.options if line is not None else None
        for name in path:
            value = value.get(_key(value, name)) if isinstance(value, dict) else None
        return value

    def rubrics(self, metric: str) -> list[JsonObject]:
        """The rubrics of a criterion, as they are written."""
        listed = self.option(metric, ("rubrics",))
        return (
            [rubric for rubric in listed if isinstance(rubric, dict)][:_MOST_RUBRICS]
            if isinstance(listed, list)
            else []
        )

    def add_rubric(self, metric: str, rubric_id: str, text: str) -> None:
        """Add a rubric to a criterion, and switch that on, in one step. An id that is taken gets a number."""
        line, rubrics = self.line(metric), self.rubrics(metric)
        if line is None:
            return
        taken = {rubric.get(key) for rubric in rubrics for key in ("rubric_id", "rubricId")}
        names = (rubric_id, *(f"{rubric_id}_{number}" for number in range(2, len(rubrics) + 3)))
        free = next(name for name in names if name not in taken)
        rubric: JsonObject = {"rubric_id": free, "rubric_content": {"text_property": text}}
        self.set_line(replace(line, on=True, options=_with(line.options, ("rubrics",), [*rubrics, rubric])))

    def undo(self) -> None:
        """Undo one step."""
        if self._past:
            self._future.append(self.lines)
            self._put(self._past.pop())

    def redo(self) -> None:
        """Redo one step."""
        if self._future:
            self._past.append(self.lines)
            self._put(self._future.pop())

    def save(self, target: Path) -> None:
        """Write the criteria in the background: only the changes when it is the file that they were read from."""
        source = self.path if self.path and (Path(self.path) == target or target.suffix == ".json") else ""
        self._jobs.start(
            SAVING,
            f"Saving {target.name}",
            save,
            (self.criteria, source, str(target)),
            receive=self._saved,
            end=self._end_saving,
        )

    def _step(self, lines: tuple[Line, ...]) -> None:
        if lines != self.lines:
            self._past = [*self._past[-MOST_STEPS + 1 :], self.lines]
            self._future = []
            self._put(lines)

    def _put(self, lines: tuple[Line, ...]) -> None:
        self.lines = lines
        self.check()
        self.edited.emit()
        self.changed.emit()

    def check(self) -> None:
        """Ask for hints about the current criteria."""
        self._jobs.ask(criteria_service, CheckCriteria(self.criteria, self.path), self._learn)

    def _learn(self, answer: Answer) -> None:
        first = self.seen is None
        if isinstance(answer.value, CriteriaCheck):
            self.seen, self.problem = answer.value, ""
            if first:
                self._begin(answer.value)
        else:
            self.problem = answer.sentence
        self.changed.emit()

    def _begin(self, seen: CriteriaCheck) -> None:
        criteria = self._pending or seen.usual
        self.source = criteria.source
        lines = {
            criterion.metric: Line(
                criterion.metric, on=True, threshold=criterion.threshold, options=criterion.options
            )
            for criterion in criteria.items
        }
        rest = [
            Line(form.name, threshold=form.default_threshold)
            for form in seen.forms
            if form.name not in lines and (form.options or not form.informational)  # else nothing can be set
        ]
        self.lines = (*lines.values(), *rest)
        self.check()
        self.changed.emit()
        then, self._then = self._then, _nothing
        then()

    def _saved(self, saved: Saved) -> None:
        self.path, self._past, self._future = saved.path, [], []
        self.saved.emit(saved.path)
        self.changed.emit()

    def _end_saving(self, job: Job) -> None:
        if job.sentence:
            self.failed.emit(job.sentence)


def group_criterion(name: str) -> str:
    """The metric name of the criterion of a group of rubrics."""
    return f"{RUBRIC_GROUPS}:{name.strip()}"


def _nothing() -> None:
    """Do nothing: no caller waits for the criteria."""


def _key(options: JsonObject, name: str) -> str:
    """The key of an option: files spell it in snake_case or in camelCase."""
    head, *rest = name.split("_")
    camel = head + "".join(word.title() for word in rest)
    return camel if camel in options else name


def _with(options: JsonObject, path: Sequence[str], value: Json) -> JsonObject:
    """The options with one changed; an object that becomes empty is removed too."""
    key, rest = _key(options, path[0]), path[1:]
    if rest:
        inner = options.get(key)
        value = _with(inner if isinstance(inner, dict) else {}, rest, value) or None
    if value is None:
        return {name: option for name, option in options.items() if name != key}
    return {**options, key: value}
