"""Labels as lines, which of them count, and how sets become one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.helpers.campaigns import examples
from trace_inspector.core.review.label import Answer, Label, Level, Split, moment
from trace_inspector.core.review.label_lines import LONGEST_LINE_BYTES, label_line, read_label, read_labels
from trace_inspector.core.review.label_sets import current, merged, ordered, undecided

SUBJECT = "ab" * 32
WHOLE = Label(
    SUBJECT,
    Level.TURN,
    "overall",
    Answer.FAIL,
    overrules=True,
    note="Wrong day.\nTwice \ud83d",
    tags=("wrong date", "tool"),
    first_fault="call/2",
    rater="Ana",
    at="2026-11-29T08:30:00.250000Z",
    seconds=12.5,
    blind=True,
    split=Split.DEV,
    file="a.json",
    case="c1",
    trace="t1",
    turn=0,
    unknown='{"mood":"sunny","n":6}',
)
_KEYS = st.sampled_from([SUBJECT, "cd" * 32])
_LABELS = st.lists(
    st.builds(
        Label,
        subject=_KEYS,
        level=st.just(Level.TURN),
        question=st.sampled_from(["overall", "m"]),
        value=st.sampled_from([*Answer, 0.5, None]),
        rater=st.sampled_from(["Ana", "Ben"]),
        at=st.sampled_from(["", *map(moment, (1.0, 2.0))]),
        note=st.sampled_from(["", "x"]),
    ),
    max_size=8,
)


def _line(**members: object) -> bytes:
    return json.dumps({"subject": SUBJECT, "level": "turn", "question": "overall"} | members).encode()


def test_a_label_is_what_was_written_with_what_this_version_does_not_know() -> None:
    line = label_line(WHOLE)
    assert "\n" not in line
    assert read_label(line.encode()) == WHOLE
    assert json.loads(line)["mood"] == "sunny"
    assert json.loads(line)["turn"] == 0
    assert label_line(Label(SUBJECT, Level.TURN, "overall")) == (
        f'{{"subject": "{SUBJECT}", "level": "turn", "question": "overall"}}'
    )


@pytest.mark.parametrize(("value", "read"), [(0, 0.0), (3, 3.0), (0.25, 0.25), ("pass", Answer.PASS)])
def test_a_value_is_a_word_or_a_number(value: object, read: object) -> None:
    label = read_label(_line(value=value))
    assert label.value == read
    assert json.loads(label_line(label))["value"] == value


def test_times_of_every_zone_sort_as_text() -> None:
    ats = ["2026-11-29T09:30:00+01:00", "2026-11-29T08:30:00", 1796545800, "2026-11-29T08:30:00.000001Z"]
    read = [read_label(_line(at=at)).at for at in ats]
    assert read[0] == read[1] == "2026-11-29T08:30:00.000000Z"
    assert len({*map(len, read)}) == 1
    assert read[0] < read[3]


@pytest.mark.parametrize(
    ("members", "word"),
    [
        ({"subject": "AB" * 32}, "“subject”"),
        ({"subject": None}, "“subject”"),
        ({"level": "Turn"}, "case, turn, call, sentence"),
        ({"level": []}, "“level”"),
        ({"question": ""}, "“question” is empty"),
        ({"question": "q" * 1001}, "“question”"),
        ({"value": "PASS"}, "pass, fail, unsure, withdrawn"),
        ({"value": True}, "“value”"),
        ({"value": 10**400}, "“value”"),
        ({"overrules": 1}, "true or false"),
        ({"note": "n" * 100_001}, "“note”"),
        ({"tags": "a"}, "“tags”"),
        ({"tags": [1]}, "“tags”"),
        ({"tags": ["a"] * 101}, "“tags”"),
        ({"first_fault": "call/-1"}, "“first_fault”"),
        ({"at": "yesterday"}, "“at”"),
        ({"at": 1e300}, "“at”"),
        ({"seconds": -1}, "“seconds”"),
        ({"split": "train"}, "dev, test"),
        ({"turn": 1.5}, "“turn”"),
        ({"turn": True}, "“turn”"),
    ],
)
def test_what_is_no_label_is_said_with_its_member(members: dict[str, object], word: str) -> None:
    read = read_labels([b"\n", _line(**members)])
    assert not read.labels
    (finding,) = read.findings
    assert finding.line == 2
    assert word in finding.message


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (b"[]", "no JSON object"),
        (b"{", "no JSON"),
        (b'{"a": NaN}', "no JSON"),
        (b"\xff\xfe", "UTF-8"),
        (b"[" * 100_000, "no JSON"),
        (b'{"subject": "' + SUBJECT.encode() + b'"}', "“level” is missing"),
        (b" " * 5 + b"x" * (LONGEST_LINE_BYTES + 1), "longer than"),
    ],
)
def test_bad_lines_are_said_and_the_others_count(line: bytes, word: str) -> None:
    read = read_labels([b"\xef\xbb\xbf" + _line(value="pass"), line, _line(value="fail")])
    assert [label.value for label in read.labels] == [Answer.PASS, Answer.FAIL]
    assert [finding.line for finding in read.findings] == [2]
    assert word in read.findings[0].message


def test_a_thousand_bad_lines_are_counted() -> None:
    findings = read_labels([b"?"] * 1000).findings
    assert len(findings) == 101
    assert "900 more lines" in findings[-1].message


def test_the_later_label_of_the_same_rater_counts_wherever_it_stands() -> None:
    early, late = replace(WHOLE, at=moment(1.0), value=Answer.PASS), replace(WHOLE, at=moment(2.0))
    ben = replace(early, rater="Ben")
    for labels in ([early, late, ben], [late, ben, early]):
        assert current(labels) == {late.key: late, ben.key: ben}
    again = replace(early, value=Answer.UNSURE)  # of equal times the later line
    assert current([early, again])[early.key] is again
    assert current([early, late, replace(late, value=Answer.WITHDRAWN, at=moment(3.0))]) == {}
    assert current([early, replace(late, value=None)]) == {early.key: early}


@examples(200, 20_000)
@given(_LABELS, _LABELS)
def test_merging_is_the_same_either_way_and_twice(first: list[Label], second: list[Label]) -> None:
    both = merged(first, second)
    assert merged(second, first) == both
    assert merged(both, first) == both
    assert merged(second, both) == both
    assert merged(both, both) == both
    assert {*both} == {*first, *second}
    assert len({*both}) == len(both)


def test_merging_keeps_the_order_of_answers_without_a_time_unless_both_sides_have_their_own() -> None:
    passed, failed = (
        Label(SUBJECT, Level.TURN, "overall", value, rater="Ana") for value in (Answer.PASS, Answer.FAIL)
    )
    other = replace(passed, subject="cd" * 32)
    for first in ([passed, failed], [failed, passed]):
        for both in (merged(first, [other]), merged([other], first)):
            assert [label for label in both if label != other] == first
        assert merged(first, [first[0], other])[0:2] == first
        assert undecided([*first, other]) == 1
    assert undecided([passed, failed, replace(passed, at=moment(1.0))]) == 0
    assert undecided([passed, passed, replace(failed, value=None), other]) == 0


@given(_LABELS)
def test_merging_with_itself_or_nothing_does_not_change_what_counts(labels: list[Label]) -> None:
    assert current(merged(labels, labels)) == current(labels)
    assert current(merged([], labels)) == current(ordered(labels)) == current(labels)


@examples(100, 5_000)
@given(_LABELS)
def test_every_label_is_read_as_it_was_written(labels: list[Label]) -> None:
    assert [*read_labels(label_line(label).encode() for label in labels).labels] == labels
