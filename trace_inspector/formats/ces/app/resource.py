"""The other resources of CES's apps: `ces-resource`, agents, tools, guardrails and more, alone or in lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from trace_inspector.core.golden.golden import Persona, Suite
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json
from trace_inspector.formats.ces.app.app import app_items, is_app
from trace_inspector.formats.ces.app.app_agents import agents_of
from trace_inspector.formats.ces.app.app_parts import AGENTS, PERSONAS, TOOLS, Parts, listed_parts, loose_parts
from trace_inspector.formats.ces.app.app_tools import KINDS, declaration
from trace_inspector.formats.ces.common.evaluation_entries import entries_in, least_sure
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Format, Source


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of resource: the list of the service's reply, its folder in resource names, what only it has."""

    listed: str
    folder: str
    has: tuple[str, ...]


_KINDS = (
    _Kind("apps", "apps", ()),
    _Kind(
        AGENTS,
        AGENTS,
        (
            "instruction", "child_agents", "llm_agent", "remote_dialogflow_agent", "before_agent_callbacks",
            "after_agent_callbacks", "before_model_callbacks", "after_model_callbacks", "before_tool_callbacks",
            "after_tool_callbacks", "transfer_rules",
        ),
    ),
    _Kind(TOOLS, TOOLS, tuple(KINDS)),
    _Kind("toolsets", "toolsets", ("open_api_toolset", "mcp_toolset", "connector_toolset")),
    _Kind(
        "guardrails",
        "guardrails",
        ("content_filter", "llm_prompt_security", "llm_policy", "model_safety", "code_callback"),
    ),
    _Kind("examples", "examples", ("entry_agent",)),
    _Kind("app_versions", "versions", ("snapshot",)),
    _Kind("deployments", "deployments", ("channel_profile",)),
    _Kind("changelogs", "changelogs", ("original_resource", "new_resource")),
    _Kind("evaluation_personas", PERSONAS, ("personality", "speech_config")),
)  # fmt: skip
_NAMED = ("name", "display_name")
_IN_A_PATH, _BY_MEMBERS = 86, 68
_AN_EXAMPLE = 87  # surer than that it is a conversation
_APPS, _EXAMPLES = "apps", "examples"
_OF_A_CONVERSATION = ("turns", "start_time", "end_time", "turn_count")


def recognise(value: Json) -> int:
    """A resource by its name or by what only its kind has, a list of them, or the service's reply with one."""
    return max(least_sure(value, kind.listed, _score(kind)) for kind in _KINDS)


def _score(kind: _Kind) -> Callable[[Fields], int]:
    def score(fields: Fields) -> int:
        steps = (fields.text("name") or "").split("/")
        if len(steps) > 1 and steps[-2] == kind.folder and _APPS in steps:
            return _IN_A_PATH
        if not any(fields.text(name) for name in _NAMED):
            return 0
        if kind.listed == _APPS:
            return _BY_MEMBERS if is_app(fields) else 0
        if kind.listed == _EXAMPLES and _is_example(fields):
            return _AN_EXAMPLE
        return _BY_MEMBERS if any(fields.key(name) for name in kind.has) else 0

    return score


def _is_example(fields: Fields) -> bool:
    """Whether this is a conversation to learn from: it has a title and no time, unlike one that took place."""
    messages = fields.objects("messages")
    told = bool(messages) and messages[0].key("chunks") is not None
    return (
        told and fields.text("display_name") is not None and not any(fields.key(name) for name in _OF_A_CONVERSATION)
    )


def read(source: Source) -> Iterator[Item]:
    """One suite without cases: agents and personas as such, all else under its own name."""
    report = Report()
    kind = max(_KINDS, key=lambda kind: least_sure(source.value, kind.listed, _score(kind)))
    found = [*entries_in(source, kind.listed, _score(kind), FORMAT.name, report)]
    if kind.listed in (_APPS, "app_versions"):
        for one in found:
            yield from app_items(_app(one), source, report)
    else:
        stem = source.name.split(".", maxsplit=1)[0] or "resource"
        yield Suite(
            stem,
            agents=agents_of(loose_parts(kind.listed, found), report),
            personas=tuple(_personas(kind, found)),
            extras=tuple(_extras(kind, found)),
            place=source.place,
        )
        yield Holds(kind.folder, len(found))
    yield from report.drain()


def _app(fields: Fields) -> Parts:
    """An app as it stands in a list, or as a version of it keeps it with all of its resources."""
    snapshot = fields.object("snapshot")
    if snapshot is None:
        return Parts(fields, place=fields.place, is_whole=False)
    return listed_parts(snapshot, snapshot.object("app") or fields)


def _personas(kind: _Kind, found: list[Fields]) -> Iterator[Persona]:
    if kind.folder == PERSONAS:
        for one in found:
            yield Persona(_title(one), one.text("personality") or "", one.value, one.place)


def _extras(kind: _Kind, found: list[Fields]) -> Iterator[Extra]:
    """Tools as they are declared to a model too; agents and personas are told elsewhere."""
    for one in found:
        if kind.listed == TOOLS:
            (part,) = loose_parts(TOOLS, (one,)).resources
            yield Extra(f"{part.title}, declared", declaration(part, loose_parts(TOOLS, ())), one.place)
        if kind.listed != AGENTS and kind.folder != PERSONAS:
            yield Extra(f"{kind.folder}/{_title(one)}", one.value, one.place)


def _title(fields: Fields) -> str:
    return fields.text("display_name") or (fields.text("name") or "").rpartition("/")[2]


FORMAT = Format(
    name="ces-resource",
    title="CES resource",
    system="CES",
    short="agents, tools, guardrails, versions and other resources",
    holds="agents with their instructions, and other resources as they stand",
    recognise=recognise,
    read=read,
)
