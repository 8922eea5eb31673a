"""What the formulas of agent-eval read of some turns: spans, calls, results, tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from trace_inspector.core.trace.parts import ToolResult
from trace_inspector.core.trace.synthetic_spans import are_synthetic
from trace_inspector.core.trace.trace import Event, Span, SpanKind, Turn, Usage
from trace_inspector.engine.scoring.efficiency import Figures

NO_SPANS = "this formula reads the spans of agent-eval’s rows, and there are none"
NO_TOKENS = "no tokens are reported"
TRANSFER = "transfer_to_agent"
_SANDBOX = (
    "save_artifact", "load_artifact", "read_file", "write_file", "run_python_script", "execute_code", "save_to_file",
    "read_from_file",
)  # fmt: skip
_FAILURES = ("error", "error_message")
_CHUNKS = ("grounding_chunks", "groundingChunks")


class Work(Struct, frozen=True):
    """Some turns of a conversation."""

    turns: tuple[Turn, ...]

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans of all of them."""
        return tuple(span for turn in self.turns for span in turn.spans)

    @property
    def is_made_up(self) -> bool:
        """Whether a converter made the spans of events, so that they measure nothing."""
        return are_synthetic(self.spans)

    def spans_of(self, kind: SpanKind) -> list[Span]:
        """The spans of one kind, in their order."""
        return [span for span in self.spans if span.kind is kind]

    def events(self) -> Iterator[Event]:
        """Every event."""
        return (event for turn in self.turns for event in turn.events)

    def asked(self) -> list[tuple[Event, Usage]]:
        """The events that report tokens: each is a call of a model."""
        return [(event, event.usage) for event in self.events() if event.usage is not None]

    def tokens(self) -> Tokens:
        """The sum over all calls of models."""
        return Tokens.of(usage for _event, usage in self.asked())

    def results(self) -> list[ToolResult]:
        """Every answer of a tool."""
        return [part for event in self.events() for part in event.parts if isinstance(part, ToolResult)]


class Tokens(Struct, frozen=True):
    """Counts in which what is not reported is 0."""

    prompt: int = 0
    tool_use: int = 0
    candidates: int = 0
    thoughts: int = 0
    cached: int = 0

    @classmethod
    def of(cls, usages: Iterable[Usage]) -> Tokens:
        """The sum of several."""
        listed = list(usages)
        return cls(
            sum(usage.prompt or 0 for usage in listed),
            sum(usage.tool_use_prompt or 0 for usage in listed),
            sum(usage.candidates or 0 for usage in listed),
            sum(usage.thoughts or 0 for usage in listed),
            sum(usage.cached or 0 for usage in listed),
        )

    @property
    def total(self) -> int:
        """All of them; cached ones are among those of the prompt."""
        return self.prompt + self.tool_use + self.candidates + self.thoughts


class Measurement(Struct, frozen=True):
    """What a formula gives: a score or why there is none, with the figures behind it."""

    score: float | None
    reason: str = ""
    figures: Figures = ()


def tool_name(span: Span) -> str:
    """The tool of a span; ADK writes it after the operation."""
    return span.name.partition(" ")[2] or span.name


def in_sandbox(names: Iterable[str]) -> Iterator[str]:
    """Those of tools that read and write files or run code."""
    return (name for name in names if any(part in name for part in _SANDBOX))


def has_failed(result: ToolResult) -> bool:
    """Whether a tool's result reports a failure, by its status or by a key for errors."""
    value = result.value if isinstance(result.value, dict) else {}
    return value.get("status") == "error" or any(key in value for key in _FAILURES)


def chunks_of(event: Event) -> int:
    """The number of sources of a model's answer."""
    grounding = event.grounding if isinstance(event.grounding, dict) else {}
    chunks = next((grounding[name] for name in _CHUNKS if name in grounding), None)
    return len(chunks) if isinstance(chunks, list) else 0


def counted(names: Iterable[str]) -> Measurement:
    """The number of names, of different names, and of each."""
    by_name = Counter(names)
    figures = (("unique", float(len(by_name))), *((name, float(count)) for name, count in by_name.items()))
    return Measurement(float(by_name.total()), "", figures)


def share(part: int, whole: int, silence: str, figures: Figures = ()) -> Measurement:
    """A part of a whole; of nothing there is no share."""
    return Measurement(part / whole, "", figures) if whole else Measurement(None, silence, figures)
