"""Rebuilds the contents of an open file in a child from the bodies that the window holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import ReadError
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Contents, Item, collect
from trace_inspector.core.rows.safe_unpickle import Unreadable, unpack
from trace_inspector.core.trace import long_turn
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.trace import Trace, Turn


class Bodies(Struct, frozen=True):
    """An open file whose bodies follow in the payload, in file order."""

    path: str
    format: str
    count: int
    digest: str = ""
    criteria: Criteria | None = None  # those the file itself records


def rebuild(body: Bodies, incoming: Iterator[bytes]) -> Contents:
    """Take that file's bodies from what comes in."""
    contents = collect(body.format, _items([next(incoming) for _ in range(body.count)]))
    return replace(contents, criteria=body.criteria)


def _items(bodies: Sequence[bytes]) -> Iterator[Item]:
    """Bodies as the row writer made them, back to what the reader gave: cases into suites, turns into their place.

    Spans outside of turns are bodies of their own; nothing that is rebuilt reads them.
    """
    suite: Suite | None = None
    cases: list[tuple[Case, list[Turn]]] = []
    for body in long_turn.with_whole_turns(map(unpack, bodies)):
        match body:
            case Unreadable() as lost:
                raise ReadError(lost.sentence)
            case Suite() as item:
                if suite is not None:
                    yield _whole(suite, cases)
                suite, cases = item, []
            case Case() as item:
                cases.append((item, []))
            case Turn() as item if suite is not None:
                cases[-1][1].append(item)
            case Turn() | Trace() as item:
                if suite is not None:
                    yield _whole(suite, cases)
                suite = None
                yield item
    if suite is not None:
        yield _whole(suite, cases)


def _whole(suite: Suite, cases: Sequence[tuple[Case, list[Turn]]]) -> Suite:
    return replace(suite, cases=tuple(replace(case, turns=tuple(turns)) for case, turns in cases))
