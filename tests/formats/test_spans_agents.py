"""Agents below each other, and the tools that a model had at hand."""

from __future__ import annotations

import pytest

from tests.formats.span_files import agent, jaeger, model, opened, otlp, says, user


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
