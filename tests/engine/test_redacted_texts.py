"""Where redaction finds a value: behind keys in text that is no JSON, in other spellings, among very many."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.core.errors import UsageError
from trace_inspector.core.golden.golden import Case, Scenario, Session
from trace_inspector.core.golden.matcher import Match, Matcher, Note
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json
from trace_inspector.engine.redaction.blank import blanked
from trace_inspector.engine.redaction.known_texts import KnownTexts
from trace_inspector.engine.redaction.leak_check import leaks_in_report
from trace_inspector.engine.redaction.options import Redaction, with_secrets
from trace_inspector.engine.redaction.redactor import MARK, Redactor
from trace_inspector.flows.runs.redacted_reports import OF_FILES
from trace_inspector.flows.runs.requested_reports import RUN_REPORTS

SECRETS = with_secrets(Redaction())
VALUE = "hunter2secret"


@each(
    "text",
    [
        "https://x.example/?api_key={}&b=1",
        "grant_type=x&client_secret={}",
        "curl -H 'X-Api-Key: {}' https://x.example",
        'curl -H "Authorization: Bearer {}" https://x.example',
        "curl -u bob:{} https://x.example",
        "postgres://bob:{}@db/x",
        'Here it is:\n```json\n{{"password": "{}"}}\n```\nDone.',
        'It answered {{"password": "{}", "n": 1}}, so what?',
        'It answered "{{\\"password\\": \\"{}\\", \\"n\\": 1}}", so what?',
        'It answered {{"token": ["{}"]}}.',
        "{{'password': '{}', 'n': 1}}",
        "connect(password='{}')",
        "password = {}",
        "DB_PASSWORD={}\nPORT=1",
        '{{"password": "{}',
    ],
)  # fmt: skip
def test_secrets_in_text_are_taken_out_wherever_they_stand_again(text: str) -> None:
    told = Redactor(SECRETS).redacted([text.format(VALUE), f"it is {VALUE}"])
    assert told == [text.format(MARK), f"it is {MARK}"] or (told[1] == f"it is {MARK}" and VALUE not in told[0])


@each(
    ("value", "told"),
    [
        ([{"name": "X-Api-Key", "value": VALUE}], [{"name": "X-Api-Key", "value": MARK}]),
        ([["authorization", VALUE], ["accept", "json"]], [["authorization", MARK], ["accept", "json"]]),
        ([{"Authorization": f"Bearer {VALUE}"}, VALUE], [{"Authorization": MARK}, MARK]),
        ({"passwords": [VALUE]}, {"passwords": MARK}),
        ({"SecretString": VALUE, "pwd": VALUE}, {"SecretString": MARK, "pwd": MARK}),
        (["sk" + "_live_51H8abcdefghij", "hf" + "_abcdefghijklmnopqrstuvwxyz"], [MARK, MARK]),
        (["required", ["password", "email"]], ["required", ["password", "email"]]),
        ("Give me your password: null", "Give me your password: null"),
    ],
)  # fmt: skip
def test_commonest_forms(value: Json, told: Json) -> None:
    assert Redactor(SECRETS).redacted(value) == told


@pytest.mark.parametrize(
    "text",
    ["the name: Berlin is a city", "a name of two", "names=Berlin", "surname='Berlin'"],
)  # fmt: skip
def test_a_key_that_is_named_is_no_word_of_prose(text: str) -> None:
    assert Redactor(Redaction(("name",))).redacted(text) == text


SECRET = 'Zq"7\\kéW!<secret>'


@each(
    "spelled",
    [
        json.dumps(json.dumps(json.dumps(SECRET))),
        json.dumps(json.dumps(SECRET, ensure_ascii=False), ensure_ascii=False),
        quote(SECRET),
        quote(SECRET, safe=""),
        SECRET.upper(),
        one_line(SECRET),
    ],
)
def test_other_spellings(spelled: str) -> None:
    told = Redactor(Redaction(("password",))).redacted([{"password": SECRET}, f"see {spelled} there"])[1]
    assert MARK in str(told)
    assert "secret" not in str(told).casefold()


@pytest.mark.parametrize("before", ["", "a", "ab"])
def test_base64(before: str) -> None:
    written = base64.b64encode(f"{before}{VALUE}:more".encode()).decode()
    told = Redactor(Redaction(("password",))).redacted([{"password": VALUE}, written])[1]
    assert MARK in str(told)


@pytest.mark.parametrize("secret", ["Hun\u200bter\u00adZero88", "علی\u200cرضا نیک"])
def test_a_text_with_characters_that_are_not_shown(secret: str) -> None:
    told = Redactor(Redaction(("password",))).redacted([{"password": secret}, f"is “{one_line(secret)}”, he said"])
    assert told[1] == f"is “{MARK}”, he said"


def test_json_is_looked_through_however_long_it_is() -> None:
    body = json.dumps({"pad": "x" * 1_000_001, "password": "abc"})
    assert Redactor(Redaction(("password",))).redacted(body) == body.replace('"abc"', f'"{MARK}"')
    long_number = f'{{"password": "abc", "n": {"9" * 5_000}}}'
    assert '"abc"' not in Redactor(Redaction(("password",))).redacted(long_number)


def test_fields_that_readers_know_are_keys_of_the_file() -> None:
    redactor = Redactor(Redaction(("user_id", "author", "SessionId", "secret", "pin")))
    trace = Trace("t", (Turn(0, events=(Event("agent7"),)),), user="alice", session_id="s-123", app="app")
    told = redactor.redacted(trace)
    assert (told.user, told.session_id, told.app, told.turns[0].events[0].author) == (MARK, MARK, "app", MARK)
    case = Case("c", session=Session("app", "alice", "s-123"), extras=(Extra("secret", {"a": "b"}), Extra("n", 1)))
    told_case = redactor.redacted(case)
    assert told_case.session == Session("app", MARK, MARK)
    assert told_case.extras == (Extra("secret", MARK), Extra("n", 1))
    scenario = Scenario("Hi", "Say alice", facts=(("pin", "0000"), ("city", "Ulm")))
    assert redactor.redacted(scenario).facts == (("pin", MARK), ("city", "Ulm"))


def test_what_a_person_wrote_of_a_value_behind_a_key() -> None:
    place = "/golden/args/password/0"
    case = Case("c", matchers=(Matcher(place, Match.CONTAINS, "hunter2"), Matcher("/golden/args/n", Match.ANY)),
                notes=(Note(place, "it is hunter2"), Note("/x", "not hunter2")))  # fmt: skip
    told = Redactor(Redaction(("password",))).redacted(case)
    assert told.matchers == (Matcher("/golden/args/n", Match.ANY),)
    assert [note.text for note in told.notes] == [MARK, f"not {MARK}"]


@pytest.mark.parametrize("pattern", ["(?=5)", r"\b", "^", "$|x"])
def test_a_pattern_that_matches_nothing_is_refused_for_that(pattern: str) -> None:
    with pytest.raises(UsageError, match="matches empty text"):
        Redactor(Redaction((), (pattern,))).redacted("say 5")


def test_overlapping_texts_leave_nothing_of_either() -> None:
    known = KnownTexts(["abcdef", "cdefghij", "abc"])
    assert known.spans_in("--abcdefghij--") == [(2, 12)]
    assert known.without("so ABCDEFGHIJ and cdefg… and cdefgx…", "#") == "so AB# and #… and cdefgx…"


@given(st.lists(st.text("aB1 \n", min_size=4, max_size=20), min_size=1, max_size=6), st.data())
def test_every_known_text_is_found_among_others(texts: list[str], data: st.DataObject) -> None:
    known = KnownTexts(texts)
    chosen = data.draw(st.sampled_from(texts))
    around = data.draw(st.text("xy\n ", max_size=10))
    assert known.spans_in(f"{around}{chosen}{around}")
    assert not known.spans_in("xy" * 50)


HTML = "<style>.left {{ color: red }}</style><table><td>left</td><td><bdi>{}</bdi></td></table>"


def test_our_own_words_are_no_secrets() -> None:
    redactor = Redactor(Redaction(("side",)))
    redactor.redacted([{"side": "left"}, {"side": "table"}])
    for said, found in (("right", False), ("left", False), ("it is left", True), ("ta<b>ble</b>", True)):
        report = HTML.format(said)
        assert leaks_in_report(redactor, RUN_REPORTS["html"], report, lambda: HTML.format("█")) is found, said
    own = '{"left": "left", "said": "█"}'
    around = '{"why": "█ goes left to █"}'
    for said, found in (("[redacted] goes left to town", False), ("left goes left to town", True)):
        assert leaks_in_report(redactor, OF_FILES["json"], json.dumps({"why": said}), lambda: around) is found
    assert not leaks_in_report(redactor, OF_FILES["json"], own.replace("█", "right"), lambda: own)
    assert leaks_in_report(redactor, OF_FILES["json"], own.replace("█", "left"), lambda: own)
    assert leaks_in_report(redactor, OF_FILES["json"], own.replace('"said"', '"table"'), lambda: own)


def test_other_systems_files_have_nothing_behind_a_key_that_is_meant() -> None:
    redactor = Redactor(Redaction(("user_id", "score")))
    own = '{"user_id": "█", "score": 0.5}'
    assert leaks_in_report(redactor, RUN_REPORTS["adk"], own.replace("█", "bob"), lambda: own)
    assert not leaks_in_report(redactor, RUN_REPORTS["adk"], own.replace("█", MARK), lambda: own)


def test_values_without_words_keep_their_shape() -> None:
    call = ToolCall("f", {"a": ["x", 1, True, None]}, "id", "/p")
    told = blanked((call, Turn(3, id="i", user=())))
    assert told == (ToolCall("█", {"█": ["█", "█", True, None]}, "█", "/p"), Turn(3, id="█"))
