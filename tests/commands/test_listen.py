"""listen: real programs send while they run, each turn is told as it ends, and the end is that of evaluate."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

import pytest

from tests.flows.live.test_growing import golden_file
from tests.flows.live.test_partings import BOOK, LATE, SEARCH, golden_with_calls
from tests.helpers.sending_agent import ASKED, BATCH, MANY, SAID
from tests.helpers.sent_spans import calling_spans, request, turn_spans
from trace_inspector.cli import main

AGENT = [sys.executable, "-m", "tests.helpers.sending_agent"]


NEEDED = {
    "grpc": ["h2", "opentelemetry.exporter.otlp.proto.grpc"],
    "json": ["opentelemetry.exporter.otlp.json.http"],
}


def skip_without(words: str) -> None:
    """Skip a test where a client or what it is received by is not installed."""
    for name in NEEDED.get(words.split(" ", 1)[0], ()):
        pytest.importorskip(name, reason=f"{name} is not installed")


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    return golden_file(tmp_path, (ASKED, SAID))


def listened(folder: Path, *options: str, agent: str = "", code: int) -> Path:
    """Listen to the agent; the recording."""
    record = folder / "recording.jsonl"
    command = ["--", *AGENT, *agent.split()] if agent else []
    assert main(["listen", "--port", "0", "--record", str(record), *options, *command]) == code
    return record


@pytest.mark.parametrize(
    "words",
    [
        "new gzip",
        "old",
        "logs gzip",
        "json new gzip",
        "json logs",
        "json old",
        "grpc new gzip",
        "grpc logs gzip",
        "grpc old",
        "environment new",
        "environment logs",
    ],
)
def test_an_agent_is_scored_turn_by_turn_and_its_run_is_that_of_its_recording(
    words: str, tmp_path: Path, golden: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    skip_without(words)
    if "environment" in words:
        monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
        monkeypatch.setenv("OTEL_LOGS_EXPORTER", "otlp")
    junit = tmp_path / "r.xml"
    record = listened(tmp_path, "--golden", str(golden), "--report", f"junit={junit}", agent=words, code=0)
    lines = capsys.readouterr().out.splitlines()
    told = [line[10:] for line in lines[1:] if ", turn 1" in line]
    last = {line for line in told if line.startswith("passed  case, turn 1")}
    assert len(last) >= 1
    assert sum(", again" not in line for line in told) == 2
    assert all(ASKED in line for line in last)
    assert 'failures="0"' in junit.read_text(encoding="utf-8")
    assert main(["evaluate", str(record), "--golden", str(golden)]) == 0
    assert capsys.readouterr().out.splitlines() == lines[1 + len(told) :]


def test_a_wrong_answer_fails_and_is_told_when_it_comes(
    tmp_path: Path, golden: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listened(tmp_path, "--golden", str(golden), agent="wrong", code=1)
    told = [line[10:] for line in capsys.readouterr().out.splitlines() if ", turn 1; " in line]
    assert [line.partition("; response_match_score")[0] for line in told] == [f"FAILED  case, turn 1; “{ASKED}”"] * 2


def test_where_a_turn_parts_from_its_golden_is_told_while_it_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = golden_with_calls(tmp_path, SEARCH, BOOK)
    spans = calling_spans(1, "c1", "A table?", [SEARCH], [("book", LATE)])
    for number, some in enumerate((spans[:3], spans[3:])):
        (tmp_path / f"request-{number}").write_bytes(request(some))
    (tmp_path / "running_agent.py").write_text(
        "import os, time, urllib.request\n"
        "for number in range(2):\n"
        f"    body = open(os.path.join({str(tmp_path)!r}, f'request-{{number}}'), 'rb').read()\n"
        "    address = os.environ['OTEL_EXPORTER_OTLP_ENDPOINT'] + '/v1/traces'\n"
        "    urllib.request.urlopen(urllib.request.Request(address, body, {'Content-Type': 'application/json'}))\n"
        "    time.sleep(1)\n",
        encoding="utf-8",
    )
    command = ["--", sys.executable, str(tmp_path / "running_agent.py")]
    record = ["--record", str(tmp_path / "recording.jsonl")]
    assert main(["listen", "--port", "0", *record, "--golden", str(golden), *command]) == 1
    told = [line[10:] for line in capsys.readouterr().out.splitlines() if ", turn 1" in line]
    assert told[0] == "parts while it runs  c1, turn 1, call 2: book: party 4 ≠ 6"
    assert told[1].startswith("FAILED  case, turn 1")


def test_texts_that_were_not_sent_are_named_with_their_variable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listened(tmp_path, agent="silent", code=3)
    named = "its texts were not sent: set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true"
    assert sum(named in line for line in capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize("words", ["new", "json new", "grpc new"])
@pytest.mark.parametrize("stated", ["", "x-api-key=a%20b,Authorization=Basic%20c", " "])
def test_the_command_is_told_the_token_beside_headers_of_another(
    words: str, stated: str, tmp_path: Path, golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    skip_without(words)
    for name in ("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"):
        monkeypatch.setenv(name, stated)
    record = listened(tmp_path, "--golden", str(golden), "--token", "a b,c", agent=words, code=0)
    assert ASKED in record.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", ["new many", "json new many gzip", "grpc new many gzip"])
def test_hundreds_of_spans_in_batches_are_all_there_once(words: str, tmp_path: Path, golden: Path) -> None:
    skip_without(words)
    record = listened(tmp_path, "--golden", str(golden), agent=words, code=0)
    lines = [json.loads(line) for line in record.read_bytes().splitlines()]
    spans = [span for line in lines for each in line["resourceSpans"] for span in each["scopeSpans"][0]["spans"]]
    names = [span["name"] for span in spans if span["name"].startswith("GET /")]
    assert len(lines) >= MANY // BATCH
    assert sorted(names) == sorted(f"GET /{number}" for number in range(MANY))
    assert len({(span["traceId"], span["spanId"]) for span in spans}) == len(spans) == MANY + 4


@pytest.mark.parametrize("options", [["--token-file", "token.txt"], []])
def test_a_token_of_a_file_or_the_environment_is_in_no_list_of_processes(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("token.txt").write_text("s3 cret\n", encoding="utf-8")
    monkeypatch.setenv("TRACE_INSPECTOR_TOKEN", "other" if options else "s3 cret")
    command = ["--port", "0", "--record", "r.jsonl", "--host", "127.0.0.2", *options]
    said = "import os; print(os.environ['OTEL_EXPORTER_OTLP_HEADERS'], file=open('told.txt', 'w'))"
    assert main(["listen", *command, "--", sys.executable, "-c", said]) == 2  # nothing arrived
    assert Path("told.txt").read_text(encoding="utf-8") == "authorization=Bearer%20s3%20cret\n"


def test_a_conversation_in_two_parts_of_the_recording_is_one_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = golden_file(tmp_path, (ASKED, SAID), ("And hats?", "There are red hats."))
    later_ms = 10**11  # after what the agent says
    goes_on = request(turn_spans(9, "one", "And hats?", "There are red hats.", at_ms=later_ms))
    (tmp_path / "next").write_bytes(goes_on + b"\n")
    (tmp_path / "two_parts.py").write_text(
        "import shutil\n"
        "from tests.helpers.sending_agent import main\n"
        "main(['new'])\n"
        f"shutil.copy({str(tmp_path / 'next')!r}, {str(tmp_path / 'recording-part2.jsonl')!r})\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path.cwd()}")
    command = ["--", sys.executable, "-m", "two_parts"]
    record = ["--record", str(tmp_path / "recording.jsonl")]
    assert main(["listen", "--port", "0", *record, "--golden", str(golden), "--json", *command]) == 1
    turns = {case["trace"]: case["turns"] for case in json.loads(capsys.readouterr().out)["cases"]}
    assert {name: [turn["status"] for turn in listed] for name, listed in turns.items()} == {
        "one": ["PASSED", "PASSED"],
        "two": ["PASSED", "FAILED"],
    }


def test_a_command_that_fails_is_no_success(tmp_path: Path, golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listened(tmp_path, "--golden", str(golden), agent="new fail", code=2)
    assert "The command ended with code 7." in capsys.readouterr().err


def test_it_ends_after_so_many_turns_or_seconds(
    tmp_path: Path, golden: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listened(tmp_path, "--golden", str(golden), "--until-turns", "2", agent="new hang", code=0)
    assert "The command was still running, and was ended." in capsys.readouterr().err
    assert main(["listen", "--port", "0", "--timeout", "0.1"]) == 2
    err = capsys.readouterr().err
    assert "Stopped after 0.1 seconds." in err
    assert "Nothing arrived. Set OTEL_EXPORTER_OTLP_ENDPOINT" in err
    assert not list((Path(os.environ["TRACE_INSPECTOR_DATA"]) / "recordings").iterdir())


@pytest.mark.parametrize("options", [[], ["--grpc-port", "0"]])
def test_a_program_that_is_set_to_grpc_is_heard(
    options: list[str],
    tmp_path: Path,
    golden: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    skip_without("grpc")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    listened(tmp_path, "--golden", str(golden), *options, agent="new", code=0)
    assert sum(line[10:].startswith("passed  case") for line in capsys.readouterr().out.splitlines()) == 2


def test_grpc_without_its_library_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "h2", None)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    assert main(["listen", "--port", "0", "--grpc-port", "0"]) == 2
    assert "pip install 'trace-inspector[live]'" in capsys.readouterr().err
    assert main(["listen", "--port", "0", "--", sys.executable, "-c", ""]) == 2
    assert "OTEL_EXPORTER_OTLP_PROTOCOL is grpc: h2 is not installed; " in capsys.readouterr().err


REFUSED = """
import os, urllib.request, urllib.error
request = urllib.request.Request(os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/{0}", b"{{}}", {1})
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError:
    pass
"""


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("", "The command was told the address by OTEL_EXPORTER_OTLP_ENDPOINT; it needs an SDK"),
        (REFUSED.format("nowhere", {"Content-Type": "application/json"}), "1 request got 404 (Not Found)"),
        (REFUSED.format("traces", {"Content-Type": "text/plain"}), "1 request got 415 (Unsupported Media Type)"),
        (REFUSED.format("metrics", {"Content-Type": "application/json"}), "requests without spans and logs"),
    ],
)
def test_nothing_arrived_says_why(code: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["listen", "--port", "0", "--", sys.executable, "-c", code]) == 2
    assert sentence in capsys.readouterr().err


def test_as_json_it_says_one_object(tmp_path: Path, golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listened(tmp_path, "--golden", str(golden), "--json", agent="new", code=0)
    assert len(json.loads(capsys.readouterr().out)["cases"]) == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--record", "there.jsonl"], "there.jsonl: There is a file already."),
        (["--record", "new.json"], "ends with .jsonl or .ndjson"),
        (["--record", "no/folder.jsonl"], "The recording cannot be made (No such file or directory)"),
        (["--host", "0.0.0.0"], "give --token with --host"),
        (["--host", "nowhere.invalid", "--token", "t"], "There is no address “nowhere.invalid”"),
        (["--token-file", "there.jsonl", "--token", "t"], "not allowed with argument"),
        (["--token-file", "no.txt"], "no.txt: The token cannot be read (No such file or directory)."),
        (["--token-file", "two.txt"], "two.txt: A token is one line of text."),
        (["--token-file", "empty.txt"], "empty.txt: A token is one line of text."),
        (["--token-file", "."], "The token cannot be read ("),
        (["--port", "{taken}"], "Port {taken} is taken, most likely by a collector"),
        (["--port", "70000"], "give a port from 0 to 65535"),
        (["--until-turns", "0"], "give a number of turns"),
        (["--timeout", "soon"], "give a number of seconds"),
        (["--record", "gone.jsonl"], "gone-part2.jsonl: There is a file already"),
        (["--", "no-such-program"], "“no-such-program” cannot be started"),
        (["--golden", "no.json"], "There is no such file"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    options: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.jsonl").write_text("{}\n", encoding="utf-8")
    Path("gone-part2.jsonl").write_text("{}\n", encoding="utf-8")  # of a recording that was moved away
    Path("two.txt").write_text("a\nb\n", encoding="utf-8")
    Path("empty.txt").write_text(" \n", encoding="utf-8")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = str(other.getsockname()[1])
        given = [option.format(taken=taken) for option in options]
        port = [] if "--port" in options else ["--port", "0"]
        assert main(["listen", *port, *given]) == 2
    printed = capsys.readouterr()
    assert sentence.format(taken=taken) in printed.err
    assert "Traceback" not in printed.err
