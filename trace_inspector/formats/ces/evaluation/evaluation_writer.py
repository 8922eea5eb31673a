"""Writes suites and traces as CES evaluations, in camelCase, with what CES cannot hold named."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, info
from trace_inspector.core.golden.golden import Case, Scenario, as_case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolCall, ToolResult, Unknown
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import Json, JsonObject, strict
from trace_inspector.formats.ces.common import evaluation_schemas as schemas
from trace_inspector.formats.ces.common.content import VARIABLES
from trace_inspector.formats.ces.common.content_writer import by_place, call_json, message_json, result_json
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.ces.common.own_fields import own_fields
from trace_inspector.formats.ces.common.thresholds import OF_EVALUATION
from trace_inspector.formats.ces.evaluation.evaluation_golden import MOST_TURNS
from trace_inspector.formats.ces.evaluation.evaluation_golden_writer import GoldenWriter
from trace_inspector.formats.ces.evaluation.thresholds_writer import levels_json
from trace_inspector.formats.common.format import Written
from trace_inspector.formats.writing.unique_names import UniqueNames


def write(contents: Contents) -> Written:
    """An evaluation for every case and every trace: one alone, or as the service lists several."""
    writer = _EvaluationWriter()
    cases = [case for suite in contents.suites for case in suite.cases]
    written = [writer.case(case) for case in cases]
    case_ids = {case.id for case in cases}
    for trace in contents.traces:
        if trace.case_id in case_ids:
            writer.losses.lose("recordings", trace.place)
        else:
            written.append(writer.case(as_case(trace)))
            writer.losses.lose("agents", trace.place, len(trace.agents))
        writer.losses.lose("spans", trace.place, trace.span_count)
    writer.lose_around(contents)
    value: Json = written[0] if len(written) == 1 else {"evaluations": [*written]}
    return Written(json_text(value), (*writer.losses.findings(), *writer.names.notes))


def new_case(case: Case) -> tuple[JsonObject, tuple[Finding, ...]]:
    """One evaluation for a file that is there, with what it loses."""
    writer = _EvaluationWriter()
    written = writer.case(case)
    return written, (*writer.losses.findings(), *writer.names.notes)


_NAMES = frozenset({"name", "displayName", "display_name"})


class _EvaluationWriter(Struct):
    losses: Losses = field(default_factory=Losses)
    names: UniqueNames = field(default_factory=lambda: UniqueNames([], "evaluation"))

    def case(self, case: Case) -> JsonObject:
        """One evaluation. CES requires unique display names."""
        shown = self.names.take(case.title or case.id, case.place)
        # Items of other systems have names of their own under the same keys; what the case is called is known.
        called = [extra for extra in case.extras if extra.name in _NAMES]
        self.losses.lose(
            "other fields", case.place, sum(extra.value not in (shown, case.title, case.id) for extra in called)
        )
        beyond = (extra for extra in case.extras if extra.name not in _NAMES)
        stated, more = own_fields(beyond, case.place, schemas.EVALUATION)
        written: JsonObject = {} if shown == case.id else {"name": case.id}
        written |= {"displayName": shown, **stated}
        if case.tags:
            written["tags"] = [*case.tags]
        if case.scenario is not None:
            beside, rest = own_fields(more, f"{case.place}/scenario", schemas.SCENARIO)
            written["scenario"] = self._scenario(case, case.scenario) | beside
        else:
            beside, rest = own_fields(more, f"{case.place}/golden", schemas.GOLDEN)
            written["golden"] = self._golden(case) | beside
        overrides, unsaid = levels_json(case.criteria, OF_EVALUATION)
        self.losses.lose("criteria", case.place, len(unsaid))
        self.losses.lose("other fields", case.place, len(rest))
        self._lose_the_rest(case)
        return written | overrides

    def lose_around(self, contents: Contents) -> None:
        """Name what stands around the cases."""
        criteria = contents.criteria.items if contents.criteria is not None else ()
        self.losses.lose("criteria", "", len(criteria))
        self.losses.lose("verdicts", "", len(contents.reported))
        for suite in contents.suites:
            self.losses.lose("agents", suite.place, len(suite.agents))
            self.losses.lose("personas", suite.place, len(suite.personas))
            self.losses.lose("other fields", suite.place, len(suite.extras))
            self.losses.lose("suites", suite.place, int(bool(suite.name or suite.description)))

    def _golden(self, case: Case) -> JsonObject:
        writer = GoldenWriter(by_place(case.matchers), self.losses)
        turns = [writer.turn(turn, None if index else _variables(case)) for index, turn in enumerate(case.turns)]
        self.losses.lose("expectations", case.final_state_place, int(bool(case.final_state) and not turns))
        if case.final_state and turns:
            state = writer.expectation(
                Expectation(Expects.VARIABLES, value=case.final_state, place=case.final_state_place)
            )
            steps = turns[-1]["steps"]
            if isinstance(steps, list):
                steps.append({"expectation": state})
        self.losses.lose("turns beyond the hundredth", case.place, len(turns) - MOST_TURNS)
        self.losses.lose("rubrics", case.place, len(case.rubrics))
        written: JsonObject = {"turns": [*turns]}
        names = list(self._criteria_named(case))
        if names:
            written["evaluationExpectations"] = [*names]
        others = [expectation for expectation in case.expectations if expectation.kind is not Expects.CRITERION]
        self.losses.lose("expectations", others[0].place if others else "", len(others))
        return written

    def _criteria_named(self, case: Case) -> Iterator[str]:
        """Criteria are named in an evaluation; their text stands in resources of their own."""
        for expectation in case.expectations:
            if expectation.kind is Expects.CRITERION:
                if expectation.text:
                    self.losses.lose("prompts", expectation.place)
                if expectation.reference:
                    yield expectation.reference

    def _scenario(self, case: Case, scenario: Scenario) -> JsonObject:
        opening = f"Begin by saying: {scenario.starting_prompt}" if scenario.starting_prompt else ""
        if opening:
            message = "CES has no first words of the user; they are the first line of the task."
            self.names.notes.append(info("first-words-in-task", message, scenario.place))
        written: JsonObject = {"task": "\n".join(text for text in (opening, scenario.plan) if text)}
        expected = [*self._scenario_expectations(case)]
        rubrics = [rubric.text for rubric in case.rubrics]
        session = case.session.state if case.session is not None else None
        optional: JsonObject = {
            "userFacts": [{"name": name, "value": value} for name, value in scenario.facts],
            "maxTurns": scenario.max_turns,
            "rubrics": [*rubrics],
            "scenarioExpectations": [*expected],
            "variableOverrides": strict(scenario.variables if scenario.variables is not None else session),
            "userGoalBehavior": scenario.goal,
            "evaluationExpectations": [*self._criteria_named(case)],
        }
        written |= {key: value for key, value in optional.items() if value not in (None, [], "")}
        more = sum(bool(rubric.type or rubric.description or rubric.importance) for rubric in case.rubrics)
        self.losses.lose("rubrics", scenario.place, more)
        self.losses.lose("personas", scenario.place, int(scenario.persona is not None))
        return written

    def _scenario_expectations(self, case: Case) -> Iterator[JsonObject]:
        """Calls with the mocks of their results, and messages."""
        matchers = by_place(case.matchers)
        mocks = {
            expectation.place.rsplit("/", 2)[0]: expectation
            for expectation in case.expectations
            if expectation.kind is Expects.MOCK
        }
        for expectation in case.expectations:
            call = next((part for part in expectation.parts if isinstance(part, ToolCall)), None)
            if expectation.kind is Expects.CALL and call is not None:
                tool: JsonObject = {"expectedToolCall": call_json(call, matchers, self.losses)}
                mock = mocks.pop(expectation.place, None)
                answer = mock.parts[0] if mock is not None and mock.parts else None
                if isinstance(answer, ToolResult):
                    tool["mockToolResponse"] = result_json(answer)
                yield {"toolExpectation": tool}
            elif expectation.kind is Expects.ANSWER:
                yield {"agentResponse": message_json(expectation.parts, self.losses)}
            elif expectation.kind not in (Expects.MOCK, Expects.CRITERION):
                self.losses.lose("expectations", expectation.place)
        self.losses.lose("expectations", "", len(mocks))

    def _lose_the_rest(self, case: Case) -> None:
        session = case.session
        if session is not None:
            self.losses.lose("sessions", session.place, int(any((session.app, session.user, session.id))))
        self.losses.lose("earlier messages", case.place, len(case.context))
        self.losses.lose("notes", case.place, len(case.notes))
        self.losses.lose("verdicts", case.place, len(case.overrules))


def _variables(case: Case) -> JsonObject | None:
    """The state of the session, unless the first turn sets variables itself."""
    state = case.session.state if case.session is not None else None
    sets = case.turns and any(isinstance(part, Unknown) and part.kind == VARIABLES for part in case.turns[0].user)
    return None if sets or not state else state
