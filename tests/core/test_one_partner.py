"""However alike calls are, each has one partner at most, and none is lost."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from trace_inspector.core.alignment.turn_alignment import align_calls
from trace_inspector.core.trace.parts import ToolCall

ALIKE = st.lists(
    st.builds(
        ToolCall,
        st.sampled_from("fg"),
        st.fixed_dictionaries({"x": st.just(1), "y": st.integers(1, 2), "z": st.integers(1, 4)}),
    ),
    max_size=5,
)


def calls(*words: str) -> list[ToolCall]:
    """`f23` is a call of f with y=2 and z=3."""
    return [ToolCall(word[0], {"x": 1, "y": int(word[1]), "z": int(word[2])}) for word in words]


@examples(150, 5_000)
@example(calls("g23", "f22", "f22"), calls("f21", "g11", "g13"))  # two of f are like one, and crossed by g
@example(calls("f21", "f21", "g11", "g22"), calls("g23", "g22", "f12", "g12"))
@given(ALIKE, ALIKE)
def test_every_call_is_in_one_pair(expected: list[ToolCall], observed: list[ToolCall]) -> None:
    found = align_calls(expected, observed)
    assert sorted(pair.expected for pair in found if pair.expected is not None) == [*range(len(expected))]
    assert sorted(pair.observed for pair in found if pair.observed is not None) == [*range(len(observed))]
