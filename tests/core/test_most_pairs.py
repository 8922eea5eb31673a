"""The largest pairing, held against trying every one."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.core.alignment.max_matching import max_matching

TABLES = st.integers(0, 4).flatmap(
    lambda rights: st.lists(st.lists(st.booleans(), min_size=rights, max_size=rights), max_size=4)
)


@given(TABLES)
def test_no_pairing_is_larger(table: list[list[bool]]) -> None:
    lefts, rights = len(table), len(table[0]) if table else 0
    found = max_matching(lefts, rights, lambda at, to: table[at][to])
    assert all(table[at][to] for at, to in found.items())
    assert len(set(found.values())) == len(found)
    padded = [*range(rights), *[-1] * lefts]
    best = max(
        sum(to >= 0 and table[at][to] for at, to in enumerate(chosen)) for chosen in permutations(padded, lefts)
    )
    assert len(found) == best


def test_of_very_many_the_first_that_fits_is_taken() -> None:
    found = max_matching(600, 600, lambda at, to: at == to)
    assert found == {at: at for at in range(600)}
    assert max_matching(1000, 1000, lambda at, to: to in (0, at)) == {0: 0, **{at: at for at in range(1, 1000)}}
