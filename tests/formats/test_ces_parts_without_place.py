"""What a message of CES has no field for is named as lost, and nothing else is."""

from __future__ import annotations

import pytest

from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, Unknown
from trace_inspector.formats.ces.common.content_writer import message_json
from trace_inspector.formats.ces.common.losses import Losses


@pytest.mark.parametrize(
    ("part", "lost"),
    [
        (Unknown("of another system", {"a": 1}, "/x"), "parts"),
        (Code("1 + 1", place="/x"), "parts"),
        (Thought("Hm", "/x"), "thoughts"),
        (Media("image/png", uri="https://example.invalid/a.png", place="/x"), "media"),
    ],
)
def test_a_part_without_a_place_is_lost_and_named(part: Part, lost: str) -> None:
    losses = Losses()
    assert message_json((Text("Hello"), part), losses) == {"role": "agent", "chunks": [{"text": "Hello"}]}
    assert (losses.counts, losses.places) == ({lost: 1}, {lost: "/x"})
