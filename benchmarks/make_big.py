"""Writes the large files of the measurements: always the same bytes for the same options.

The default is 96,000 spans in 1,000 turns, about 76 MB, as one Jaeger trace.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from benchmarks.big_story import SCOPE_VERSION, SPANS_PER_TURN, BigSpan, Exchange, spans_of
from trace_inspector.core.values.values import Json

OTLP_KINDS = {"internal": 1, "server": 2, "client": 3}


class Big(Struct, frozen=True):
    """How many turns, and whether they are one conversation or one trace each.

    Of the goldens one in `wrong_every` expects another call, and each holds so many `words` of the session's state.
    """

    turns: int = 1_000
    deep: bool = True
    spans_a_turn: int = SPANS_PER_TURN
    brief: bool = False
    wrong_every: int = 0
    words: int = 0

    def traces(self) -> Iterator[tuple[str, range]]:
        """Trace ids with their turns."""
        if self.deep:
            yield f"{1:032x}", range(self.turns)
        else:
            yield from ((f"{turn + 1:032x}", range(turn, turn + 1)) for turn in range(self.turns))

    def is_wrong(self, turn: int) -> bool:
        """Whether the golden of a turn expects another call than was made."""
        return bool(self.wrong_every) and turn % self.wrong_every == 0

    def spans(self, turn: int) -> Iterator[BigSpan]:
        """The spans of one turn; what is a trace of its own is a conversation of its own."""
        session = "stock-session" if self.deep else f"stock-session-{turn:06d}"
        return spans_of(turn, session, self.spans_a_turn, brief=self.brief)


def write_jaeger(big: Big, out: TextIO) -> None:
    """As the Jaeger interface exports traces."""
    out.write('{"data":[')
    for at, (trace_id, turns) in enumerate(big.traces()):
        out.write("," if at else "")
        out.write(f'{{"traceID":"{trace_id}","spans":[')
        _joined(out, (_jaeger_span(trace_id, span) for turn in turns for span in big.spans(turn)))
        out.write('],"processes":{"p1":{"serviceName":"stock_agent","tags":[]}},"warnings":null}')
    out.write('],"total":0,"limit":0,"offset":0,"errors":null}\n')


def write_otlp(big: Big, out: TextIO) -> None:
    """As a collector writes OTLP in JSON."""
    out.write('{"resourceSpans":[')
    for at, (trace_id, turns) in enumerate(big.traces()):
        resource: Json = {"attributes": [{"key": "service.name", "value": {"stringValue": "stock_agent"}}]}
        out.write("," if at else "")
        out.write(f'{{"resource":{_compact(resource)},"scopeSpans":[')
        _joined(out, _otlp_scopes(big, trace_id, turns))
        out.write("]}")
    out.write("]}\n")


def write_otlp_lines(big: Big, out: TextIO) -> None:
    """As a collector writes OTLP into a file: an envelope a line, here the spans of a turn."""
    resource: Json = {"attributes": [{"key": "service.name", "value": {"stringValue": "stock_agent"}}]}
    for trace_id, turns in big.traces():
        for turn in turns:
            scopes = list(_otlp_scopes(big, trace_id, range(turn, turn + 1)))
            out.write(_compact({"resourceSpans": [{"resource": resource, "scopeSpans": scopes}]}) + "\n")


def write_golden(big: Big, out: TextIO) -> None:
    """An ADK eval set that every turn passes: one case for each trace."""
    _write_set("stock", _cases(big), out)


def write_golden_parts(big: Big, cases: int, folder: Path) -> None:
    """The same as a folder of eval sets, each with that many cases."""
    folder.mkdir()
    waiting = _cases(big)
    for part in itertools.count(1):
        own = list(itertools.islice(waiting, cases))
        if not own:
            return
        with (folder / f"part-{part:03}.evalset.json").open("w", encoding="utf-8", newline="\n") as out:
            _write_set(f"stock_{part:03}", iter(own), out)


def _cases(big: Big) -> Iterator[Json]:
    for at, (_trace_id, turns) in enumerate(big.traces()):
        case: dict[str, Json] = {"eval_id": f"stock_{at:04d}"}
        case["conversation"] = [_invocation(Exchange(turn), wrong=big.is_wrong(turn)) for turn in turns]
        if big.words:
            shelves = " ".join(f"shelf {word * 31 + at}" for word in range(big.words // 2))
            case["session_input"] = {"app_name": "stock_agent", "user_id": "u-1", "state": {"shelves": shelves}}
        yield case


def _write_set(name: str, cases: Iterator[Json], out: TextIO) -> None:
    out.write(f'{{"eval_set_id":"{name}","name":"Stock","eval_cases":[')
    _joined(out, cases)
    out.write("]}\n")


WRITERS: dict[str, Callable[[Big, TextIO], None]] = {
    "jaeger": write_jaeger,
    "otlp": write_otlp,
    "otlp-lines": write_otlp_lines,
    "golden": write_golden,
}


def write(big: Big, kind: str, path: Path) -> Path:
    """Write one file; the same options give the same bytes."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        WRITERS[kind](big, out)
    return path


def main(argv: Sequence[str] | None = None) -> None:
    """`python -m benchmarks.make_big OUT [--format otlp] [--many] [--turns N] [--spans N] [--golden OUT]`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--format", choices=("jaeger", "otlp", "otlp-lines"), default="jaeger")
    parser.add_argument("--many", action="store_true", help="one trace for each turn instead of one for all")
    parser.add_argument("--turns", type=int, default=1_000)
    parser.add_argument("--spans", type=int, default=SPANS_PER_TURN, help="of a turn; with fewer it is mostly talk")
    parser.add_argument("--brief", action="store_true", help="of instructions a ninth")
    parser.add_argument("--golden", type=Path, help="write the eval set that the traces pass, too")
    parser.add_argument("--golden-cases", type=int, help="at most so many in a set: --golden is a folder of several")
    options = parser.parse_args(argv)
    big = Big(options.turns, deep=not options.many, spans_a_turn=options.spans, brief=options.brief)
    write(big, options.format, options.out)
    if options.golden and options.golden_cases:
        write_golden_parts(big, options.golden_cases, options.golden)
    elif options.golden:
        write(big, "golden", options.golden)
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.1f} MB")


def _compact(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))


def _joined(out: TextIO, values: Iterator[Json]) -> None:
    for at, value in enumerate(values):
        out.write("," if at else "")
        out.write(_compact(value))


def _span_id(number: int) -> str:
    return f"{number + 1:016x}"


def _jaeger_span(trace_id: str, span: BigSpan) -> Json:
    tags: list[Json] = [
        {"key": key, "type": "int64" if isinstance(value, int) else "string", "value": value}
        for key, value in (
            ("otel.scope.name", span.scope),
            ("otel.scope.version", SCOPE_VERSION),
            ("span.kind", span.kind),
            *span.attributes.items(),
        )
    ]
    parent: list[Json] = []
    if span.parent is not None:
        parent.append({"refType": "CHILD_OF", "traceID": trace_id, "spanID": _span_id(span.parent)})
    return {
        "traceID": trace_id,
        "spanID": _span_id(span.number),
        "operationName": span.name,
        "references": parent,
        "startTime": span.start_ns // 1_000,
        "duration": span.duration_ns // 1_000,
        "tags": tags,
        "logs": [],
        "processID": "p1",
        "warnings": None,
    }


def _otlp_scopes(big: Big, trace_id: str, turns: range) -> Iterator[Json]:
    for turn in turns:
        by_scope: dict[str, list[Json]] = {}
        for span in big.spans(turn):
            by_scope.setdefault(span.scope, []).append(_otlp_span(trace_id, span))
        for scope, spans in by_scope.items():
            yield {"scope": {"name": scope, "version": SCOPE_VERSION}, "spans": spans}


def _otlp_span(trace_id: str, span: BigSpan) -> Json:
    attributes: list[Json] = [
        {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}
        for key, value in span.attributes.items()
    ]
    value: dict[str, Json] = {
        "traceId": trace_id,
        "spanId": _span_id(span.number),
        "name": span.name,
        "kind": OTLP_KINDS[span.kind],
        "startTimeUnixNano": str(span.start_ns),
        "endTimeUnixNano": str(span.start_ns + span.duration_ns),
        "attributes": attributes,
    }
    if span.parent is not None:
        value["parentSpanId"] = _span_id(span.parent)
    return value


def _invocation(said: Exchange, *, wrong: bool) -> Json:
    args = {**said.args, "store": "Nowhere"} if wrong else said.args
    return {
        "invocation_id": f"e-{said.turn:06d}",
        "user_content": {"role": "user", "parts": [{"text": said.question}]},
        "final_response": {"role": "model", "parts": [{"text": said.answer}]},
        "intermediate_data": {"tool_uses": [{"name": "get_stock", "args": args}], "tool_responses": []},
    }


if __name__ == "__main__":
    main()
