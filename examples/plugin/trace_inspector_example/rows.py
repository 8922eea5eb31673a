"""The rows: they are imported to be listed, so they import what reads and judges when that is needed."""

from __future__ import annotations

from trace_inspector.extending import Format, Implementation, Method, Metric


def _recognise(value: object) -> int:
    """How sure it is, from 0 to 100, that a parsed document is in this format."""
    return 95 if isinstance(value, dict) and isinstance(value.get("dialogue"), list) else 0


def _reader() -> Implementation:
    from trace_inspector_example.dialogue import IMPLEMENTATION

    return IMPLEMENTATION


def _no_apologies() -> Method:
    from trace_inspector_example.no_apologies import METHOD

    return METHOD


DIALOGUE = Format(
    name="example-dialogue",
    title="Example dialogue",
    system="Example",
    short="dialogues",
    holds="one conversation, a line of [who, what] each",
    recognise=_recognise,
    load=_reader,
)

NO_APOLOGIES = Metric(
    name="no_apologies",
    title="No sorry",
    family="example",
    meaning="The share of answers that do not apologise.",
    load=_no_apologies,
    reads=("final answer",),
    default_threshold=1.0,
)
