"""The instructions of a simulated user: first message, plan, persona, number of turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case, Persona, Scenario
from trace_inspector.core.golden.golden_change import GoldenChange, Simulated
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.field import GoldenField, Kind
from trace_inspector.models.golden.values import line_text
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.form_section import FormSection

GOALS = (
    ("not stated", ""),
    ("the user's goal is met", "USER_GOAL_SATISFIED"),
    ("the agent must refuse it", "USER_GOAL_REJECTED"),
    ("does not matter", "USER_GOAL_IGNORED"),
)
With = Callable[[Scenario, "Json | Absent"], Scenario]


def make_scenario(theme: Theme, context: GoldenContext) -> FormSection | None:
    """The section; a script has no simulated user."""
    return FormSection(theme, scenario_fields, _summary) if context.case.scenario is not None else None


def scenario_fields(context: GoldenContext) -> Sequence[GoldenField]:
    """None where the case is a script."""
    return _FIELDS if context.case.scenario is not None else ()


def _summary(context: GoldenContext) -> str:
    scenario = context.case.scenario
    return one_line(scenario.plan or scenario.starting_prompt, 160) if scenario is not None else ""


def _field(
    name: str, label: str, kind: Kind, get: Callable[[Scenario], Json | Absent], put: With, probe: Json,
    hint: str = "", choices: Sequence[tuple[str, str]] = (),
) -> GoldenField:  # fmt: skip
    def value(case: Case) -> Json | Absent:
        stated = get(case.scenario) if case.scenario is not None else ABSENT
        return ABSENT if stated is None else stated

    def change(case: Case, written: Json | Absent) -> Sequence[GoldenChange]:
        return [Simulated(put(case.scenario or Scenario("", ""), written))]

    step = tr("Change the {0} of the simulated user").format(label.lower())
    return GoldenField(f"scenario-{name}", label, kind, step, value, change, probe, hint, choices)


def _words(value: Json | Absent) -> str:
    return value if isinstance(value, str) else ""


def _persona(scenario: Scenario) -> Json | Absent:
    """Its id; a described one as it stands."""
    if scenario.persona is None:
        return ABSENT
    return scenario.persona.stated if scenario.persona.stated is not None else scenario.persona.id


def _with_persona(scenario: Scenario, value: Json | Absent) -> Scenario:
    if isinstance(value, dict):
        name = value.get("id")
        return replace(scenario, persona=Persona(name if isinstance(name, str) else "", stated=value))
    return replace(scenario, persona=Persona(value) if isinstance(value, str) and value else None)


def _facts(scenario: Scenario) -> Json | Absent:
    """By name; as a list where two have the same."""
    facts = scenario.facts
    if len({name for name, _value in facts}) < len(facts):
        return [{"name": name, "value": value} for name, value in facts]
    return {**dict(facts)} if facts else ABSENT


def _with_facts(scenario: Scenario, written: Json | Absent) -> Scenario:
    if isinstance(written, dict):
        return replace(scenario, facts=tuple((name, _fact(value)) for name, value in written.items()))
    listed = written if isinstance(written, list) else []
    named = [item for item in listed if isinstance(item, dict)]
    return replace(scenario, facts=tuple((_fact(item.get("name")), _fact(item.get("value"))) for item in named))


def _fact(value: Json) -> str:
    return value if isinstance(value, str) else line_text(value) if value is not None else ""


def _with_turns(scenario: Scenario, value: Json | Absent) -> Scenario:
    return replace(scenario, max_turns=value if isinstance(value, int) else None)


_FIELDS = (
    _field(
        "prompt", "First words", Kind.TEXT, lambda scenario: scenario.starting_prompt,
        lambda scenario, value: replace(scenario, starting_prompt=_words(value)), "Hello", "What the user says first",
    ),
    _field(
        "plan", "Plan", Kind.TEXT, lambda scenario: scenario.plan,
        lambda scenario, value: replace(scenario, plan=_words(value)), "Book a table.", "What the user should do",
    ),
    _field(
        "persona", "Persona", Kind.VALUE, _persona, _with_persona, "EXPERT",
        'None. Write the id of one, like "EXPERT", or describe one as a JSON object',
    ),
    _field("turns", "Maximum turns", Kind.COUNT, lambda scenario: scenario.max_turns, _with_turns, 3, "no limit"),
    _field(
        "facts", "Only the user knows", Kind.VALUE, _facts, _with_facts, {"seats": "2"},
        'Nothing. Write facts by name: {"seats": "2"}',
    ),
    _field(
        "goal", "Passes when", Kind.CHOICE, lambda scenario: scenario.goal,
        lambda scenario, value: replace(scenario, goal=_words(value)), "USER_GOAL_REJECTED", choices=GOALS,
    ),
    _field(
        "variables", "Variables", Kind.OBJECT, lambda scenario: scenario.variables,
        lambda scenario, value: replace(scenario, variables=value if isinstance(value, dict) else None), {"seats": 2},
        'None is set. Write them as JSON: {"seats": 2}',
    ),
)  # fmt: skip
