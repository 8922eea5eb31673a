"""What is known of formats without importing them is what they say themselves."""

from __future__ import annotations

from trace_inspector.core.golden.golden_formats import GOLDEN_FORMATS, USUAL_FORMAT
from trace_inspector.formats import FORMATS


def test_the_formats_whose_goldens_can_be_edited() -> None:
    said = {known.name: known.title for known in FORMATS if known.editing is not None and known.write is not None}
    assert said == GOLDEN_FORMATS
    assert USUAL_FORMAT in said
