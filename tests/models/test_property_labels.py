"""What people read before each property of a golden."""

from __future__ import annotations

from trace_inspector.core.golden.golden import Case, Scenario, Session, Suite
from trace_inspector.models.search.properties import chapters_of


def labels(thing: object) -> list[str]:
    """All labels, with the heading of the chapters that are inside."""
    return [
        f"{chapter.title}: {label}"
        for chapter in chapters_of(thing, "Properties")
        for label, _value in (*chapter.facts, *chapter.values)
    ]


def test_a_session_has_its_labels() -> None:
    session = Session("shop", "somebody", "s1", {"cart": 1}, "/session")
    assert labels(session) == [
        "Properties: Id", "Properties: App", "Properties: User", "Properties: Place", "Properties: State at the start"
    ]  # fmt: skip


def test_a_golden_shows_its_own_properties_and_those_of_its_parts() -> None:
    scenario = Scenario(starting_prompt="Hello", plan="Ask for a bike.", max_turns=3)
    case = Case("one", "set", scenario=scenario, session=Session(id="s1"), tags=("a",), title="First", place="/0")
    assert labels(case) == [
        "Properties: Title", "Properties: Id", "Properties: Eval set", "Properties: Tags", "Properties: Place",
        "Session at the start: Id", "Simulated user: Starts with", "Simulated user: Plan",
        "Simulated user: Maximum turns",
    ]  # fmt: skip


def test_a_suite_has_its_labels() -> None:
    suite = Suite(id="set", name="Shop", description="All of it", place="/")
    assert labels(suite) == [
        "Properties: Id", "Properties: Name", "Properties: Description", "Properties: Place"
    ]  # fmt: skip
