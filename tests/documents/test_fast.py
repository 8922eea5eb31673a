from __future__ import annotations

import gc
import json

import pytest

from trace_inspector.documents.json.strict import fast_value

REFUSED = (
    "",
    "[1,]",
    "[1] [2]",
    "// no\n1",
    "NaN",
    "[-Infinity]",
    '"\\ud83d"',
    "\ufeff1",
    "1" * 4301,
    "[" * 202 + "]" * 202,
    '{"a": 1',
    '"\t"',
    '{"a": 1, "a": 2}',
    '[{"b": [{"a": 1, "\\u0061": 2}]}]',
    '{"a\\\\": 1, "a\\\\": 2}',
    '{":": 1, ":": 2}',
)


@pytest.mark.parametrize("text", REFUSED)
def test_what_it_would_hide_or_cannot_read_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        fast_value(text.encode())


@pytest.mark.parametrize("space", [" ", "\t", "\n", "\r", " \n\t"])
def test_spaces_before_one_colon_do_not_hide_another_duplicate(space: str) -> None:
    assert fast_value(f'{{"a"{space}: 1, "b": 2}}'.encode()) == {"a": 1, "b": 2}
    with pytest.raises(ValueError, match="duplicate keys"):
        fast_value(f'{{"a"{space}: 1, "b": 2, "b": 3}}'.encode())


@pytest.mark.parametrize(
    "text", ['[": one", ":", {"a": ":"}]', '["\\": ", "\\" :", "\\\\"]', '["{\\"a\\":1,\\"a\\":2}"]']
)
def test_colons_inside_strings_are_no_keys(text: str) -> None:
    assert fast_value(text.encode()) == json.loads(text)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(enabled: bool) -> None:
    was_enabled = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        fast_value(b"[]")
        with pytest.raises(ValueError, match=r"."):
            fast_value(b"[")
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()
