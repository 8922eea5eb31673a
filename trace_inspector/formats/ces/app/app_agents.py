"""The agents of a CES app: instructions put in, tools declared, and who stands below whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from trace_inspector.core.finding import info, warning
from trace_inspector.core.trace.trace import Agent
from trace_inspector.core.values.pointer import join
from trace_inspector.formats.ces.app.app_parts import TOOLSETS, Part, Parts, looked_up
from trace_inspector.formats.ces.app.app_tools import declared, names_in
from trace_inspector.formats.ces.common.recognisers import AGENTS, TOOLS
from trace_inspector.formats.common.fields import Fields, Report

# Tools that every app has without declaring them.
BUILT_IN = frozenset({"end_session", "customize_response", "transfer_to_agent", "update_variables"})
_MOST_CIRCLES = 20
_INSTRUCTION_FILE = "instruction.txt"


def agents_of(parts: Parts, report: Report) -> tuple[Agent, ...]:
    """All of them, the root first."""
    named = parts.by_name(AGENTS)
    root_name = parts.app.text("root_agent") or ""
    root = looked_up(named, root_name) if root_name else None
    if root_name and root is None and parts.is_whole:
        message = f"The root agent “{root_name}” is not among the agents of this app."
        report.add(warning("unresolved-reference", message, parts.app.pointer("root_agent")))
    listed = sorted(parts.of(AGENTS), key=lambda part: part is not root)
    agents = tuple(_agent(part, parts, named, report) for part in listed)
    for agent, others in _circles(agents):
        message = f"“{agent.name}” is its own sub-agent, by way of {', '.join(others)}."
        report.add(info("agent-circle", message, agent.place))
    return agents


def _agent(part: Part, parts: Parts, named: Mapping[str, Part], report: Report) -> Agent:
    fields = part.fields
    below = []
    for index, name in enumerate(names_in(fields, "child_agents")):
        child = looked_up(named, name)
        below.append(child.title if child else name)
        if child is None and parts.is_whole:
            _report(f"The agent “{name}”", join(fields.pointer("child_agents"), index), report)
    if parts.is_whole:
        _check_tools(fields, parts, report)
    return Agent(
        name=part.title,
        instruction=_instruction(part, parts, report),
        description=fields.text("description") or "",
        tools=declared(fields, parts),
        sub_agents=tuple(below),
        place=fields.place,
    )


def _check_tools(fields: Fields, parts: Parts, report: Report) -> None:
    for index, name in enumerate(names_in(fields, "tools")):
        if looked_up(parts.by_name(TOOLS), name) is None and name.rpartition("/")[2] not in BUILT_IN:
            _report(f"The tool “{name}”", join(fields.pointer("tools"), index), report)
    for toolset in fields.objects("toolsets"):
        name = toolset.text("toolset") or ""
        if looked_up(parts.by_name(TOOLSETS), name) is None:
            _report(
                f"The toolset “{name}”",
                toolset.pointer("toolset") if toolset.key("toolset") else toolset.place,
                report,
            )


def _instruction(part: Part, parts: Parts, report: Report) -> str:
    """The text of the file that is named, of the one in the agent's folder, or the text that is stated."""
    stated = part.fields.text("instruction")
    if stated is None:
        return parts.texts.get(f"{AGENTS}/{part.id}/{_INSTRUCTION_FILE}", "")
    if stated not in parts.texts and _looks_like_file(stated):
        if parts.is_whole:
            message = f"There is no file “{stated}” in this app, so the agent's instruction is unknown."
            report.add(warning("unresolved-reference", message, part.fields.pointer("instruction")))
        else:
            message = "The agent's instruction is in another file of its app. Open the folder of the app to see it."
            report.add(info("named-only", message, part.fields.pointer("instruction")))
    return parts.text(stated)


def _looks_like_file(text: str) -> bool:
    return text.startswith(f"{AGENTS}/") and text.endswith(".txt") and "\n" not in text


def _report(what: str, place: str, report: Report) -> None:
    report.add(warning("unresolved-reference", f"{what} is not in this app; only its name is shown.", place))


def _circles(agents: tuple[Agent, ...]) -> Iterator[tuple[Agent, list[str]]]:
    """The first agent of each circle, and the others in it; as many circles as anybody reads of."""
    by_name = {agent.name: agent for agent in agents}
    below = {agent.name: [name for name in agent.sub_agents if name in by_name] for agent in agents}
    order = {name: index for index, name in enumerate(by_name)}
    for _ in range(_MOST_CIRCLES):
        try:
            TopologicalSorter(below).prepare()
        except CycleError as problem:
            circle = problem.args[1][:0:-1]  # from below, with one agent at both ends
            for name in circle:
                below[name] = [child for child in below[name] if child not in circle]
            start = circle.index(min(circle, key=order.__getitem__))
            yield by_name[circle[start]], [*circle[start + 1 :], *circle[:start]] or circle
        else:
            return
