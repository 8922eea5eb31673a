from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.views.tree.row_delegate import TextRun, call_runs

LINE = 'search_places(query="parking", radius_m=500)'


def test_the_name_is_heavy_argument_names_are_quiet_and_what_differs_is_tinted() -> None:
    at = LINE.index('"parking"')
    runs = call_runs(LINE, ((at, at + len('"parking"')),))
    assert runs[0] == TextRun("search_places(", "text", strong=True)
    assert TextRun("query", "text2") in runs
    assert TextRun("radius_m", "text2") in runs
    assert [run.text for run in runs if run.tinted] == ['"parking"']


def test_a_name_inside_a_string_is_a_value() -> None:
    assert [run.text for run in call_runs('say(text="a=b, c=d")', ()) if run.ink == "text2"] == ["text"]


@given(
    st.text(alphabet='ab(),=" \\.1é', max_size=60),
    st.lists(st.tuples(st.integers(0, 70), st.integers(0, 70)), max_size=3),
)
def test_the_pieces_make_up_the_line(label: str, tints: list[tuple[int, int]]) -> None:
    assert "".join(run.text for run in call_runs(label, tuple(tints))) == label
