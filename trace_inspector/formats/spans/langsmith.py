"""Runs of LangSmith: `langsmith`, as its clients send them in batches and as they are exported; each is a span.

A run is created in `post` and completed in `patch`: what stands in the later of them counts, each value at its place.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Span, SpanKind
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.fields import Fields, Report, count_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import Attributes
from trace_inspector.formats.common.times import interval
from trace_inspector.formats.spans.conversation_builder import ConversationBuilder
from trace_inspector.formats.spans.langsmith_feedback import Feedback
from trace_inspector.formats.spans.spans import Recorded

_KINDS = {"llm": SpanKind.MODEL, "tool": SpanKind.TOOL}
_NAMED_AGENT = "agent"
_BATCHES = ("post", "patch")
_LISTS = (*_BATCHES, "runs")
_DEEPEST = 40
_SESSIONS = ("session_id", "thread_id", "conversation_id")
_ROLES = {
    "HumanMessage": "user", "human": "user", "AIMessage": "assistant", "ai": "assistant",
    "AIMessageChunk": "assistant", "SystemMessage": "system", "system": "system",
    "ToolMessage": "tool", "tool": "tool", "FunctionMessage": "tool",
}  # fmt: skip
_OF_A_MESSAGE = ("content", "tool_calls", "tool_call_id", "name", "additional_kwargs", "function_call")
_TOKENS = {
    "llm.token_count.prompt": ("input_tokens", "prompt_tokens"),
    "llm.token_count.completion": ("output_tokens", "completion_tokens"),
}
_DETAILS = {
    "llm.token_count.prompt_details.cache_read": ("input_token_details", "cache_read"),
    "llm.token_count.completion_details.reasoning": ("output_token_details", "reasoning"),
}
_MODELS = ("ls_model_name", "model_name", "model")


class _StatedRun(Struct):
    """What is known of a run, by key, each value with its place."""

    place: str
    entries: dict[str, tuple[Json, str]] = field(default_factory=dict)

    def take(self, fields: Fields) -> None:
        """What another record says of it, where that says anything."""
        for key, value in fields.value.items():
            if key not in self.entries or value not in (None, {}, []):
                self.entries[key] = (value, join(fields.place, key))

    def get(self, name: str) -> Json:
        return self.entries.get(name, (None, ""))[0]

    def text(self, name: str) -> str | None:
        value = self.get(name)
        return value if isinstance(value, str) and value else None

    def object(self, name: str) -> Fields:
        value, place = self.entries.get(name, (None, self.place))
        return Fields(value if isinstance(value, dict) else {}, place)


def read(source: Source) -> Iterator[Item]:
    """Each trace as a turn of its thread, or by itself."""
    report, counts = Report(), RecordCounts()
    builder = ConversationBuilder(source)
    runs: dict[str, _StatedRun] = {}
    said = Feedback()
    if isinstance(source.value, dict) and any(name in source.value for name in _LISTS):
        said.take(source.value, "", report)
    for fields, above in _records(source.value, report):
        source.tick()
        said.take(fields.value, fields.place, report, _identity(fields))
        if not any(name in fields.value for name in ("id", "run_type", "dotted_order")):
            counts.unknown("record", fields.place)
            continue
        run = runs.setdefault(_identity(fields), _StatedRun(fields.place))
        run.take(fields)
        if above and run.text("parent_run_id") is None:
            run.entries["parent_run_id"] = (above, fields.place)
        counts.understood()
    roots = _roots(runs)
    threads = _threads(runs, roots)
    for identity, run in runs.items():
        source.tick()
        trace = run.text("trace_id") or roots[identity]
        builder.recording.take(_recorded(identity, trace, run, runs, threads))
    yield from said.reported(builder.rest())
    counts.understood(said.count)
    yield counts.finding()
    yield from report.drain()


def _records(value: Json, report: Report) -> Iterator[tuple[Fields, str]]:
    """Every record of a run, with the id of the run it stands in."""
    whole = (
        report.bounded_list(value, "")
        if isinstance(value, list)
        else [Fields(value, "")]
        if isinstance(value, dict)
        else []
    )
    for fields in whole:
        lists = [name for name in _LISTS if isinstance(fields.get(name), list)]
        for listed in [report.bounded(fields, name) for name in lists] if lists else [[fields]]:
            for run in listed:
                yield from _with_children(run, "", report, 0)


def _with_children(run: Fields, above: str, report: Report, depth: int) -> Iterator[tuple[Fields, str]]:
    yield run, above
    if depth < _DEEPEST:
        for child in report.bounded(run, "child_runs"):
            yield from _with_children(child, _identity(run), report, depth + 1)


def _identity(run: Fields) -> str:
    """The id, else the end of the dotted order, which some clients state alone."""
    stated = run.text("id")
    ordered = (run.text("dotted_order") or "").rpartition(".")[2].partition("Z")[2]
    return stated or ordered or run.place


def _roots(runs: dict[str, _StatedRun]) -> dict[str, str]:
    """The run at the top of each; of a circle, one of its runs."""
    roots: dict[str, str] = {}
    for identity in runs:
        way: dict[str, None] = {}
        at = identity
        while at not in roots and at not in way:
            way[at] = None
            above = _above(at, runs)
            at = at if above is None else above
        root = roots.get(at, at)
        roots.update(dict.fromkeys(way, root))
    return roots


def _above(identity: str, runs: dict[str, _StatedRun]) -> str | None:
    """The run above: as stated, else as the dotted order says."""
    stated = runs[identity].text("parent_run_id")
    if stated is None:
        parts = (runs[identity].text("dotted_order") or "").split(".")
        stated = parts[-2].partition("Z")[2] if len(parts) > 1 else None
    return stated if stated in runs else None


def _threads(runs: dict[str, _StatedRun], roots: dict[str, str]) -> dict[str, str]:
    """The thread of each trace, where one of its runs states it."""
    threads: dict[str, str] = {}
    for identity, run in runs.items():
        metadata = run.object("extra").object("metadata") or Fields({}, "")
        thread = next((text for name in _SESSIONS if (text := metadata.text(name))), None)
        if thread is not None:
            threads.setdefault(run.text("trace_id") or roots[identity], thread)
    return threads


def _recorded(
    identity: str, trace: str, run: _StatedRun, runs: dict[str, _StatedRun], threads: dict[str, str]
) -> Recorded:
    above = _above(identity, runs)
    kind = _KINDS.get(run.text("run_type") or "", SpanKind.OTHER)
    name = run.text("name") or run.text("run_type") or ""
    if kind is SpanKind.OTHER and (above is None or _NAMED_AGENT in name.lower()):
        kind = SpanKind.RUN if above is None else SpanKind.AGENT
    start, took = interval(run.get("start_time"), run.get("end_time"), None)
    span = Span(identity, name, kind, above, start, took, run.text("error"), run.place)
    session = threads.get(trace)
    return Recorded(
        trace, span, Attributes.given(_attributes(run, kind, name)), {"session.id": session} if session else {}
    )


def _attributes(run: _StatedRun, kind: SpanKind, name: str) -> dict[str, tuple[Json, str]]:
    """What was recorded, by the names that other readers of spans know, each with its place."""
    if kind is SpanKind.TOOL:
        given: dict[str, tuple[Json, str]] = {"gen_ai.tool.name": (name, run.entries.get("name", ("", run.place))[1])}
        for key, known in (("inputs", "gen_ai.tool.call.arguments"), ("outputs", "gen_ai.tool.call.result")):
            if run.get(key) is not None:
                given[known] = _only_value(*run.entries[key])
        return given
    if kind not in (SpanKind.MODEL, SpanKind.RUN):
        return {"gen_ai.agent.name": (name, run.place)} if kind is SpanKind.AGENT else {}
    entries: dict[str, tuple[Json, str]] = {}
    for key, known in (("inputs", "gen_ai.input.messages"), ("outputs", "gen_ai.output.messages")):
        messages = _messages(run.object(key))
        if messages is not None:
            entries[known] = messages
    if kind is SpanKind.MODEL:
        entries.update(_tokens(run))
        entries.update(_model(run))
    return entries


def _only_value(value: Json, place: str) -> tuple[Json, str]:
    """The input or output of a tool, taken out of the one key that LangChain puts around texts and results."""
    if isinstance(value, dict) and len(value) == 1:
        key = next(iter(value))
        if key in ("input", "output"):
            return value[key], join(place, key)
    return value, place


def _messages(held: Fields) -> tuple[Json, str] | None:
    """Messages of a service or of LangChain; what is taken out of others has the place of them all."""
    for key in ("messages", "choices", "generations", "input", "output", "role", "content"):
        value = held.value.get(key)
        if value in (None, [], {}):
            continue
        if key in ("role", "content"):
            return dict(held.value), held.place
        place = join(held.place, key)
        if isinstance(value, str):
            return value, place
        plain = [*_plain(value, 0)]
        if plain:
            return {"messages": [*plain]}, place
    return None


def _plain(value: Json, depth: int) -> Iterator[JsonObject]:
    """The messages in lists of lists, choices, generations and LangChain's own form of its objects."""
    if isinstance(value, list) and depth < 4:
        for item in value:
            yield from _plain(item, depth + 1)
        return
    if not isinstance(value, dict):
        return
    inner = value.get("message")
    if isinstance(inner, dict) and depth < 4:
        reason = value.get("finish_reason")
        for message in _plain(inner, depth + 1):
            yield {**message, "finish_reason": reason} if isinstance(reason, str) else message
        return
    told = value.get("kwargs")
    names = value.get("id")
    if isinstance(told, dict) and isinstance(names, list) and names:
        role = _ROLES.get(str(names[-1]), "user")
        yield {"role": role, **{key: told[key] for key in _OF_A_MESSAGE if key in told}}
    elif isinstance(value.get("role"), str):
        yield value
    elif isinstance(kind := value.get("type"), str) and kind in _ROLES:
        yield {**value, "role": _ROLES[kind]}
    elif isinstance(text := value.get("text"), str):
        yield {"role": "assistant", "content": text}


def _tokens(run: _StatedRun) -> Iterator[tuple[str, tuple[Json, str]]]:
    outputs = run.object("outputs")
    inner = outputs.object("llm_output") or Fields({}, "")
    stated = (outputs.object("usage_metadata"), outputs.object("usage"), inner.object("token_usage"))
    usage = next((one for one in stated if one is not None), None)
    own = Fields({name: value for name, (value, _place) in run.entries.items()}, run.place)
    for known, names in _TOKENS.items():
        for owner in (usage, own):
            name = next((one for one in names if owner is not None and count_of(owner.get(one)) is not None), None)
            if owner is not None and name is not None:
                yield known, (owner.value[name], run.entries[name][1] if owner is own else join(owner.place, name))
                break
    for known, (holder, name) in _DETAILS.items():
        details = usage.object(holder) if usage is not None else None
        if details is not None and count_of(details.get(name)) is not None:
            yield known, (details.value[name], join(details.place, name))


def _model(run: _StatedRun) -> Iterator[tuple[str, tuple[Json, str]]]:
    metadata = run.object("extra").object("metadata") or Fields({}, "")
    outputs = run.object("outputs")
    for owner in (outputs, outputs.object("llm_output"), metadata, run.object("inputs")):
        for name in _MODELS:
            if owner is not None and owner.text(name):
                yield "llm.model_name", (owner.value[name], owner.pointer(name))
                return


IMPLEMENTATION = Implementation(read=read)
