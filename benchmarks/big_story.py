"""The story that the large files tell: a stock-keeping agent asked the same kind of question over and over."""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.values.values import Json

SPANS_PER_TURN = 96
SCOPE, SCOPE_VERSION = "gcp.vertex.agent", "1.22.1"
FIRST_START_NS = 1_760_000_000_000_000_000
TURN_NS = 4_000_000_000
STORES = ("Aarhus", "Bergen", "Chur", "Delft", "Espoo", "Faro", "Graz")
_INSTRUCTED = (
    "You keep the stock of a chain of stores. Look every figure up before you name it. "
    "Say which store and which article a figure belongs to. If a store is unknown, ask which one is meant. "
)
INSTRUCTION = _INSTRUCTED * 9
PLUMBING = ("POST /rpc", "POST /rpc http send", "queue.enqueue_event", "queue.dequeue_event", "queue.task_done")


class BigSpan(Struct, frozen=True):
    """One span, before it is written in some format."""

    name: str
    number: int
    parent: int | None
    start_ns: int
    duration_ns: int
    scope: str
    kind: str
    attributes: dict[str, str | int]


class Exchange(Struct, frozen=True):
    """What is said and looked up in one turn."""

    turn: int

    @property
    def store(self) -> str:
        """The store that is asked about."""
        return STORES[self.turn % len(STORES)]

    @property
    def article(self) -> str:
        """The article that is asked about."""
        return f"A-{self.turn % 9_973:05d}"

    @property
    def question(self) -> str:
        """The user's words."""
        return f"How many of article {self.article} are on the shelves in {self.store}? This is question {self.turn}."

    @property
    def answer(self) -> str:
        """The agent's answer."""
        return f"There are {self.found['on_shelf']} pieces of article {self.article} on the shelves in {self.store}."

    @property
    def args(self) -> dict[str, Json]:
        """What the tool is asked."""
        return {"article": self.article, "store": self.store}

    @property
    def found(self) -> dict[str, Json]:
        """What the tool answers."""
        return {**self.args, "on_shelf": self.turn * 7 % 90 + 3, "counted": "2026-03-04"}


def spans_of(
    turn: int, session: str = "stock-session", spans: int = SPANS_PER_TURN, *, brief: bool = False
) -> Iterator[BigSpan]:
    """The 96 spans of one turn: a run, an agent, two model calls, a tool call, and the plumbing around them.

    With fewer `spans` there is less plumbing; where it is `brief`, the model is told once what it is told nine times.
    """
    said = Exchange(turn)
    base, start = turn * SPANS_PER_TURN, FIRST_START_NS + turn * TURN_NS
    root, run, agent = base, base + 1, base + 2

    def own(
        name: str, offset: int, parent: int, at_ms: int, for_ms: int, attributes: dict[str, str | int]
    ) -> BigSpan:
        number = base + offset
        return BigSpan(
            name, number, parent, start + at_ms * 1_000_000, for_ms * 1_000_000, SCOPE, "internal", attributes
        )

    yield BigSpan("POST /", root, None, start, 3_000_000_000, "http", "server", {"http.method": "POST"})
    yield own("invocation", 1, root, 10, 2_900, {})
    yield own("invoke_agent stock_agent", 2, run, 20, 2_800, {"gen_ai.agent.name": "stock_agent"})
    history: list[Json] = [{"role": "user", "parts": [{"text": said.question}]}]
    call: Json = {"function_call": {"name": "get_stock", "args": said.args}}
    asked: Json = {"role": "model", "parts": [call]}
    got: Json = {"role": "user", "parts": [{"function_response": {"name": "get_stock", "response": said.found}}]}
    told: Json = {"role": "model", "parts": [{"text": said.answer}]}
    yield own("call_llm", 3, agent, 30, 1_100, _model_call(said, session, history, asked, 900, brief))
    yield own("execute_tool get_stock", 4, agent, 1_200, 400, _tool_call(said))
    answered = _model_call(said, session, [*history, asked, got], told, 960, brief)
    yield own("call_llm", 5, agent, 1_700, 1_000, answered)
    for offset in range(6, spans):
        name = PLUMBING[offset % len(PLUMBING)]
        at_ns = start + offset * 20_000_000
        yield BigSpan(name, base + offset, root, at_ns, 11_000 + offset, "transport", "client", _plumbing(offset))


def _model_call(
    said: Exchange, session: str, contents: list[Json], reply: Json, tokens_in: int, brief: bool
) -> dict[str, str | int]:
    request: Json = {
        "model": "gemini-2.5-flash",
        "config": {
            "system_instruction": _INSTRUCTED if brief else INSTRUCTION,
            "tools": [{"function_declarations": [_DECLARATION]}],
        },
        "contents": contents,
    }
    usage: Json = {"prompt_token_count": tokens_in, "candidates_token_count": 24, "total_token_count": tokens_in + 24}
    response: Json = {"content": reply, "finish_reason": "STOP", "usage_metadata": usage}
    return {
        "gen_ai.system": SCOPE,
        "gen_ai.request.model": "gemini-2.5-flash",
        "gen_ai.usage.input_tokens": tokens_in,
        "gen_ai.usage.output_tokens": 24,
        "gcp.vertex.agent.invocation_id": f"e-{said.turn:06d}",
        "gcp.vertex.agent.session_id": session,
        "gcp.vertex.agent.event_id": f"event-{said.turn:06d}-{len(contents)}",
        "gcp.vertex.agent.llm_request": json.dumps(request),
        "gcp.vertex.agent.llm_response": json.dumps(response),
    }


_DECLARATION: Json = {
    "name": "get_stock",
    "description": "How many pieces of an article a store has.",
    "parameters": {"type": "OBJECT", "properties": {"article": {"type": "STRING"}, "store": {"type": "STRING"}}},
}


def _tool_call(said: Exchange) -> dict[str, str | int]:
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "get_stock",
        "gen_ai.tool.call.id": f"adk-{said.turn:06d}",
        "gcp.vertex.agent.tool_call_args": json.dumps(said.args),
        "gcp.vertex.agent.tool_response": json.dumps(said.found),
    }


def _plumbing(offset: int) -> dict[str, str | int]:
    return {
        "http.method": "POST",
        "http.status_code": 200,
        "http.url": f"http://stock.example/rpc/events/{offset:04d}",
        "otel.status_code": "OK",
    }
