"""What a service's replies hold: JSON-RPC, results of MCP tools, operations, and exports of several kinds at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.ces.result.reply_envelopes import layers_of, opened
from trace_inspector.formats.common.fields import Report
from trace_inspector.formats.common.format import Format, Source

Surest = Callable[[Json], Format | None]

_MOST_LAYERS = 12
_LOOKED_AT = 100
# Of several formats in one file the first of these gives it its name.
_ORDER = ("ces-result", "ces-evaluation", "ces-conversation", "ces-run")


class _Held(Struct, frozen=True):
    """A document within a reply, and where it stands."""

    value: Json
    place: str


_Split = Callable[[Json, str, Report], Iterator[_Held]]


def replied(value: Json, surest: Surest) -> Format | None:
    """The format of what a reply holds, with a reader that finds it there; None for all that is no reply."""
    return _inner_format(value, _peeled, surest) if _is_wrapped(value) else None


def mixed(value: Json, surest: Surest) -> Format | None:
    """The same of a list whose documents are of several formats of CES."""
    return _inner_format(value, _elements, surest) if isinstance(value, list) else None


def _inner_format(value: Json, split: _Split, surest: Surest) -> Format | None:
    formats: dict[str, Format] = {}
    for element in islice(split(value, "", Report()), _LOOKED_AT):
        inner = _readable(surest(element.value))
        if inner is not None:
            formats.setdefault(inner.name, inner)
    if not formats:
        return None
    first = min(formats.values(), key=lambda inner: (*_ORDER, inner.name).index(inner.name))
    read = _reader(split, surest)
    read = _joining(read) if first.name == _ORDER[0] else read
    return replace(first.read_by(read), writes=False, edits=False, edits_goldens=False)


def _joining(read: Callable[[Source], Iterator[Item]]) -> Callable[[Source], Iterator[Item]]:
    def read_joined(source: Source) -> Iterator[Item]:
        from trace_inspector.formats.ces.result.result_join import joined_items

        return joined_items(read(source))

    return read_joined


def _readable(inner: Format | None) -> Format | None:
    """A format whose reader can begin within a document."""
    return inner if inner is not None and (inner.anywhere or inner.system == "CES") else None


def _reader(split: _Split, surest: Surest) -> Callable[[Source], Iterator[Item]]:
    def read(source: Source) -> Iterator[Item]:
        report = Report()
        for element in split(source.value, source.place, report):
            source.tick()
            inner = _readable(surest(element.value))
            if inner is None:
                message = "This part of the reply is none of the formats that are read there; it is left out."
                report.add(error("not-recognised", message, element.place))
                continue
            for item in inner.read(replace(source, value=element.value, place=element.place)):
                if isinstance(item, Finding):
                    report.add(item)
                else:
                    yield item
        report.add(info("in-a-reply", "What is shown stands within a reply of a service.", source.place))
        yield from report.drain()

    return read


def _is_wrapped(value: Json) -> bool:
    """Whether there is a layer to take off; asked of every file."""
    value = opened(value)
    if isinstance(value, list):
        return any(layers_of(element, "", Report()) is not None for element in value[:_LOOKED_AT])
    return layers_of(value, "", Report()) is not None


def _peeled(value: Json, place: str, report: Report, depth: int = 0) -> Iterator[_Held]:
    """The documents inside, layer after layer; the lines of a stream and the elements of a list one by one."""
    value = opened(value)
    inner = layers_of(value, place, report) if depth < _MOST_LAYERS else None
    if inner is None and isinstance(value, list) and depth == 0:
        inner = [(element, join(place, index)) for index, element in enumerate(value)]
    if inner is None:
        yield _Held(value, place)
    else:
        for element, index in inner:
            yield from _peeled(element, index, report, depth + 1)


def _elements(value: Json, place: str, _report: Report) -> Iterator[_Held]:
    for index, element in enumerate(value if isinstance(value, list) else []):
        yield _Held(element, join(place, index))
