from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.errors import ReadError, Stopped
from trace_inspector.core.values.values import Json
from trace_inspector.documents.base.document import Container
from trace_inspector.documents.reading.reading import parse
from trace_inspector.documents.text.warnings import MAX_DEPTH
from trace_inspector.documents.yaml import document as yaml_document
from trace_inspector.documents.yaml.view import MAX_ALIASED

ALIAS_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{after}: &{after} [{', '.join(['*' + before] * 9)}]\n"
    for before, after in zip("abcdefghijklmno", "bcdefghijklmnop", strict=True)
)


def read(text: str | bytes, name: str = "x.yaml") -> tuple[Json, tuple[str, ...]]:
    document = parse(text if isinstance(text, bytes) else text.encode(), Path(name))
    assert document.container is Container.YAML
    found = tuple(f"{one.code}:{one.line}:{one.column} {one.pointer}" for one in document.findings)
    return document.value, found


VALUES: tuple[tuple[str, Json], ...] = (
    ("a: 1\nb: 1.0\nc: -0.5e3\nd: .5\ne: +7", {"a": 1, "b": 1.0, "c": -500.0, "d": 0.5, "e": 7}),
    ("- 0o17\n- 0xff\n- 0123\n- 1_000\n- 1:30", [15, 255, 123, "1_000", "1:30"]),
    ("- 340282366920938463463374607431768211455\n- 1e400\n- -.inf", [2**128 - 1, math.inf, -math.inf]),
    ("- ~\n- null\n-\n- Null\n- nUll", [None, None, None, None, "nUll"]),
    ("- true\n- False\n- tRue\n- y", [True, False, "tRue", "y"]),
    ("- '1'\n- \"true\"\n- |\n  1\n- >-\n  a\n  b\n", ["1", "true", "1\n", "a b"]),
    ("- !!str 1\n- !!int 2\n- !!float 3\n- ! 4\n- !!map {}\n- !!null ''", ["1", 2, 3.0, "4", {}, None]),
    ('- "\\x41\\u00e9\\U0001f600\\/\\t"\n- "a\\\n  b"', ["Aé😀/\t", "ab"]),
    ('- "\\ud83d\\ude00"\n- "\\\\ud83d"\n- \\ud83d\n- \'\\ud83d\'', ["😀", "\\ud83d", "\\ud83d", "\\ud83d"]),
    ('- "\\ue0e9\\uE100\\U0000e041"', ["\ue0e9\ue100\ue041"]),
    ("é: 日本語\n😀: [ü, '\ue0e9']", {"é": "日本語", "😀": ["ü", "\ue0e9"]}),
    ('- "a\u2028b\x85c\x7fd"\n- x\u2029y', ["a\u2028b\x85c\x7fd", "x\u2029y"]),
    ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
    ("a: &k b\n*k : c", {"a": "b", "b": "c"}),
    ("x: &x {a: 1, b: 2}\ny:\n  b: 3\n  <<: *x", {"x": {"a": 1, "b": 2}, "y": {"b": 3, "a": 1}}),
    ("<<: [{a: 1}, {a: 2, b: 2}]\nb: 3", {"a": 1, "b": 3}),
    ('"<<": {a: 1}', {"<<": {"a": 1}}),
    ("a: 1\n---\n- 2\n...\n---\n", [{"a": 1}, [2], None]),
    ("%YAML 1.2\n---\na: 1\n", {"a": 1}),
    ("# why\n\na: 1 # because\n", {"a": 1}),
    ("a: x\r\nb:\r\n  - y\r\n", {"a": "x", "b": ["y"]}),
    ('{"a": 1,\n\t"b": [{"c":"d"}]\n}', {"a": 1, "b": [{"c": "d"}]}),
    ("{a, b: , c: 1}", {"a": None, "b": None, "c": 1}),
    ("? a\n? b\n: c", {"a": None, "b": "c"}),
    ("[a: 1, b]", [{"a": 1}, "b"]),
)


@each(("text", "value"), VALUES)
def test_values_are_those_of_the_core_schema(text: str, value: Json) -> None:
    assert read(text)[0] == value
    assert repr(read(text)[0]) == repr(value)


@each("ahead", range(16))
def test_escapes_are_read_wherever_the_parser_takes_its_next_piece(ahead: int) -> None:
    before = "x" * ((1 << 16) - len('- "') - ahead)
    assert read(f'- "{before}\\ud83d\\ude00"\n')[0] == [before + "😀"]


ODD: tuple[tuple[bytes, Json, tuple[str, ...]], ...] = (
    (b"a: 1\nb: 2\na: 3\n", {"a": 3, "b": 2}, ("duplicate-key:3:1 /a",)),
    (b"1: a\n'1': b\n", {"1": "b"}, ("yaml-key:1:1 /1", "duplicate-key:2:1 /1")),
    (b"1: a\n~: b\n[x, y]: c\n", {"1": "a", "~": "b", "[x, y]": "c"}, ("yaml-key:1:1 /1",)),
    (b"- 2026-11-20\n- 2026-11-21T10:00:00Z\n", ["2026-11-20", "2026-11-21T10:00:00Z"], ("yaml-date:1:3 /0",)),
    (b"- yes\n- Off\n", ["yes", "Off"], ("yaml-old-boolean:1:3 /0",)),
    (b"- !custom 1\n- !x {a: 1}\n", ["1", {"a": 1}], ("yaml-tag:1:3 /0", "yaml-tag:2:3 /1")),
    (
        b"- !!python/object/apply:os.system [echo]\n- !!binary aGk=\n",
        [["echo"], "aGk="],
        ("yaml-tag:1:3 /0", "yaml-tag:2:3 /1"),
    ),
    (b"a: &a [*a, *b]\n", {"a": ["*a", "*b"]}, ("yaml-circle:1:8 /a/0", "yaml-unknown-alias:1:12 /a/1")),
    (b"a: &x 1\n---\n- *x\n", [{"a": 1}, ["*x"]], ("yaml-unknown-alias:3:3 /1/0",)),
    (b"<<: 1\n", {"<<": 1}, ("yaml-merge:1:1 /<<",)),
    (b"<<: {a: 1}\na: 2\na: 3\n", {"a": 3}, ("duplicate-key:3:1 /a",)),
    (b"- " + b"1" * 4301, [math.inf], ("huge-number:1:3 /0",)),
    (b"a: \xff\xc3\xa9\n", {"a": "\udcff\xe9"}, ("invalid-utf-8:1:4 ",)),
    (b"\xef\xbb\xbfa: 1\n", {"a": 1}, ("byte-order-mark:1:1 ",)),
    ("\ufeffé: [日\n]\nb:\nb: 3".encode("utf-16-le"), {"é": ["日"], "b": 3}, ("utf-16:1:1 ", "duplicate-key:4:1 /b")),
    ("é: 1\nb: c: d\n".encode(), {"é": 1, "b": "c"}, ("yaml-syntax:2:5 ",)),
    (b"a: 1\nb:\n\t- c\n", {"a": 1, "b": None}, ("yaml-syntax:3:1 ",)),
    (b"a: [1, {b: 2\n", {"a": [1, {"b": 2}]}, ("yaml-syntax:2:1 ",)),
    (b'- 1\n- "cut o', [1], ("yaml-syntax:2:9 ",)),
    (b"- 1\n- \x01x" + b"y" * 80, [1, "\x01x" + "y" * 80], ()),
)  # fmt: skip


@each(("data", "value", "findings"), ODD, ids=lambda case: case[:30] if isinstance(case, bytes) else "")
def test_odd_files_are_read_with_findings(data: bytes, value: Json, findings: tuple[str, ...]) -> None:
    assert read(data) == (value, findings)


@each(
    ("text", "sentence", "place"),
    [
        ('\n"cut o', "unexpected end of stream", (2, 7)),
        ("%YAML 2.0\n---\na: 1\n", "incompatible", (1, 1)),
        ("\n only some\n prose.", "neither a mapping nor a list", (2, 2)),
        ("# nothing\n", "no value", (1, 1)),
        ("k" * 2000 + ": 1", "mapping values", (1, 2001)),
    ],
)
def test_what_holds_nothing_is_refused_in_one_sentence(text: str, sentence: str, place: tuple[int, int]) -> None:
    with pytest.raises(ReadError, match=sentence) as caught:
        parse(text.encode(), Path("x.yml"))
    assert (caught.value.line, caught.value.column) == place


def test_the_syntax_error_says_what_the_parser_says() -> None:
    (finding,) = parse(b"a: 1\nb: c: d\n", Path("x.yaml")).findings
    assert "mapping values are not allowed in this context" in finding.message


@each("text", ["[" * 100_000, "- " * 100_000, "a: [" * 50_000, "{a: " * 50_000, "? " * 50_000])
def test_deep_nesting_ends_in_findings(text: str) -> None:
    value, found = read(text)
    depth = 0
    while value:
        value = (
            value[0] if isinstance(value, list) else next(iter(value.values())) if isinstance(value, dict) else None
        )
        depth += 1
    assert depth <= MAX_DEPTH
    assert any(finding.startswith("yaml-syntax") for finding in found)


def test_what_is_nested_too_deep_is_stepped_over() -> None:
    value, found = read("a: " + "[" * 400 + "]" * 400 + "\nb: 1\n")
    assert isinstance(value, dict)
    assert value["b"] == 1
    assert [finding.split(":")[0] for finding in found] == ["too-deep"]


def size(value: Json) -> int:
    if isinstance(value, list):
        return 1 + sum(map(size, value))
    return 1 + sum(map(size, value.values())) if isinstance(value, dict) else 1


def test_an_alias_bomb_is_bounded() -> None:
    value, found = read(ALIAS_BOMB)
    assert size(value) < 3 * MAX_ALIASED
    assert found[0].startswith("yaml-bomb:6:")


def test_a_merge_bomb_is_bounded() -> None:
    lines = [f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}], k{n}: 1}}\n" for n in range(1, 200)]
    value, found = read("a0: &a0 {x: 1}\n" + "".join(lines))
    assert size(value) < 3 * MAX_ALIASED
    assert any(finding.startswith("yaml-bomb") for finding in found)


def test_a_chain_of_aliases_is_no_deeper_than_anything_else() -> None:
    value, found = read("a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 400)))
    assert "too-deep:300:14 /a299/0" in found
    repr(value)


def test_a_large_file_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_document, "MAX_BYTES", 10)
    with pytest.raises(ReadError, match="64 MiB"):
        parse(b"a: 12345678", Path("x.yaml"))


def test_reading_can_be_stopped() -> None:
    calls = iter(range(10))

    def tick() -> None:
        if next(calls) == 5:
            raise Stopped

    with pytest.raises(Stopped):
        parse(b"- a\n" * 100_000, Path("x.yaml"), tick=tick)


@each(
    "text",
    [
        "name: value\nother: 1\n",
        "# a comment\n\nname:\n- 1\n",
        "---\n- a: 1\n",
        '"quoted": 1\nother: 2\n',
        "- [1, 2]\n- x\n",
        "conversations:\n  - user: hi\n",
        "name: value\nother: 1\n" + "".join(f"key{n}: 'a\n  b'\n" for n in range(10_000)),
    ],
)
def test_clear_yaml_is_read_whatever_its_name(text: str) -> None:
    for name in ("x", "x.json", "x.txt"):
        assert parse(text.encode(), Path(name)).container is Container.YAML


@each(
    "text",
    [
        "Note: all of this was said before.",
        "Dear Bob: this is it.\nYours, Alice",
        "- one thing\n- another thing\n",
        "Traceback (most recent call last):\n  File x\n",
        "INFO: it began\nINFO: it ended\n",
        "To whom it may concern here today: hello\nAnd: more\n",
        "just text",
    ],
)
def test_prose_stays_refused(text: str) -> None:
    with pytest.raises(ReadError, match="not JSON"):
        parse(text.encode(), Path("x.txt"))


@each("text", ['{"a": 1}', "[1, 2]", "{a: 1}", '{"a": 1}\n{"a": 2}', "// x\n{}", "1"])
def test_what_begins_like_json_is_json_unless_its_name_says_yaml(text: str) -> None:
    assert parse(text.encode(), Path("x.json")).container is not Container.YAML


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
TREES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)


@examples(40, 1000)
@given(
    st.lists(TREES, min_size=1, max_size=4) | st.dictionaries(st.text(max_size=8), TREES, min_size=1, max_size=4),
    st.sampled_from((None, True, False)),
    st.sampled_from(("", "'", '"', "|", ">")),
    st.booleans(),
)
def test_what_another_tool_writes_is_read_as_it_was(
    value: Json, flow: bool | None, style: str, letters: bool
) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow, default_style=style or None, allow_unicode=letters)
    assume(yaml.safe_load(text) == value)  # it folds next-line characters as if they were spaces
    assert read(text)[0] == value


@given(st.text(st.sampled_from("a1 :-?&*!|>'\"[]{},#\n\t%@`\\ué\x01~<"), max_size=60) | st.binary(max_size=60))
def test_no_input_raises_anything_but_a_read_error(text: str | bytes) -> None:
    with suppress(ReadError):
        parse(text if isinstance(text, bytes) else text.encode(), Path("x.yaml"))
