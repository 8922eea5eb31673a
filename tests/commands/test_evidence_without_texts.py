"""`evidence --without-texts`: nothing of a file but names is in the page, and what was equal is so still."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, product
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from benchmarks import evidence_secrets
from tests.formats import adk_files, ces_result_files, vertex_files
from tests.formats.every_sample import Sample, every_sample
from tests.helpers.filled_packs import FilledPack
from trace_inspector.cli import main
from trace_inspector.core.alignment.turn_alignment import align_calls, align_turns
from trace_inspector.core.rows.evidence import EvidencePack, EvidenceSide
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn, calls_of
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.documents.page.document import data_in
from trace_inspector.engine.evidence.evidence_file import evidence_file
from trace_inspector.engine.evidence.page import data_of
from trace_inspector.engine.evidence.without_texts import without_texts
from trace_inspector.engine.redaction.options import Redaction
from trace_inspector.flows.opening.open_file import open_file

SYSTEMS: dict[str, Json] = {
    "adk": json.loads(adk_files.RESULT),
    "adk-session": json.loads(adk_files.SESSION),
    "ces": json.loads(json.dumps(ces_result_files.RESULTS["golden"])),
    "vertex": vertex_files.full_list(),
}
DATA = {"args", "arguments", "response", "state", "output", "parameters"}
MARK = "zqx"
NUMBERS = 73_190_000


def marked(value: Json, counter: count[int], *, data: bool = False) -> Json:
    """The value with a mark in every sentence, and in every text and number of arguments, results and states."""
    if isinstance(value, dict):
        return {key: marked(item, counter, data=data or key in DATA) for key, item in value.items()}
    if isinstance(value, list):
        return [marked(item, counter, data=data) for item in value]
    if isinstance(value, str) and (data or " " in value) and not value.lstrip().startswith(("{", "[")):
        return f"{value} {MARK}{next(counter)}"
    if data and isinstance(value, int | float) and not isinstance(value, bool):
        return NUMBERS + next(counter)
    return value


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_text_and_no_value_is_in_the_page(system: str, tmp_path: Path) -> None:
    run, target, whole = tmp_path / "run.json", tmp_path / "page.html", tmp_path / "whole.html"
    counter = count(1)
    run.write_text(json.dumps(marked(SYSTEMS[system], counter)))
    assert next(counter) > 3
    assert main(["evidence", str(run), "-o", str(whole)]) == 0
    assert any(MARK in text for text in evidence_secrets.texts_in(whole.read_text())), (
        "they are there without the option"
    )
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 0
    left = [text for text in evidence_secrets.texts_in(target.read_text()) if MARK in text or "7319" in text]
    assert left == []


def test_no_secret_is_left_not_even_an_ordinary_word(tmp_path: Path) -> None:
    words = ["sunshine", "on the blue shelf behind the door", "four eight fifteen"]
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    told = [{"role": "user", "content": f"we always say {word} there"} for word in words]
    run.write_text(json.dumps({"messages": [*told, {"role": "assistant", "content": "Noted."}]}))
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 0
    texts = list(evidence_secrets.texts_in(target.read_text()))
    assert [word for word in words for text in texts if word in text] == []


def test_steps_and_verdicts_open_again_and_equal_values_are_equal(tmp_path: Path) -> None:
    def call(amount: int, to: str, number: int) -> dict[str, Json]:
        text = json.dumps({"amount": amount, "to": to})
        return {"id": f"c{number}", "type": "function", "function": {"name": "pay", "arguments": text}}

    run, target = tmp_path / "run.json", tmp_path / "page.html"
    calls = [call(5, "Ann", 1), call(5, "Bob", 2)]
    run.write_text(
        json.dumps({"messages": [{"role": "user", "content": "Pay"}, {"role": "assistant", "tool_calls": calls}]})
    )
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 0
    (trace,) = open_file(target).contents.traces
    first, second = (made.args for made in calls_of(trace.turns[0]))
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert [*first] == [*second] == ["amount", "to"]
    assert first["amount"] == second["amount"]
    assert first["to"] != second["to"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_opened_again_rows_verdicts_and_alignment_are_those_of_the_file(system: str, tmp_path: Path) -> None:
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    run.write_text(json.dumps(SYSTEMS[system]))
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 0
    before, after = (open_file(path).contents for path in (run, target))
    assert after.format == "evidence"
    assert [*map(judged, after.reported)] == [*map(judged, before.reported)]
    assert [*map(kinds_of, after.traces)] == [*map(kinds_of, before.traces)] != []
    goldens, without = ([case for suite in each.suites for case in suite.cases] for each in (before, after))
    assert len(goldens) == len(without)
    for golden, trace in product(range(len(goldens)), range(len(before.traces))):
        assert parted(without[golden].turns, after.traces[trace].turns) == parted(
            goldens[golden].turns, before.traces[trace].turns
        )


def parted(golden: Sequence[Turn], observed: Sequence[Turn]) -> object:
    """Which turns belong together, and which calls in them."""
    pairs = align_turns(golden, observed)
    calls = [
        [
            (pair.match, pair.order, len(pair.differing))
            for pair in align_calls(calls_of(golden[one]), calls_of(observed[other]))
        ]
        for one, other in ((pair.golden, pair.observed) for pair in pairs)
        if one is not None and other is not None
    ]
    return pairs, calls


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_two_runs_part_where_they_did(seed: int, *, counted: bool) -> None:
    draw = random.Random(seed)

    def said() -> str:
        return " ".join("".join(draw.choices("abcdefghij", k=5)) for _word in range(draw.randrange(1, 6)))

    def turn(index: int, question: str, args: list[dict[str, Json]]) -> Turn:
        calls = tuple(ToolCall(draw.choice(("find", "book")), each) for each in args)
        turn_id = f"invocation-{index + 1}" if counted else said()
        answer = (Text(said()),)
        return Turn(index, turn_id, (Text(question),), (Event("guide", calls),), answer, steps=Steps.EVENTS)

    questions = [said() for _turn in range(draw.randrange(2, 7))]
    args: list[list[dict[str, Json]]] = [
        [{"city": said(), "day": draw.randrange(9), "more": {"list": [said()]}} for _call in range(3)]
        for _ in questions
    ]
    before = [turn(index, *each) for index, each in enumerate(zip(questions, args, strict=True))]
    kept = [index for index in range(len(questions)) if draw.random() < 0.7] or [0]
    changed = [
        (
            said() if draw.random() < 0.3 else questions[index],
            [{**each, "day": draw.randrange(9)} for each in args[index]],
        )
        for index in kept
    ]
    after = [turn(index, *each) for index, each in enumerate(changed)]
    if not counted:
        after = [replace(each, id=before[index].id) for each, index in zip(after, kept, strict=True)]
    pack = EvidencePack("run", (EvidenceSide("a", traces=(Trace("a", tuple(before)), Trace("b", tuple(after)))),))
    one, other = without_texts(pack).pack.sides[0].traces
    assert parted(one.turns, other.turns) == parted(before, after)


def judged(verdict: CaseVerdict) -> object:
    metrics = [(metric.metric, metric.score, metric.threshold, metric.status) for metric in verdict.metrics]
    of_turns = [
        (
            turn.status,
            [(m.metric, m.score, m.status, [(e.status, e.score) for e in m.expectations]) for m in turn.metrics],
        )
        for turn in verdict.turns
    ]
    return verdict.status, metrics, of_turns


def kinds_of(trace: Trace) -> object:
    return [
        (
            [type(part) for part in turn.user],
            [[(type(part), getattr(part, "name", "")) for part in event.parts] for event in turn.events],
            [event.usage for event in turn.events],
            [event.time_s for event in turn.events],
        )
        for turn in trace.turns
    ]


def test_a_name_that_is_a_secret_goes_as_well(tmp_path: Path) -> None:
    key = "sk_live_" + "51Hq8Zr3Vw0Lk2Nb7Tx9"
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    text = json.dumps({key: 1, "a key, as it is data": 2})
    made = {"id": "c1", "type": "function", "function": {"name": "pay", "arguments": text}}
    run.write_text(
        json.dumps({"messages": [{"role": "user", "content": "Pay"}, {"role": "assistant", "tool_calls": [made]}]})
    )
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 0
    texts = list(evidence_secrets.texts_in(target.read_text()))
    assert not any(key in text or "as it is data" in text for text in texts)


def test_what_stands_where_a_name_should_goes_as_well(tmp_path: Path) -> None:
    said = "ask Ann at ann@example.org"
    call = {"id": "c1", "type": "function", "function": {"name": f"tool: {said}", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": [{"type": said, "x": 1}, {"type": "text", "text": "Pay"}], said: 1},
        {"role": "assistant", "tool_calls": [call], "model": said},
        {"role": said, "content": "done"},
    ]
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    run.write_text(json.dumps({"id": said, "model": said, "messages": messages, f"field {said}": 3}))
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 0
    assert not any(
        "ann@example" in text or "ask Ann" in text for text in evidence_secrets.texts_in(target.read_text())
    )


WORDS = (
    "sunshine",
    "Blumentopf",
    "otter river lamp",
    "vier acht fünfzehn",
    "hunter2",
    "/home/ann/salary.txt",
    "4711",
)


def test_no_word_is_left_in_any_field_of_a_run(tmp_path: Path) -> None:
    fields = [name for name in evidence_secrets.FIELDS if name not in ("tool", "argument name")]  # names that stay
    pairs = [(word, word) for word in WORDS for _name in evidence_secrets.FIELDS]
    run = evidence_secrets.write_session(pairs, tmp_path)
    renamed = tmp_path / "sunshine.evalset_result.json"
    run.rename(renamed)
    target, whole = tmp_path / "page.html", tmp_path / "whole.html"
    value = json.loads(renamed.read_text())
    for number, case in enumerate(value["eval_case_results"]):
        if evidence_secrets.FIELDS[number % len(evidence_secrets.FIELDS)] not in fields:
            case.clear()
    value["eval_case_results"] = [case for case in value["eval_case_results"] if case]
    renamed.write_text(json.dumps(value))
    assert main(["evidence", str(renamed), "-o", str(whole)]) == 0
    assert all(word in "\n".join(evidence_secrets.texts_in(whole.read_text())) for word in WORDS[:3])
    assert main(["evidence", str(renamed), "--without-texts", "-o", str(target)]) == 0
    shown = "\n".join(evidence_secrets.texts_in(target.read_text()))
    assert [word for word in WORDS if word in shown] == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_text_of_any_field_that_there_is_can_be_left(seed: int) -> None:
    filled = FilledPack(seed)
    made = evidence_file(filled.pack, Redaction(), without_texts=True)
    assert made.left == 0
    shown = "\n".join(evidence_secrets.texts_in(made.data.decode()))
    assert len(filled.hidden) > 1_000
    assert [text for text in filled.hidden if len(text) >= 4 and text in shown] == []
    assert [number for number in filled.numbers if str(number) in shown] == []


def test_a_text_that_slips_through_is_found_and_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    run.write_text(json.dumps(SYSTEMS["adk"]))
    monkeypatch.setattr(
        "trace_inspector.engine.evidence.evidence_file.data_of",
        lambda pack: data_of(replace(pack, notes=(*pack.notes, "sunshine"))),
    )
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 1
    assert not target.exists()


@pytest.mark.parametrize("sample", every_sample(), ids=repr)
def test_every_format_has_a_page_without_texts(sample: Sample, tmp_path: Path) -> None:
    path, target = tmp_path / f"run{sample.suffix}", tmp_path / "page.html"
    path.write_bytes(sample.data)
    contents = open_file(path).contents
    code = main(["evidence", str(path), "--without-texts", "-o", str(target)])
    if not contents.traces and not any(suite.cases for suite in contents.suites):
        return  # there is nothing to show in it, or verdicts alone
    assert code == 0
    shown = "\n".join(leaves(json.loads(data_in(target.read_bytes()))))
    said = {text for value in (contents.traces, contents.suites, contents.reported) for text in leaves(value)}
    assert [text for text in said if " " in text and not text.startswith("call ") and text in shown] == []


def leaves(value: object) -> Iterator[str]:
    """Every text in it, keys of objects too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from leaves(item)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from leaves(getattr(value, name))
    elif isinstance(value, Sequence):
        for item in value:
            yield from leaves(item)


def test_the_page_and_its_list_say_so_in_one_line_each(tmp_path: Path) -> None:
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    run.write_text(json.dumps(SYSTEMS["adk"]))
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 0
    page = target.read_text()
    assert page.index("All texts and values were left out") < page.index("<h2>")
    assert page.count("every text and value") == 1
    findings = {finding.code: finding.message for finding in open_file(target).contents.findings}
    assert findings["redacted"].startswith("All texts and values were left out")


def test_sizes_are_told_roughly_and_letters_not_one_by_one(tmp_path: Path) -> None:
    def call(number: int, **args: Json) -> dict[str, Json]:
        return {"id": f"c{number}", "type": "function", "function": {"name": "pay", "arguments": json.dumps(args)}}

    calls = [call(1, to="hunter2", code=[*"hunter"], key=[104, 117, 110, 116]), call(2, to="h" * 1_000, code={})]
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    run.write_text(
        json.dumps({"messages": [{"role": "user", "content": "Pay"}, {"role": "assistant", "tool_calls": calls}]})
    )
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 0
    (trace,) = open_file(target).contents.traces
    first, second = (made.args for made in calls_of(trace.turns[0]))
    assert first == {"to": "‹text-2·›", "code": "‹list-1·›", "key": "‹list-2·›"}
    assert second == {"to": "‹text-3····›", "code": {}}


def test_of_names_that_a_file_declares_no_others_stay(tmp_path: Path) -> None:
    declared = {"type": "function", "function": {"name": "pay", "parameters": {"properties": {"to_2": {}}}}}
    calls = [
        {
            "id": "c1",
            "type": "function",
            "function": {"name": "pay", "arguments": json.dumps({"to_2": 1, "moonlight": 2})},
        },
        {"id": "c2", "type": "function", "function": {"name": "sunshine", "arguments": "{}"}},
    ]
    messages = [{"role": "user", "content": "Pay"}, {"role": "assistant", "tool_calls": calls}]
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    run.write_text(json.dumps({"messages": messages, "tools": [declared]}))
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 0
    (trace,) = open_file(target).contents.traces
    first, second = calls_of(trace.turns[0])
    assert (first.name, second.name[:6]) == ("pay", "‹name-")
    assert first.args == {"to_2": "‹number-1›", "‹key-1›": "‹number-2›"}


@pytest.mark.parametrize(
    "value",
    [
        "x" * 3_000_000,
        [[[["deep"] * 3] * 3] * 3] * 3,
        {"a": {"b": [{"1": [1, 2, {"z": None}]}]}, "": "", "\ud800": "\udfff", "‹key-1›": "‹text-1·›"},
        [{"x": number} for number in range(3_000)],
        {str(number): number for number in range(3_000)},
    ],
)
def test_hostile_values_are_a_page(value: Json, tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "pay", "arguments": json.dumps({"to": value})}}
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    run.write_text(
        json.dumps({"messages": [{"role": "user", "content": "Pay"}, {"role": "assistant", "tool_calls": [call]}]})
    )
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 0
    assert target.stat().st_size < 30_000
    (trace,) = open_file(target).contents.traces
    (made,) = calls_of(trace.turns[0])
    if isinstance(value, list | dict) and len(value) > 1_000:
        assert made.args == {"to": f"‹{'list' if isinstance(value, list) else 'object'}-1····›"}


def test_what_lies_too_deep_is_one_value(tmp_path: Path) -> None:
    deep: Json = "sunshine"
    for _level in range(250):
        deep = [deep]
    text = json.dumps({"to": deep})
    call: Json = {"id": "c1", "type": "function", "function": {"name": "pay", "arguments": text}}
    messages: list[Json] = [{"role": "user", "content": "Pay"}, {"role": "assistant", "tool_calls": [call]}]
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    run.write_text(json.dumps({"messages": messages}))
    assert main(["evidence", str(run), "--without-texts", "-o", str(target)]) == 0
    (trace,) = open_file(target).contents.traces
    (made,) = calls_of(trace.turns[0])
    left, levels = made.args, 0
    while not isinstance(left, str):
        assert isinstance(left, dict | list)
        (left,) = left.values() if isinstance(left, dict) else left
        levels += 1
    assert (left, levels) == ("‹list-1·›", 40)
