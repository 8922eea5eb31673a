"""Logs of Inspect, event by event: what becomes of each kind; tokens without events, edited scores, journals."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import cast

import pytest

from tests.documents.archives import zipped
from tests.formats import inspect_files
from tests.formats.test_inspect_log import contents_of
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.trace.parts import Text, Unknown
from trace_inspector.core.trace.trace import Event, SpanKind, Steps, Turn, Usage, answer_text, turn_usage, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict, Provenance, Status
from trace_inspector.formats.eval_tools.inspect_log.beside import BESIDE as READ_BESIDE


def log_of(*samples: Json) -> JsonObject:
    return {**inspect_files.header(), "samples": [*samples]}


def printed(folder: Path, value: Json | bytes, capsys: pytest.CaptureFixture[str], *words: str) -> JsonObject:
    """What a command prints of a log."""
    path = folder / ("log.eval" if isinstance(value, bytes) else "log.json")
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    main([words[0], str(path), "--json", *words[1:]])
    return cast("JsonObject", json.loads(capsys.readouterr().out))


def only_turn(folder: Path, *samples: Json) -> Turn:
    trace, *others = contents_of(folder, log_of(*samples)).traces
    (turn,) = trace.turns
    assert not others
    return turn


def understood(folder: Path, *samples: Json) -> str:
    findings = contents_of(folder, log_of(*samples)).findings
    (message,) = (one.message for one in findings if one.code == "records-understood")
    return message


def metrics(folder: Path, scores: JsonObject, **more: Json) -> tuple[MetricVerdict, ...]:
    (case,) = contents_of(folder, log_of(inspect_files.plain(scores=scores, **more))).reported
    return case.metrics


def test_tokens_of_the_output_stand_where_no_event_says_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = printed(tmp_path, log_of(inspect_files.plain()), capsys, "inspect")
    document = cast("list[JsonObject]", shown["documents"])[0]
    turn = cast("list[JsonObject]", cast("list[JsonObject]", document["traces"])[0]["turns"])[0]
    assert turn["tokens"] == {"input": 10, "output": 5, "total": 15, "cached": None, "thoughts": None}
    (reply,) = only_turn(tmp_path, inspect_files.plain()).events
    assert (reply.duration_s, reply.model, reply.finish_reason) == (1.5, "small", "max_tokens")


def test_of_several_replies_the_last_has_what_the_model_used_in_all(tmp_path: Path) -> None:
    used: JsonObject = {
        "maker/small": {"input_tokens": 30, "output_tokens": 9},
        "judge": {"input_tokens": 1000, "output_tokens": 1},
    }
    asked: JsonObject = {"role": "user", "content": "And now?"}
    said: JsonObject = {"role": "assistant", "content": "At Pier 5."}
    messages = [*cast("list[Json]", inspect_files.plain()["messages"]), asked, said]
    sample = inspect_files.plain(messages=messages, model_usage=used)
    first, second = contents_of(tmp_path, log_of(sample)).traces[0].turns
    assert (turn_usage(first), turn_usage(second)) == (Usage(), Usage(prompt=30, candidates=9))


def test_tokens_of_events_are_never_counted_again(tmp_path: Path) -> None:
    sample = inspect_files.sample() | {
        "epoch": 1,
        "model_usage": {"maker/small": {"input_tokens": 60, "output_tokens": 18}},
    }
    sample["output"] = {**cast("JsonObject", sample["output"]), "usage": {"input_tokens": 30, "output_tokens": 9}}
    assert turn_usage(only_turn(tmp_path, sample)) == Usage(prompt=60, candidates=14, thoughts=4, cached=14)


def test_a_sample_without_an_answer_tells_what_it_used_and_why_it_failed(tmp_path: Path) -> None:
    sample = inspect_files.plain(output={"model": "small", "choices": [], "error": "content filter"})
    sample["messages"] = cast("list[Json]", sample["messages"])[:1]
    (failed,) = only_turn(tmp_path, sample).events
    assert (failed.error, failed.model, failed.usage) == ("content filter", "small", Usage(prompt=10, candidates=5))


def told(folder: Path, kind: str) -> Event:
    """The event that one of a kind becomes, beside the answer."""
    event = inspect_files.told_beside()[kind]
    sample = inspect_files.plain(events=[event], attachments={"h1": "Maps are old."})
    (beside,) = (one for one in only_turn(folder, sample).events if one.place == "/samples/0/events/0")
    return beside


BESIDE: dict[str, tuple[str, str]] = {
    "sandbox": ("sandbox", "exec: ls /maps → 2"),
    "info": ("guide", "Maps are old."),
    "logger": ("http", "warning: slow reply"),
    "approval": ("ann", "find: reject (No maps today.)"),
    "input": ("user", "Which town? Lima"),
    "sample_limit": ("assistant", "Token limit reached."),
    "compaction": ("assistant", "The history was compacted: 9,000 tokens before, 2,000 after."),
    "interrupt": ("assistant", "Interrupted during generate (user_cancel)."),
    "store": ("assistant", ""),
    "subtask": ("look", ""),
    "error": ("assistant", ""),
}


@each("kind", BESIDE)
def test_what_happened_beside_the_messages_is_an_event_of_the_turn(tmp_path: Path, kind: str) -> None:
    event = told(tmp_path, kind)
    words = "".join(part.text for part in event.parts if isinstance(part, Text))
    assert (event.author, words) == BESIDE[kind]
    assert event.time_s == pytest.approx(1777629608.0)


def test_every_kind_that_becomes_an_event_has_a_fixture() -> None:
    assert BESIDE.keys() == inspect_files.told_beside().keys()
    assert READ_BESIDE.keys() <= BESIDE.keys()


def test_events_beside_keep_what_they_state(tmp_path: Path) -> None:
    sandbox, approval = told(tmp_path, "sandbox"), told(tmp_path, "approval")
    assert sandbox.duration_s == 1.0
    assert [(extra.name, extra.value) for extra in sandbox.extras] == [("output", "no such folder")]
    assert [extra.name for extra in approval.extras] == ["message", "call"]
    assert told(tmp_path, "sample_limit").finish_reason == "token limit"
    assert told(tmp_path, "store").state_delta == {"town": "Lima"}
    assert told(tmp_path, "error").error == "out of maps"
    (part,) = told(tmp_path, "subtask").parts
    assert isinstance(part, Unknown)
    assert part.raw == {"input": {"what": "maps"}, "result": "none"}


def test_an_answer_stays_the_answer_whatever_happened_beside_it(tmp_path: Path) -> None:
    sample = inspect_files.plain(events=[*inspect_files.told_beside().values()])
    turn = only_turn(tmp_path, sample)
    assert (user_text(turn), answer_text(turn)) == ("Where may I park?", "At Pier 4.")


def test_what_became_something_is_understood_and_all_else_is_counted_by_kind(tmp_path: Path) -> None:
    events: list[Json] = [*inspect_files.told_beside().values(), *inspect_files.untold().values()]
    scores: JsonObject = {"match": {"value": "C"}}
    message = understood(tmp_path, inspect_files.plain(events=events, scores=scores))
    # The header, two messages, a score and the eleven kinds that become events.
    assert message.startswith("15 of 23 records are understood. The others are shown as they stand: ")
    assert all(f"“{kind}” 1" in message for kind in inspect_files.untold())


REPEATED: dict[str, JsonObject] = {
    "the messages": {
        "event": "state",
        "changes": [
            {"op": "add", "path": "/messages/1", "value": {}},
            {"op": "replace", "path": "/output", "value": 1},
        ],
    },
    "the question": {"event": "sample_init", "sample": {"input": "attachment://h1"}, "state": {}},
    "the score": {"event": "score", "score": {"value": "C"}},
    "what a score was before": {"event": "score", "score": {"value": "I"}},
}


@each("kind", REPEATED)
def test_what_only_repeats_what_is_shown_is_understood(tmp_path: Path, kind: str) -> None:
    history: list[Json] = [{"value": "I"}, {"value": "C", "provenance": {"author": "ann"}}]
    sample = inspect_files.plain(
        events=[REPEATED[kind]],
        scores={"match": {"value": "C", "history": history}},
        attachments={"h1": "Where may I park?"},
    )
    assert understood(tmp_path, sample) == "5 of 5 records are understood."


def test_a_failure_that_is_told_twice_is_shown_once(tmp_path: Path) -> None:
    sample = inspect_files.plain(
        events=[inspect_files.told_beside()["error"]], error={"message": "out of maps", "traceback": "…"}
    )
    assert [event.error for event in only_turn(tmp_path, sample).events if event.error] == ["out of maps"]
    sample["events"] = []
    assert [event.error for event in only_turn(tmp_path, sample).events if event.error] == ["out of maps"]


def test_a_limit_is_the_reason_why_a_turn_ended(tmp_path: Path) -> None:
    limit: JsonObject = {"type": "message", "limit": 4}
    turn = only_turn(tmp_path, inspect_files.plain(limit=limit))
    assert [event.finish_reason for event in turn.events] == ["max_tokens", "message limit"]
    told_by_both = inspect_files.plain(limit=limit, events=[inspect_files.told_beside()["sample_limit"]])
    assert [event.finish_reason for event in only_turn(tmp_path, told_by_both).events] == [
        "max_tokens",
        "token limit",
    ]


def test_events_within_tools_and_subtasks_of_older_logs_are_followed(tmp_path: Path) -> None:
    model: JsonObject = {
        "event": "model", "model": "inner", "timestamp": "2026-05-01T10:00:02+00:00", "uuid": "u5",
        "output": {"model": "inner", "usage": {"input_tokens": 7, "output_tokens": 1}, "choices": []},
    }  # fmt: skip
    noted: JsonObject = {"event": "info", "source": "tool", "data": "looked"}
    tool: JsonObject = {"event": "tool", "id": "c1", "function": "find", "uuid": "u4", "events": [model, noted]}
    subtask: JsonObject = {
        **inspect_files.told_beside()["subtask"],
        "uuid": "u6",
        "events": [{**model, "uuid": "u7"}],
    }
    (trace,) = contents_of(tmp_path, log_of(inspect_files.plain(events=[tool, subtask]))).traces
    assert [(span.id, span.parent_id, span.kind) for span in trace.spans] == [
        ("u4", None, SpanKind.TOOL),
        ("u5", "u4", SpanKind.MODEL),
        ("u6", None, SpanKind.RUN),
        ("u7", "u6", SpanKind.MODEL),
    ]
    (turn,) = trace.turns
    assert "looked" in [part.text for event in turn.events for part in event.parts if isinstance(part, Text)]
    assert turn_usage(turn) == Usage(prompt=10, candidates=5), "what a tool's model used is none of the turn's"


def test_steps_of_older_logs_are_spans(tmp_path: Path) -> None:
    def step(action: str, name: str, at: int) -> JsonObject:
        moment = f"2026-05-01T10:00:0{at}+00:00"
        return {"event": "step", "action": action, "type": "solver", "name": name, "timestamp": moment}

    tool: JsonObject = {"event": "tool", "id": "c1", "function": "find", "uuid": "u4"}
    events: list[Json] = [
        step("begin", "plan", 0), step("begin", "use", 1), tool, step("end", "use", 3), step("end", "plan", 4),
        step("end", "never", 5),
    ]  # fmt: skip
    contents = contents_of(tmp_path, log_of(inspect_files.plain(events=events)))
    plan, use, call = contents.traces[0].spans
    assert (plan.name, plan.kind, plan.duration_s) == ("plan", SpanKind.RUN, 4.0)
    assert (use.parent_id, use.duration_s, call.parent_id) == (plan.id, 2.0, use.id)
    (message,) = (one.message for one in contents.findings if one.code == "records-understood")
    assert "“step” 1" in message


POOLS: dict[str, JsonObject] = {
    "a pool of the sample": {"message_pool": inspect_files.plain()["messages"]},
    "data of its events": {"events_data": {"messages": inspect_files.plain()["messages"], "calls": []}},
}


@each("kind", POOLS)
def test_condensed_events_give_the_messages_where_the_sample_keeps_none(tmp_path: Path, kind: str) -> None:
    answer: JsonObject = {"id": "m9", "role": "assistant", "content": "At Pier 9."}
    model: JsonObject = {
        "event": "model", "model": "small", "input": [], "input_refs": [[0, 1], [1, 2], "odd", [5, 9]],
        "timestamp": "2026-05-01T10:00:02+00:00", "working_time": 0.5,
        "output": {"model": "small", "choices": [{"message": answer, "stop_reason": "stop"}],
                   "usage": {"input_tokens": 3, "output_tokens": 2}},
    }  # fmt: skip
    grader: JsonObject = {**model, "input_refs": [[1, 2]], "output": {"choices": []}}
    scorer: JsonObject = {"event": "span_begin", "id": "s1", "type": "scorer", "name": "match"}
    sample = inspect_files.plain(messages=[], events=[model, scorer, grader], **POOLS[kind])
    turn = only_turn(tmp_path, sample)
    assert (user_text(turn), answer_text(turn)) == ("Where may I park?", "At Pier 9.")
    assert turn_usage(turn) == Usage(prompt=3, candidates=2)
    extras = {extra.name for extra in contents_of(tmp_path, log_of(sample)).traces[0].extras}
    assert extras.isdisjoint({"message_pool", "events_data"})


def test_a_list_and_an_object_are_several_scores(tmp_path: Path) -> None:
    scores: JsonObject = {
        "vector": {"value": [0.1, "C"], "answer": "a", "metadata": {"round": 2}},
        "parts": {"value": {"polite": False, "why": {"deep": 1}}},
        "many": {"value": [*range(60)]},
        "empty": {"value": []},
    }
    stated = [(one.metric, one.score, one.status, one.reason[:60]) for one in metrics(tmp_path, scores)]
    assert stated == [
        ("vector: 1", 0.1, Status.INFORMATIONAL, 'answer: a; metadata: {"round": 2}'),
        ("vector: 2", 1.0, Status.PASSED, "correct; answer: a"),
        ("parts: polite", 0.0, Status.FAILED, ""),
        ("parts: why", None, Status.NOT_EVALUATED, '{"deep": 1}'),
        ("many", None, Status.NOT_EVALUATED, json.dumps([*range(60)])[:60]),
        ("empty", None, Status.NOT_EVALUATED, "[]"),
    ]


def test_edits_of_a_score_tell_who_changed_it_from_what_and_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history: list[Json] = [
        {"value": "I", "explanation": "No pier."},
        {"value": "C", "provenance": {"author": "ann", "reason": "It names the pier."}},
        {"value": "UNCHANGED", "provenance": {"author": "bob", "reason": "Spelling."}},
    ]
    score: JsonObject = {"value": "C", "answer": "Pier 4", "explanation": "Names it.", "history": history}
    log = log_of(inspect_files.plain(scores={"match": score}))
    cases = cast("list[JsonObject]", printed(tmp_path, log, capsys, "evaluate")["cases"])
    (stated,) = cast("list[JsonObject]", cast("JsonObject", cases[0]["reported"])["metrics"])
    assert stated["reason"] == (
        "correct; Names it.; answer: Pier 4; changed by ann from I (incorrect): It names the pier.; "
        "changed by bob: Spelling."
    )
    (verdict,) = contents_of(tmp_path, log).reported
    assert (verdict.metrics[0].provenance, verdict.metrics[0].by) == (Provenance.HUMAN, "bob")
    assert [(extra.name, extra.place) for extra in verdict.extras] == [
        ("score match: history", "/samples/0/scores/match/history")
    ]


def test_an_edit_that_only_an_event_tells_is_told(tmp_path: Path) -> None:
    edit: JsonObject = {"value": "C", "provenance": {"author": "ann"}}
    event: JsonObject = {"event": "score_edit", "score_name": "match", "edit": edit}
    (stated,) = metrics(tmp_path, {"match": {"value": "C", "history": []}}, events=[event])
    assert (stated.reason, stated.provenance) == ("correct; changed by ann", Provenance.HUMAN)


def test_scores_of_events_are_scores_where_the_sample_states_none(tmp_path: Path) -> None:
    begun: JsonObject = {"event": "span_begin", "id": "s1", "type": "scorer", "name": "match"}
    on_the_way: JsonObject = {"event": "score", "score": {"value": "I"}, "intermediate": True, "span_id": "s0"}
    final: JsonObject = {"event": "score", "score": {"value": "C", "answer": "Pier 4"}, "span_id": "s1"}
    (case,) = contents_of(
        tmp_path, log_of(inspect_files.plain(scores=None, events=[on_the_way, begun, final]))
    ).reported
    assert [(one.metric, one.status) for one in case.metrics] == [
        ("score (on the way)", Status.INFORMATIONAL),
        ("match", Status.PASSED),
    ]
    assert case.status is Status.PASSED


SUMMARY: JsonObject = {
    "id": "pier", "epoch": 1, "input": "Where may I park?", "target": "Pier 4", "completed": True,
    "scores": {"match": {"value": "C"}}, "model_usage": {"maker/small": {"input_tokens": 10, "output_tokens": 5}},
}  # fmt: skip


def test_a_run_that_only_its_journal_knows_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failed: JsonObject = {**SUMMARY, "epoch": 2, "scores": {}, "error": "no key", "limit": "time", "completed": False}
    data = inspect_files.journal(SUMMARY, failed)
    document = cast("list[JsonObject]", printed(tmp_path, data, capsys, "inspect")["documents"])[0]
    codes = [finding["code"] for finding in cast("list[JsonObject]", document["findings"])]
    assert sorted(map(str, codes)) == ["records-understood", "run-unfinished", "samples-missing"]
    contents = contents_of(tmp_path, data)
    first, second = contents.traces
    assert [(trace.id, trace.case_runs) for trace in (first, second)] == [
        ("pier (epoch 1)", 2),
        ("pier (epoch 2)", 2),
    ]
    assert (user_text(first.turns[0]), first.turns[0].final_response) == ("Where may I park?", None)
    assert first.turns[0].steps is Steps.ABSENT, "nothing is known of what happened between"
    assert turn_usage(first.turns[0]) == Usage(prompt=10, candidates=5)
    assert [event.error or event.finish_reason for event in second.turns[0].events][1:] == ["time limit", "no key"]
    (case,) = contents.suites[0].cases
    assert (user_text(case.turns[0]), answer_text(case.turns[0])) == ("Where may I park?", "Pier 4")
    assert [one.status for one in contents.reported] == [Status.PASSED]


def test_samples_that_are_there_are_not_shown_again_as_summaries(tmp_path: Path) -> None:
    whole = {"samples/pier_epoch_1.json": inspect_files.sample(1)}
    data = inspect_files.journal(SUMMARY, {**SUMMARY, "id": "other"}, **whole)
    traces = contents_of(tmp_path, data).traces
    assert [(trace.id, len(trace.turns[0].events)) for trace in traces] == [("pier", 3), ("other", 1)]


def test_an_archive_without_a_journal_is_one_log(tmp_path: Path) -> None:
    members: dict[str, Json] = {
        "header.json": inspect_files.header(),
        "samples/a_epoch_1.json": inspect_files.plain(),
    }
    data = zipped({name: json.dumps(value).encode() for name, value in members.items()})
    contents = contents_of(tmp_path, data)
    assert (contents.format, [trace.id for trace in contents.traces]) == ("inspect", ["pier"])


def test_without_zstandard_an_archive_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = tmp_path / "log.eval"
    path.write_bytes(inspect_files.archive(is_zstandard=True))
    assert main(["inspect", str(path)]) == 2
    printed_words = capsys.readouterr()
    assert "pip install 'trace-inspector[zstd]'" in printed_words.err + printed_words.out
    assert (printed_words.err + printed_words.out).count("Zstandard") == 1
