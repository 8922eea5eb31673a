"""The evaluations of a CES app as cases, with what they name by short ids looked up in the app."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import Finding, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part as TracePart
from trace_inspector.core.trace.parts import ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.values.pointer import join
from trace_inspector.formats.ces.app.app_agents import BUILT_IN
from trace_inspector.formats.ces.app.app_parts import (
    DATASETS,
    EVALUATIONS,
    EXPECTATIONS,
    TOOLSETS,
    Part,
    Parts,
    looked_up,
)
from trace_inspector.formats.ces.app.app_tools import names_in
from trace_inspector.formats.ces.common.expectation import criterion_of
from trace_inspector.formats.ces.common.recognisers import AGENTS, EVALUATION_FILES, TOOLS
from trace_inspector.formats.ces.evaluation import evaluation as ces_evaluation
from trace_inspector.formats.common.fields import Report
from trace_inspector.formats.common.format import Source


def cases_of(parts: Parts, suite_id: str, source: Source, report: Report) -> tuple[Case, ...]:
    """Each evaluation, read as it is by itself, and then seen among the others."""
    names = _AppNames.of(parts, report)
    by_id: dict[str, Case] = {}
    cases = []
    for part in parts.of(EVALUATIONS):
        source.tick()
        for case in _read(part, source, report):
            case_of_app = names.resolved(replace(case, suite_id=suite_id))
            if (first := by_id.setdefault(case_of_app.id, case_of_app)) is not case_of_app:
                message = (
                    f"“{case_of_app.id}” is also the id of the evaluation at {first.place}, so their results cannot "
                    "be told apart."
                )
                report.add(warning("duplicate-id", message, case_of_app.place))
            cases.append(case_of_app)
    _check_datasets(parts, report)
    return tuple(cases)


def _read(part: Part, source: Source, report: Report) -> Iterator[Case]:
    """By the reader of evaluations, which knows where in the app it stands."""
    if not EVALUATION_FILES(part.fields.value):
        message = "This file is in the folder of evaluations but has neither a golden nor a scenario; it is left out."
        report.add(warning("not-recognised", message, part.fields.place))
        return
    alone = replace(source, value=part.fields.value, name=str(PurePosixPath(part.id)), place=part.fields.place)
    for item in ces_evaluation.read(alone):
        match item:
            case Finding():
                report.add(item)
            case Suite():
                yield from item.cases


def _check_datasets(parts: Parts, report: Report) -> None:
    named = parts.by_name(EVALUATIONS)
    for dataset in parts.of(DATASETS):
        for index, name in enumerate(names_in(dataset.fields, "evaluations")):
            if looked_up(named, name) is None:
                message = f"The evaluation “{name}” is not in this app."
                place = join(dataset.fields.pointer("evaluations"), index)
                report.add(warning("unresolved-reference", message, place))


class _AppNames(Struct, frozen=True):
    """What an app calls its tools, agents and criteria."""

    tools: Mapping[str, Part]
    agents: Mapping[str, Part]
    criteria: Mapping[str, Expectation]
    report: Report

    @classmethod
    def of(cls, parts: Parts, report: Report) -> _AppNames:
        """Of all of them by each name."""
        criteria: dict[str, Expectation] = {}
        for part in parts.of(EXPECTATIONS):
            sentence = criterion_of(part.fields, report)
            for name in part.names():
                criteria.setdefault(name, sentence)
        tools = {**parts.by_name(TOOLSETS), **parts.by_name(TOOLS)}
        return cls(tools, parts.by_name(AGENTS), criteria, report)

    def resolved(self, case: Case) -> Case:
        """A case with the app's names for tools and agents, and the text of its criteria."""
        return replace(
            case,
            turns=tuple(self._turn(turn) for turn in case.turns),
            expectations=tuple(self._expectation(expectation) for expectation in case.expectations),
        )

    def _turn(self, turn: Turn) -> Turn:
        return replace(
            turn,
            events=tuple(self._event(event) for event in turn.events),
            expectations=tuple(self._expectation(expectation) for expectation in turn.expectations),
        )

    def _event(self, event: Event) -> Event:
        author = looked_up(self.agents, event.author) if event.author else None
        parts = tuple(self._part(part, reported=False) for part in event.parts)
        return replace(event, author=author.title if author else event.author, parts=parts)

    def _expectation(self, expectation: Expectation) -> Expectation:
        if expectation.kind is Expects.CRITERION and expectation.reference and not expectation.text:
            criterion = self.criteria.get(expectation.reference) or self.criteria.get(
                expectation.reference.rpartition("/")[2]
            )
            if criterion is None:
                message = f"The criterion “{expectation.reference}” is not in this app, so its text is unknown."
                self.report.add(warning("unresolved-reference", message, expectation.place))
                return expectation
            return replace(expectation, text=criterion.text)
        return replace(expectation, parts=tuple(self._part(part, reported=True) for part in expectation.parts))

    def _part(self, part: TracePart, *, reported: bool) -> TracePart:
        """A part under the app's own name; where there is none, that is `reported`, once."""
        match part:
            case ToolCall(resource=resource):
                return replace(part, name=self._tool(resource, part.name, part.place, reported=reported))
            case ToolResult():
                tool = looked_up(self.tools, part.name)
                return replace(part, name=tool.title if tool and tool.kind == TOOLS else part.name)
            case Transfer(target=target):
                agent = looked_up(self.agents, target)
                if agent is None and reported:
                    self._report(f"The agent “{target}”", part.place)
                return replace(part, target=agent.title if agent else target)
        return part

    def _tool(self, resource: str, name: str, place: str, *, reported: bool) -> str:
        tool = looked_up(self.tools, resource or name)
        if tool is not None:
            return tool.title if tool.kind == TOOLS else name
        in_a_set = looked_up(self.tools, resource.rpartition("/")[0]) if "/" in resource else None
        if in_a_set is None and reported and name not in BUILT_IN:
            self._report(f"The tool “{name}”", place)
        return name

    def _report(self, what: str, place: str) -> None:
        message = f"{what} is not in this app; it is compared only by its name."
        self.report.add(warning("unresolved-reference", message, place))
