"""The command `diff` from the outside: lines, exit codes, reports, and what cannot be compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject


def turn(question: str, *calls: tuple[str, JsonObject], answer: str = "Here.") -> JsonObject:
    uses: list[Json] = [{"name": name, "args": args} for name, args in calls]
    return {
        "user_content": {"parts": [{"text": question}]},
        "final_response": {"parts": [{"text": answer}]},
        "intermediate_data": {"tool_uses": uses},
    }


def suite(path: Path, **cases: list[JsonObject]) -> Path:
    listed = [{"eval_id": name, "conversation": turns} for name, turns in cases.items()]
    path.write_text(json.dumps({"eval_set_id": "s", "eval_cases": listed}))
    return path


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    return suite(
        tmp_path / "golden.json",
        one=[turn("Parking?", ("search", {"q": "parking lots", "r": 800})), turn("Save it", ("save", {}))],
    )


@pytest.fixture
def other(tmp_path: Path) -> Path:
    return suite(
        tmp_path / "other.json",
        one=[turn("Parking?", ("search", {"q": "parking", "r": 500}), ("web", {})), turn("Save it", ("save", {}))],
    )


def test_what_differs_and_the_sentence_last(golden: Path, other: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(golden), str(other)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        " ≠ turn 1, call 1: the same tool with different arguments: search",
        '    q: "parking lots" ≠ "parking"',
        "    r: 800 ≠ 500",
        " + turn 1, call 2: this call is not expected: web()",
        "1 of 2 calls match; 2 arguments differ; 1 extra call; parts at turn 1, call 1",
    ]
    assert main(["diff", str(golden), str(golden)]) == 0
    assert capsys.readouterr().out == "2 of 2 calls match\n"


def test_what_a_rule_allows_is_shown_and_does_not_count(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = suite(
        tmp_path / "more.json",
        one=[
            turn("Parking?", ("search", {"q": "parking lots", "r": 800}), ("web", {})),
            turn("Save it", ("save", {})),
        ],
    )
    assert main(["diff", str(golden), str(more), "--policy", "in-order"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out == [
        "~+ turn 1, call 2: this call is not expected; IN ORDER allows it: web()",
        "2 of 2 calls match; 1 extra call",
    ]


def test_what_a_rule_does_not_look_at_is_neither_counted_nor_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here: JsonObject = {"q": "a", "r": 1}
    there: JsonObject = {"q": "b", "r": 1, "more": 2}
    left = suite(tmp_path / "l.json", one=[turn("How?", ("see", here))])
    right = suite(tmp_path / "r.json", one=[turn("How?", ("see", there))])
    report = tmp_path / "report.json"
    for policy, names, said in (
        ("exact", ["q", "more"], "2 arguments differ"),
        ("partial", ["q"], "1 argument differs"),
        ("ces", ["q"], "1 argument differs"),
    ):
        assert main(["diff", str(left), str(right), "--policy", policy, "--report", f"json={report}"]) == 1
        out = capsys.readouterr().out
        assert f"0 of 1 calls match; {said}; parts at turn 1, call 1" in out
        assert ("more" in out) is ("more" in names)
        ((row,),) = (one["rows"] for one in json.loads(report.read_text())["sides"][0]["conversations"])
        assert [one["name"] for one in row["arguments"]] == names


def test_long_values_and_answers_are_told_from_where_they_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "word " * 500
    left, right = (
        suite(
            tmp_path / f"{end}.json", one=[turn("Q", ("f", {"q": f"{long}{end} of it"}), answer=f"{long}{end} it is")]
        )
        for end in ("left", "right")
    )
    assert main(["diff", str(left), str(right), f"--report=markdown={tmp_path / 'd.md'}"]) == 1
    for told in (capsys.readouterr().out, (tmp_path / "d.md").read_text()):
        (argument,) = [line for line in told.splitlines() if "q: " in line]
        assert ['left of it"' in argument, 'right of it"' in argument] == [True, True]
        answers = [line.rstrip("`") for line in told.splitlines() if line.rstrip("`").endswith(" it is")]
        assert [line.split()[-3] for line in answers] == ["left", "right"]


@pytest.mark.parametrize("number", ["{}", "turn-{}", "t{:03}"])
def test_a_lost_turn_is_the_only_one_missing_however_turns_are_numbered(
    number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def numbered(turns: list[JsonObject]) -> list[JsonObject]:
        return [{**one, "invocation_id": number.format(at)} for at, one in enumerate(turns)]

    turns = [turn("Yes", ("book", {"seat": at}), answer=f"Seat {at} is yours") for at in range(5)]
    whole = suite(tmp_path / "whole.json", one=numbered(turns))
    lost = suite(tmp_path / "lost.json", one=numbered(turns[1:]))
    assert main(["diff", str(whole), str(lost)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        " - turn 1: this turn is missing: “Yes”",
        "4 of 5 calls match; 1 turn missing; parts at turn 1",
    ]
    only = ["--only", "tool_trajectory_avg_score", "--json"]
    assert main(["evaluate", str(lost), "--golden", str(whole), *only]) == 1
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    scores = {metric["name"]: metric["score"] for metric in case["metrics"]}
    assert scores["tool_trajectory_avg_score"] == 0.8
    assert case["missing_turns"] == [0]


def test_three_files_each_against_each(golden: Path, other: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(golden), str(golden), str(other)]) == 1
    said = capsys.readouterr().out.splitlines()[-3:]
    assert [line.partition(":")[0] for line in said] == ["A–B", "A–C", "B–C"]
    assert said[0] == "A–B: 2 of 2 calls match"


def test_conversations_find_each_other_by_id_and_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left = suite(
        tmp_path / "l.json", a=[turn("First?", ("x", {}))], b=[turn("Second?", ("y", {}))], c=[turn("Third?")]
    )
    right = suite(
        tmp_path / "r.json", z=[turn("New?", ("n", {}))], b=[turn("Second?", ("y", {}))], a=[turn("First?")]
    )
    assert main(["diff", str(left), str(right)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == "1 of 2 calls match; 1 call missing; 1 turn missing; 1 extra turn; parts at turn 1, call 1 of a"
    assert [line for line in out if not line.startswith(" ")][:3] == ["a", "c", "z"]


def cases(path: Path, *listed: tuple[str, str]) -> Path:
    """Cases of the same question, by name and by the argument of their call."""
    value = [{"eval_id": name, "conversation": [turn("How?", ("see", {"x": x}))]} for name, x in listed]
    path.write_text(json.dumps({"eval_set_id": "s", "eval_cases": value}))
    return path


ALIKE = {
    "repeats on both sides": (
        [("a", "1"), ("a", "2"), ("b", "3")],
        [("b", "3"), ("a", "1"), ("a", "2")],
        ["Note: “a” and 1 more fit several equally well; they were paired in the order of the files."],
        "3 of 3 calls match",
    ),
    "repeats on the second": (
        [("a", "1"), ("b", "2")],
        [("a", "1"), ("a", "2"), ("b", "2")],
        ["Note: “a” stands without a counterpart: what they would pair with is paired already."],
        "2 of 2 calls match; 1 extra turn",
    ),
    "repeats on the first": (
        [("a", "1"), ("a", "2"), ("b", "3")],
        [("a", "1"), ("b", "3")],
        ["Note: “a” fits several equally well; they were paired in the order of the files."],
        "2 of 3 calls match; 1 turn missing",
    ),
    "more of other names": (
        [("a", "1"), ("b", "2")],
        [("x", "1"), ("y", "2"), ("z", "3")],
        [
            "Note: “x” and 1 more fit several equally well; they were paired in the order of the files.",
            "Note: “z” stands without a counterpart: what they would pair with is paired already.",
        ],
        "2 of 2 calls match; 1 extra turn",
    ),
}


@pytest.mark.parametrize("what", ALIKE)
def test_what_fits_several_is_put_together_in_the_order_of_the_files(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left, right, notes, sentence = ALIKE[what]
    paths = cases(tmp_path / "l.json", *left), cases(tmp_path / "r.json", *right)
    main(["diff", *map(str, paths)])
    out = capsys.readouterr().out.splitlines()
    assert [line for line in out if line.startswith("Note")] == notes
    assert out[-1].startswith(sentence)
    main(["diff", *map(str, (*paths, paths[1]))])
    assert all(f"Note: A–B: {note.removeprefix('Note: ')}" in capsys.readouterr().out for note in notes[:1])


@pytest.mark.parametrize("repeats", [1, 2])
def test_what_merely_asks_the_same_takes_no_place_of_what_has_the_id(
    repeats: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = [("a", str(at)) for at in range(repeats)]
    left = cases(tmp_path / "l.json", *own)
    right = cases(tmp_path / "r.json", ("x", "9"), *own)
    main(["diff", str(left), str(right)])
    out = capsys.readouterr().out.splitlines()
    assert "Note: “x” stands without a counterpart: what they would pair with is paired already." in out
    assert out[-1].startswith(f"{repeats} of {repeats} calls match; 1 extra turn")


def test_reports(golden: Path, other: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = [f"--report={kind}={tmp_path / name}" for kind, name in (("json", "d.json"), ("markdown", "d.md"))]
    assert main(["diff", str(golden), str(other), *wanted, f"--report=html={tmp_path / 'd.html'}"]) == 1
    told = json.loads((tmp_path / "d.json").read_text())
    (side,) = told["sides"]
    assert (told["policy"], told["differs"], side["counts"]["arguments"]) == ("exact", True, 2)
    (pair,) = side["conversations"]
    assert [row["relation"] for row in pair["rows"]] == ["arguments differ", "extra"]
    assert pair["rows"][0]["arguments"][1] == {"name": "r", "left": 800, "right": 500}
    assert side["sentence"] in (tmp_path / "d.md").read_text()
    page = (tmp_path / "d.html").read_text()
    assert "default-src &#x27;none&#x27;" in page
    assert "They part here" in page
    capsys.readouterr()


def test_markup_in_traces_stays_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = "<img src=x onerror=alert(1)> [link](http://x) \x1b[31m \u202e"
    left = suite(tmp_path / "l.json", **{bad: [turn("Q", (bad, {bad: bad}), answer=bad)]})
    right = suite(tmp_path / "r.json", **{bad: [turn("Q", (bad, {bad: bad + "!"}), answer=bad + " more")]})
    reports = [f"--report={kind}={tmp_path / kind}" for kind in ("html", "markdown", "json")]
    assert main(["diff", str(left), str(right), *reports]) == 1
    assert "\x1b" not in capsys.readouterr().out
    page = (tmp_path / "html").read_text()
    assert "<img" not in page
    assert "\x1b" not in page + (tmp_path / "markdown").read_text()
    assert all("](http" not in line.split("`")[0] for line in (tmp_path / "markdown").read_text().splitlines())


def test_calls_that_one_side_does_not_state_are_not_called_the_same(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = json.loads(golden.read_text())
    value["eval_cases"][0]["conversation"][0]["intermediate_data"] = None
    (silent := tmp_path / "silent.json").write_text(json.dumps(value))
    reports = [f"{kind}={tmp_path / kind}" for kind in ("html", "markdown", "json")]
    wanted = [part for report in reports for part in ("--report", report)]
    assert main(["diff", str(golden), str(silent), *wanted]) == 0
    note = "The calls of turn 1 were not compared: one side does not state its calls there."
    assert capsys.readouterr().out.splitlines()[0] == f"Note: {note}"
    for kind in ("html", "markdown"):
        text = (tmp_path / kind).read_text()
        assert note in text
        assert "No difference in what could be compared" in text
        assert "They are the same" not in text
    assert json.loads((tmp_path / "json").read_text())["notes"] == [note]
    assert main(["diff", str(silent), str(silent)]) == 0
    assert "Note" not in capsys.readouterr().out


def test_half_a_file_is_not_compared_silently(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    half = tmp_path / "half.json"
    half.write_bytes(golden.read_bytes()[:-60])
    reports = [f"--report={kind}={tmp_path / kind}" for kind in ("html", "markdown", "json")]
    main(["diff", str(golden), str(half), *reports])
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(f"Note: {half}:1:")
    assert first.endswith("The file ends inside a value; everything before that is shown. Get the complete file.")
    for kind in ("html", "markdown", "json"):
        assert "The file ends inside a value" in (tmp_path / kind).read_text()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["{golden}", "{tmp}/none.json"], "none.json"),
        (["{golden}", "{tmp}/notes.txt"], "notes.txt"),
        (["{golden}", "{tmp}/config.json"], "no conversation"),
        (["{golden}", "{golden}", "--report", "pdf=x"], "There is no report “pdf”"),
        (["{golden}", "{golden}", "--report", "html"], "KIND=PATH"),
        (["{golden}", "{golden}", "--report", "html={golden}"], "is one of those evaluated or compared"),
        (["{golden}", "{golden}", "--report", "html={tmp}/r", "--report", "json={tmp}/./r"], "Two reports would"),
    ],
)
def test_what_cannot_be_compared(
    given: list[str], said: str, golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "config.json").write_text('{"criteria": {"response_match_score": 0.8}}')
    before = golden.read_bytes()
    assert main(["diff", *(word.format(golden=golden, tmp=tmp_path) for word in given)]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert "Traceback" not in told.err
    assert golden.read_bytes() == before


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["adk-evalset", "jaeger", "otlp", "adk-session", "adk-evalset-result"])
def test_files_of_others_against_themselves(folder: str, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted((corpus / folder).glob("*.json"))[:3]:
        status = main(["diff", str(path), str(path)])
        told = capsys.readouterr()
        assert status in (0, 2), told
        assert status == 0 or "no conversation" in told.err
