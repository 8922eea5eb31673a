"""Redaction from the outside: baits laid all over two files, and reports in which none of them may stand."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.runs.requested_reports import RUN_REPORTS

KINDS = ("html", "markdown", "json")
BAIT = "bait-7f3a"
# By key: what stands there need not look like anything.
PASSWORD = 'correct "horse" & bättery'


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


def baited(path: Path, number: int) -> Path:
    """Everything of a conversation holds a bait, of its own on each side."""
    own = f"{BAIT}-{number}"
    args: JsonObject = {
        "q": f"find {own}",
        own: "a key",
        "deep": [{"list": [own, {"in": own}]}],
        "card": int(f"41111111{number}000"),
        "Password": PASSWORD + str(number),
        "body": json.dumps({"password": PASSWORD + str(number), "more": number}),
        "echo": f"it was {PASSWORD}{number}, was it not",
    }
    return suite(
        path,
        **{
            f"case {BAIT}": [
                turn(f"Who is {own}?", (f"tool_{own}", args), (f"only_{number}_{own}", {}), answer=f"{own} is it"),
                turn("And then?", ("plain", {"n": number}), answer=f"Nothing of {PASSWORD}{number}."),
                *([turn(f"One more about {own}")] if number == 1 else []),
            ]
        },
    )


def plain(report: str) -> str:
    """What a person would read, whatever marks it up."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", report)).split())


WISHES = ("--redact", BAIT + r"\S*", "--redact", "4111[0-9]+", "--redact-key", "password")


def test_no_bait_stands_in_any_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left, right = baited(tmp_path / "left.json", 1), baited(tmp_path / "right.json", 2)
    reports = [f"--report={kind}={tmp_path / kind}" for kind in KINDS]
    assert main(["diff", str(left), str(right), *reports]) == 1
    bare = [capsys.readouterr().out, *((tmp_path / kind).read_text() for kind in KINDS)]
    assert all(BAIT in plain(text) for text in bare)
    assert main(["diff", str(left), str(right), *reports, *WISHES]) == 1
    told = [capsys.readouterr().out, *((tmp_path / kind).read_text() for kind in KINDS)]
    for text in told:
        assert "[redacted]" in text
        for secret in (BAIT, "41111111", "horse", "bättery", "b\\u00e4ttery", "correct"):
            assert secret not in text
            assert secret not in plain(text)
    # What differs and what counts does not depend on it, though both sides now read alike.
    assert bare[0].splitlines()[-1] == told[0].splitlines()[-1]
    before, after = (json.loads(text)["sides"][0]["counts"] for text in (bare[3], told[3]))
    assert {**before, "parts": 0} == {**after, "parts": 0}


@pytest.mark.parametrize("count", [2, 3])
def test_secrets_that_anybody_sees(count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secrets = {
        "openai": "sk-" + "a1" * 12,
        "google": "AIza" + "b2" * 18,
        "amazon": "AKIA" + "ABCD1234" * 2,
        "github": "ghp_" + "c3" * 12,
        "token": "nobody knows its shape",
        "accessToken": "nor that of this one",
        "x-api-key": "nor how a key looks",
        "db_password": "nor which word it is",
        "header": "Bearer " + "d4" * 12,
        "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        "pem": "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----",
    }
    paths = [
        suite(tmp_path / f"{at}.json", one=[turn("Go", ("call", {**secrets, "n": at}), answer=f"Done {at}.")])
        for at in range(count)
    ]
    other = suite(tmp_path / "other.json", one=[turn("Go", ("call", {"n": 9}), answer=" ".join(secrets.values()))])
    report = tmp_path / "report.json"
    assert main(["diff", *map(str, [*paths[1:], other]), "--redact-secrets", f"--report=json={report}"]) == 1
    told = capsys.readouterr().out + report.read_text()
    assert [secret for secret in secrets.values() if secret in told or json.dumps(secret)[1:-1] in told] == []
    assert '"n"' in told


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        (("--redact", "(a|aa)+$"), "takes too long"),
        (("--redact", "x*"), "matches empty text"),
        (("--redact", "("), "not a regular expression"),
        (("--redact", "(?:a{1000}){1000}"), "repetitions are too large"),
        # It is spread over two values that are read as one.
        (("--redact", r"sec\s*ret"), "would still be in it"),
    ],
)
def test_what_cannot_be_redacted_is_not_written(
    wishes: tuple[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    split: JsonObject = turn("Go", ("f", {"said": "conversations"}), answer="a" * 40 + "!")
    split["user_content"] = {"parts": [{"text": "my sec"}, {"text": "ret"}]}
    left = suite(tmp_path / "left.json", one=[split, turn("Bye")])
    right = suite(tmp_path / "right.json", one=[turn("Bye")])
    report = tmp_path / "report"
    assert main(["diff", str(left), str(right), f"--report=json={report}", *wishes]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert "conversations" not in told.err
    assert not report.exists()


def results(path: Path, name: str, *statuses: int) -> Path:
    cases: list[Json] = [
        {
            "eval_set_id": "s", "eval_id": name, "final_eval_status": status, "session_id": f"{name} {at}",
            "overall_eval_metric_results": [
                {"metric_name": "response_match_score", "threshold": 0.8, "score": 0.5, "eval_status": status}
            ],
            "eval_metric_result_per_invocation": [],
        }
        for at, status in enumerate(statuses)
    ]  # fmt: skip
    value = {"eval_set_result_id": path.stem, "eval_set_id": "s", "eval_case_results": cases}
    path.write_text(json.dumps(value))
    return path


def test_reports_of_two_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = results(tmp_path / f"base {BAIT}.json", f"case {BAIT}", 1, 1)
    new = results(tmp_path / f"new {BAIT}.json", f"case {BAIT}", 1, 2)
    reports = [f"--report={kind}={tmp_path / kind}" for kind in KINDS]
    assert main(["compare-runs", str(base), str(new), *reports]) == 1
    assert BAIT in capsys.readouterr().out
    assert all(BAIT in (tmp_path / kind).read_text() for kind in KINDS)
    assert main(["compare-runs", str(base), str(new), *reports, "--redact", BAIT]) == 1
    told = [capsys.readouterr().out, *((tmp_path / kind).read_text() for kind in KINDS)]
    assert not any(BAIT in plain(text) for text in told)
    assert all("[redacted]" in text for text in told)
    assert "pass@2" in told[0]


def test_no_bait_of_a_reason_stands_in_reports_of_two_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "sk-" + "a1" * 12
    base, new = results(tmp_path / "base.json", "a", 1), results(tmp_path / "new.json", "a", 2)
    value = json.loads(new.read_text())
    details = {"details": {"reason": f"It says {secret} and {BAIT}."}}
    metric = value["eval_case_results"][0]["overall_eval_metric_results"][0] | details
    metric["metric_name"] = f"of {BAIT}"
    value["eval_case_results"][0]["overall_eval_metric_results"] = [metric]
    new.write_text(json.dumps(value))
    base.write_text(base.read_text().replace("response_match_score", f"of {BAIT}"))
    reports = [f"--report={kind}={tmp_path / kind}" for kind in KINDS]
    assert main(["compare-runs", str(base), str(new), *reports]) == 1
    capsys.readouterr()
    assert all(secret in plain((tmp_path / kind).read_text()) for kind in KINDS)
    wishes = ("--redact-secrets", "--redact", BAIT)
    assert main(["compare-runs", str(base), str(new), *reports, *wishes]) == 1
    told = [capsys.readouterr().out, *((tmp_path / kind).read_text() for kind in KINDS)]
    assert not any(bait in plain(text) for text in told for bait in (secret, BAIT))
    assert all("It says [redacted] and [redacted]." in plain(text) for text in told[1:])


def test_a_report_is_never_written_over_what_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = results(tmp_path / "base.json", "a", 1), results(tmp_path / "new.json", "a", 1)
    before = base.read_bytes()
    for given in (str(base), str(tmp_path)):
        assert main(["compare-runs", given, str(new), f"--report=json={base}"]) == 2
        assert "is one of those evaluated or compared" in capsys.readouterr().err
    assert base.read_bytes() == before
    assert main(["compare-runs", str(base), str(new), "--report=pdf=x"]) == 2
    assert "There is no report “pdf” for two runs" in capsys.readouterr().err
    twice = [f"--report={kind}={tmp_path / 'report'}" for kind in ("json", "html")]
    assert main(["compare-runs", str(base), str(new), *twice]) == 2
    assert "Two reports would be written to" in capsys.readouterr().err
    assert not (tmp_path / "report").exists()


def test_no_bait_stands_in_any_report_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traces, goldens = baited(tmp_path / "traces.json", 1), baited(tmp_path / "goldens.json", 2)
    kinds = [*RUN_REPORTS]
    reports = [f"--report={kind}={tmp_path / kind}" for kind in kinds]
    command = ["evaluate", str(traces), "--golden", str(goldens), "--pair-by", "order", *reports]
    secrets = (BAIT, "41111111", "horse", "bättery", "b\\u00e4ttery", "correct")
    ended = main(command)
    bare = [capsys.readouterr().out, *((tmp_path / kind).read_text() for kind in kinds)]
    assert all(any(secret in plain(text) for secret in secrets) for text in bare)
    assert main([*command, *WISHES]) == ended
    told = [capsys.readouterr().out, *((tmp_path / kind).read_text() for kind in kinds)]
    for kind, text in zip(("table", *kinds), told, strict=True):
        assert "[redacted]" in text, kind
        assert [secret for secret in secrets if secret in text or secret in plain(text)] == [], kind
    assert main([*command, "--json", *WISHES]) == ended
    assert not any(secret in capsys.readouterr().out for secret in secrets)


def test_a_secret_that_was_cut_short_in_a_reason_is_taken_out_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "".join(f"{at:03}-quite-secret-" for at in range(40))
    traces = suite(tmp_path / "traces.json", one=[turn("Go", ("f", {"password": secret, "note": f"is {secret}"}))])
    goldens = suite(tmp_path / "goldens.json", one=[turn("Go", ("f", {"password": "other", "note": "none"}))])
    report = tmp_path / "report.html"
    command = ["evaluate", str(traces), "--golden", str(goldens), "--pair-by", "order", f"--report=html={report}"]
    main(command)
    assert "000-quite" in capsys.readouterr().out
    main([*command, "--redact-key", "password"])
    assert "000-quite" not in capsys.readouterr().out + plain(report.read_text())


def test_keys_of_secrets_are_known_in_reports_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keys = ("clientSecret", "X-Auth-Token", "aws_secret_access_key")
    sides = [
        suite(tmp_path / f"{side}.json", one=[turn("Go", ("f", {key: f"bait of {side} {key}" for key in keys}))])
        for side in ("traces", "goldens")
    ]
    kinds = [*RUN_REPORTS]
    reports = [f"--report={kind}={tmp_path / kind}" for kind in kinds]
    command = ["evaluate", str(sides[0]), "--golden", str(sides[1]), "--pair-by", "order", *reports]
    main(command)
    assert "bait of" in capsys.readouterr().out
    main([*command, "--redact-secrets"])
    told = [capsys.readouterr().out, *((tmp_path / kind).read_text() for kind in kinds)]
    assert not any("bait of" in plain(text) for text in told)


def test_two_arguments_whose_names_are_redacted_stay_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for name, values in (("left", ("one", "two")), ("right", ("three", "four"))):
        args = {f"customer-{at}": value for at, value in enumerate(values)}
        turn = {"user_content": {"parts": [{"text": "Q"}]}, "intermediate_data": {"tool_uses": [
            {"name": "f", "args": args}
        ]}}  # fmt: skip
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(
            json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]})
        )
    assert main(["diff", *map(str, paths), "--redact", r"customer-\d"]) == 1
    out = capsys.readouterr().out
    assert '[redacted]: "one" ≠ "three"' in out
    assert '[redacted] ″: "two" ≠ "four"' in out
