"""What is known of formats without importing them is what they say themselves."""

from __future__ import annotations

import pytest

from trace_inspector.core.golden.golden_formats import GOLDEN_FORMATS, USUAL_FORMAT
from trace_inspector.formats import FORMATS
from trace_inspector.formats.common.format import Format


def test_the_formats_whose_goldens_can_be_edited() -> None:
    said = {known.name: known.title for known in FORMATS if known.edits_goldens and known.writes}
    assert said == GOLDEN_FORMATS
    assert USUAL_FORMAT in said


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_a_row_says_of_its_format_what_holds(known: Format) -> None:
    made = known.load()
    assert known.writes == (made.write is not None)
    assert known.edits_goldens == (made.editing is not None)
    assert known.in_pieces == (made.shape is not None)
    assert known.writes or not made.layouts
    assert known.edits_goldens or made.renewed is None
