"""Agents below each other, and the tools that a model had at hand."""

from __future__ import annotations

import pytest

from tests.formats.span_files import agent, jaeger, model, opened, otlp, says, user
from trace_inspector.core.rows.timing import Form
from trace_inspector.core.rows.turn_work import work_of_turn


@pytest.mark.parametrize("write", [jaeger, otlp])
def test_an_agent_inside_another_stands_below_it(write: object) -> None:
    assert callable(write)
    contents = opened(
        write(
            agent("a", None, "root"),
            model("m1", "a", 1, asked=[user("q")], said=says("one moment"), system="Help."),
            agent("b", "a", "cook", 20),
            model("m2", "b", 21, asked=[user("q")], said=says("soup")),
            model("m3", "a", 40, asked=[user("q")], said=says("ok"), system="Help."),
        )
    )
    (turn,) = contents.traces[0].turns
    assert {one.name: one.sub_agents for one in turn.agents} == {"root": ("cook",), "cook": ()}
    assert [(event.author, event.active_tools) for event in turn.events] == [
        ("root", ("look",)),
        ("cook", ()),
        ("root", ()),
    ]


@pytest.mark.parametrize("write", [jaeger, otlp])
def test_the_timeline_calls_an_agent_as_the_tree_does(write: object) -> None:
    assert callable(write)
    spans = (
        agent("a", None, "supervisor"),
        model("m1", "a", 1, asked=[user("q")], said=says("ok"), system="Help."),
    )
    spans[0].name = "langgraph.graph.state.CompiledStateGraph.ainvoke"
    (turn,) = opened(write(*spans)).traces[0].turns
    work = work_of_turn(turn)
    assert [label for label, form in zip(work.label, work.form, strict=True) if form == Form.AGENT] == ["supervisor"]
    assert {event.author for event in turn.events} == {"supervisor"}
