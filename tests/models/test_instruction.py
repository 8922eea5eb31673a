"""Placeholders by google-adk's rules."""

from __future__ import annotations

from PySide6.QtTest import QAbstractItemModelTester

from tests.helpers.tables import each
from trace_inspector.core.trace.trace import Agent
from trace_inspector.core.values.values import JsonObject
from trace_inspector.models.details.agent_lines import AgentLines, lines_of
from trace_inspector.models.details.instruction import FillResult, Placeholder, fill

STATE: JsonObject = {"city": "Köln", "user:name": "Ada", "nothing": None, "list": [1, "ü"]}


@each(
    ("written", "shown", "filled"),
    [
        ("In {city}.", "In Köln.", Placeholder("city", FillResult.FOUND, "Köln")),
        ("In { city }.", "In Köln.", Placeholder("city", FillResult.FOUND, "Köln")),
        ("In {{city}}.", "In Köln.", Placeholder("city", FillResult.FOUND, "Köln")),
        ("For {user:name}", "For Ada", Placeholder("user:name", FillResult.FOUND, "Ada")),
        ("Null: {nothing}", "Null: ", Placeholder("nothing", FillResult.FOUND, "")),
        ("{list}", '[1, "ü"]', Placeholder("list", FillResult.FOUND, '[1, "ü"]')),
        ("In {town?}.", "In .", Placeholder("town", FillResult.LEFT_OUT)),
        ("In {town}.", "In {town}.", Placeholder("town", FillResult.MISSING)),
        ("{artifact.menu.txt}", "{artifact.menu.txt}", Placeholder("artifact.menu.txt", FillResult.ARTIFACT)),
        ("{artifact.menu.txt?}", "{artifact.menu.txt?}", Placeholder("artifact.menu.txt", FillResult.ARTIFACT)),
        ('{"a": 1} {x y} {} {other:x} {1a}', '{"a": 1} {x y} {} {other:x} {1a}', None),
    ],
)
def test_a_placeholder_is_filled_or_said_to_be_missing(written: str, shown: str, filled: Placeholder | None) -> None:
    assert fill(written, STATE) == (shown, (filled,) if filled else ())


def test_what_is_filled_in_is_not_looked_at_again() -> None:
    assert fill("{a} {a}", {"a": "{b}", "b": "x"}) == ("{b} {b}", (Placeholder("a", FillResult.FOUND, "{b}"),))


def test_agents_stand_below_each_other_and_cycles_end() -> None:
    agents = (
        Agent("sub", sub_agents=("root", "lost")),
        Agent("root", sub_agents=("sub", "other")),
        Agent("other"),
        Agent("alone"),
    )
    told = [(line.name, line.depth, line.again, line.agent is not None) for line in lines_of(agents)]
    assert told == [
        ("alone", 0, False, True),
        ("sub", 0, False, True),
        ("root", 1, False, True),
        ("sub", 2, True, True),
        ("other", 2, False, True),
        ("lost", 1, False, False),
    ]
    model = AgentLines()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_agents(agents)
    assert model.index(3, 0).data() == "        sub (again)"
    assert model.row_of("lost") == 5
    tester.deleteLater()


def test_a_web_of_agents_has_an_end() -> None:
    names = [f"a{at}" for at in range(30)]
    agents = [Agent(name, sub_agents=tuple(names)) for name in names]
    assert len(lines_of(agents)) == 2_000
