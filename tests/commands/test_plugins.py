"""What other distributions add to the commands, and what happens when they break."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.plugins import forgotten, install
from tests.helpers.small_set import small_set
from trace_inspector.cli import main
from trace_inspector.settings import PLUGIN_SETTINGS

METRIC = """
from trace_inspector.extending import *
def judge(subject, criterion):
    {judge}
def load():
    {load}
ROW = Metric("{name}", "Toy", "toy", "A toy.", {row}default_threshold=0.5)
def passed(subject, criterion, score=1.0):
    one = MetricVerdict(criterion.metric, score, Status.PASSED)
    turns = tuple(one if row.observed else None for row in subject.turns)
    return Judged(MetricVerdict(criterion.metric, score, Status.PASSED, criterion.threshold), turns)
"""
FORMAT = """
from trace_inspector.extending import *
def recognise(value):
    {recognise}
def read(source):
    {read}
ROW = Format("{name}", "Toy", "Toy", "toys", "toys", recognise, lambda: Implementation(read))
"""
MINE = 'return 90 if isinstance(value, dict) and "toys" in value else 0'
READS = """
    yield Trace("t1")
    yield Turn(0, "i", (Text("Hi"),), (), (Text("Hello"),), steps=Steps.EVENTS)
"""


def metric(name: str, judge: str = "return passed(subject, criterion)", **parts: str) -> str:
    filled = {"load": "return Method(judge)", "row": "load, ", **parts}
    return METRIC.format(name=name, judge=judge, **filled)


def toy_format(name: str, recognise: str = MINE, read: str = READS) -> str:
    return FORMAT.format(name=name, recognise=recognise, read=read)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "site"
    folder.mkdir()
    with forgotten(folder):
        yield folder


@pytest.fixture
def toys(tmp_path: Path) -> Path:
    file = tmp_path / "toys.json"
    file.write_text('{"toys": [1]}', "utf-8")
    return file


def said(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str]:
    status = main([*map(str, words)])
    told = capsys.readouterr()
    return status, told.out + told.err


def evaluated(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> tuple[int, str]:
    goldens, recording = small_set(folder)
    return said(capsys, "evaluate", recording, "--golden", goldens, *words)


def test_a_metric_judges_and_is_listed(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "toy-one", {"metrics": {"toy_metric": "toy_one:ROW"}}, {"toy_one": metric("toy_metric")})
    status, told = evaluated(capsys, tmp_path, "--only", "toy_metric")
    assert (status, "1 case: 1 passed" in told) == (0, True), told
    assert "toy_metric\n  A toy.\n  toy, decides" in said(capsys, "metrics")[1]
    status, told = evaluated(capsys, tmp_path, "--only", "toy_metrics")
    assert status == 2
    status, told = evaluated(capsys, tmp_path, "--only", "toy_metric", "--jobs", "2")
    assert (status, "1 case: 1 passed" in told) == (0, True), told


def test_a_metric_is_no_part_of_a_run_that_does_not_name_it(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = "load, informational=True, "
    install(site, "toy-two", {"metrics": {"toy_info": "toy_two:ROW"}}, {"toy_two": metric("toy_info", row=row)})
    assert "toy_info" not in evaluated(capsys, tmp_path)[1]
    assert "toy_two" not in sys.modules


BROKEN_METRICS = {
    "import": ("1 / 0", "failed while it was imported: ZeroDivisionError: division by zero"),
    "exit": ("raise SystemExit(3)", "failed while it was imported: SystemExit: 3"),
    "no row": ("ROW = 5", "cannot be used: toy_bad:ROW is a int and no Metric"),
    "name": (metric("other"), "it calls itself “other”; it has to have the name of its entry point"),
    "field": (metric("bad", row="load, needs=5, "), "“needs” of its row is a int"),
    "load": (metric("bad", load="return 5"), "failed while its metric was imported: TypeError: a int is no Method"),
    "judge": (metric("bad", "1 / 0"), "failed while it judged by bad: ZeroDivisionError"),
    "leaves": (metric("bad", "raise SystemExit"), "failed while it judged by bad: SystemExit"),
    "nothing": (metric("bad", "return None"), "failed while it judged by bad: TypeError"),
    "nan": (metric("bad", "return passed(subject, criterion, float('nan'))"), "ValueError: nan is no score"),
    "text": (metric("bad", "return passed(subject, criterion, 'high')"), "TypeError: this is no float"),
    "turns": (metric("bad", "return Judged(passed(subject, criterion).overall, ())"), "0 verdicts for"),
    "asks": (metric("bad", "yield 'how is it?'"), "it asks by tuples of Ask"),
    "rounds": (metric("bad", "yield ()\n    raise KeyError('x')"), "failed while it judged by bad: KeyError"),
}


@pytest.mark.parametrize("fault", BROKEN_METRICS)
def test_a_broken_metric_is_an_error_that_names_it(
    fault: str, site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, sentence = BROKEN_METRICS[fault]
    install(site, f"toy-{fault.replace(' ', '-')}", {"metrics": {"bad": "toy_bad:ROW"}}, {"toy_bad": text})
    status, told = evaluated(capsys, tmp_path, "--only", "bad", "tool_trajectory_avg_score")
    assert status in {1, 3}, told
    assert f"the plugin “bad” of toy-{fault.replace(' ', '-')} 1.0" in told
    assert sentence in told
    assert "Traceback" not in told
    assert "ERROR" in told
    status, told = said(capsys, "metrics")
    assert status == 0


def test_what_a_plugin_prints_does_not_stand_between_the_json(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "print('import')\n" + metric("chatty", "print('judge')\n    return passed(subject, criterion)")
    install(site, "toy-chatty", {"metrics": {"chatty": "toy_chatty:ROW"}}, {"toy_chatty": text})
    goldens, recording = small_set(tmp_path)
    assert main(["evaluate", str(recording), "--golden", str(goldens), "--only", "chatty", "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)
    assert "import\n" in told.err
    assert "judge\n" in told.err


def test_a_format_is_read_listed_and_evaluated(site: Path, toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "toy-format", {"formats": {"toys": "toy_format:ROW"}}, {"toy_format": toy_format("toys")})
    assert "toys.json: toys\n  trace t1: 1 turn" in said(capsys, "inspect", toys)[1]
    assert said(capsys, "validate", toys)[0] == 0
    assert "toys" in said(capsys, "formats")[1]
    assert said(capsys, "evaluate", toys, "--fail-on", "never")[0] == 0
    assert (
        "There is no format" not in said(capsys, "convert", toys, "--to", "adk-session", "-o", toys.parent / "o")[1]
    )


def test_a_format_is_not_asked_about_what_ours_know(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(
        site,
        "toy-greedy",
        {"formats": {"greedy": "toy_greedy:ROW"}},
        {"toy_greedy": toy_format("greedy", "return 100")},
    )
    goldens, _recording = small_set(tmp_path)
    assert "adk-eval-set" in said(capsys, "inspect", goldens)[1]
    assert "toy_greedy" not in sys.modules


BROKEN_FORMATS = {
    "import": ("1 / 0", "failed while it was imported: ZeroDivisionError"),
    "recognise": (toy_format("bad", "return value.x"), "failed while it looked at a file: AttributeError"),
    "sure": (toy_format("bad", "return 'very'"), "a str is no confidence from 0 to 100"),
    "read": (toy_format("bad", read="1 / 0"), "failed while it read this file: ZeroDivisionError"),
    "halfway": (toy_format("bad", read=f"{READS}    1 / 0"), "failed while it read this file: ZeroDivisionError"),
    "item": (toy_format("bad", read="yield 5"), "it gave a int, which a reader does not yield"),
    "field": (toy_format("bad", read='yield Trace("t")\n    yield Turn(0, user="Hi")'), "a Turn has a field of the"),
    "reader": (
        toy_format("bad") + "\nROW = Format('bad', 'T', 'T', 't', 't', recognise, lambda: 5)",
        "a int is no Imp",
    ),
    "place": (toy_format("bad", read='yield Trace("t", place="nowhere/~9")\n    1 / 0'), "ZeroDivisionError"),
}


@pytest.mark.parametrize("fault", BROKEN_FORMATS)
def test_a_broken_format_is_a_finding_that_names_it(
    fault: str, site: Path, toys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, sentence = BROKEN_FORMATS[fault]
    install(site, f"toy-format-{fault}", {"formats": {"bad": "toy_bad_format:ROW"}}, {"toy_bad_format": text})
    for command in ("validate", "inspect"):
        status, told = said(capsys, command, toys)
        assert f"the plugin “bad” of toy-format-{fault} 1.0" in told, told
        assert sentence in told
        assert "Traceback" not in told
    status, told = said(capsys, "validate", toys)
    assert status == 1
    assert said(capsys, "formats")[0] == 0


def test_what_was_read_before_it_broke_is_shown(site: Path, toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = toy_format("half", read=f"{READS}    1 / 0")
    install(site, "toy-half", {"formats": {"half": "toy_half:ROW"}}, {"toy_half": text})
    assert "trace t1: 1 turn" in said(capsys, "inspect", toys)[1]


GOLDENS = """yield Suite("s", cases=(Case("one", "s", (Turn(0, "i", (Text("Hi"),), (), steps=Steps.EVENTS),)),))"""


def test_goldens_of_a_plugin_are_not_edited_but_converted(
    site: Path, toys: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = toy_format("toys", read=GOLDENS)
    install(site, "toy-goldens", {"formats": {"toys": "toy_goldens:ROW"}}, {"toy_goldens": text})
    _goldens, recording = small_set(tmp_path)
    before = toys.read_bytes()
    asked: tuple[tuple[str | Path, ...], ...] = (
        ("promote", recording, "--into", toys),
        ("rebase", toys, "--base", recording, "--new", recording, "--propose", tmp_path / "proposed.json"),
    )
    for words in asked:
        status, told = said(capsys, *words)
        assert status == 2
        assert "Goldens cannot be written as “toys”; they can be written as adk-eval-set" in told
    assert toys.read_bytes() == before
    assert said(capsys, "convert", toys, "--to", "adk-eval-set", "-o", tmp_path / "converted.json")[0] == 0


OFF = {
    "all": (["--no-plugins"], ""),
    "name": (["--without-plugin", "switched"], ""),
    "kind and name": (["--without-plugin", "metrics:switched"], ""),
    "distribution": (["--without-plugin", "toy-switched"], ""),
    "settings": ([], 'off = ["switched"]'),
    "all, by settings": ([], 'off = ["*"]'),
}


@pytest.mark.parametrize("how", OFF)
def test_a_plugin_is_switched_off(
    how: str, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "data"))
    install(site, "toy-switched", {"metrics": {"switched": "toy_sw:ROW"}}, {"toy_sw": metric("switched")})
    assert evaluated(capsys, tmp_path, "--only", "switched")[0] == 0
    words, settings = OFF[how]
    (tmp_path / "data" / PLUGIN_SETTINGS).write_text(settings, "utf-8")
    status, told = evaluated(capsys, tmp_path, "--only", "switched", *words)
    assert (status, "There is no metric “switched”" in told) == (2, True), told
    assert "switched, toy-switched 1.0; switched off" in said(capsys, "doctor", *words)[1]
    assert evaluated(capsys, tmp_path, "--only", "switched", "--without-plugin", "other")[0] == (2 if settings else 0)


@pytest.mark.parametrize("settings", ["off = 5", "of = []", "[metric_commands]\nx = 'rm -rf'", "off = [", "\xff"])
def test_settings_that_cannot_be_read_are_told(
    settings: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / PLUGIN_SETTINGS).write_bytes(settings.encode("latin-1"))
    status, told = evaluated(capsys, tmp_path, "--only", "something")
    assert (status, f"{PLUGIN_SETTINGS}: " in told, "Traceback" in told) == (2, True, False), told
    assert "note     plugins          not used" in said(capsys, "doctor")[1]


@pytest.mark.parametrize(
    "stated", ["{", "5", '{"off": 5}', '{"commands": {"x": "rm"}}', '{"commands": {"x": []}}', "[" * 50_000]
)
def test_what_somebody_put_into_our_own_variable_is_told(
    stated: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_PLUGINS_CHOSEN", stated)
    status, told = evaluated(capsys, tmp_path, "--only", "something")
    assert (status, "Unset it." in told, "Traceback" in told) == (2, True, False), told
    assert "note     plugins          not used" in said(capsys, "doctor")[1]


def test_doctor_says_what_is_wrong_with_a_plugin(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = {
        "metrics": {"leaves": "toy_leaves:ROW", "tool_trajectory_avg_score": "toy_fine:ROW", "fine": "toy_fine:ROW"},
        "judges": {"no-judge": "toy_fine:ROW"},
    }
    install(site, "toy-doctor", entries, {"toy_leaves": "import os\nos._exit(7)", "toy_fine": metric("fine")})
    install(site, "toy-later", {"metrics": {"fine": "toy_fine:ROW"}}, {})
    told = said(capsys, "doctor")[1]
    assert "ok       plugin metrics   fine, toy-doctor 1.0; on" in told
    assert "leaves, toy-doctor 1.0; broken" in told
    assert "the plugin “leaves” of toy-doctor 1.0 ended the process that imported it." in told
    assert "tool_trajectory_avg_score, toy-doctor 1.0; not used" in told
    assert "fine, toy-later 1.0; not used" in told
    assert "no-judge, toy-doctor 1.0; broken" in told


def test_a_file_cannot_load_a_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by what it names, and not by lying where the program is started."""
    here = tmp_path / "here"
    here.mkdir()
    trap = f"import pathlib\npathlib.Path({str(tmp_path / 'sprung')!r}).touch()\n"
    install(here, "toy-trap", {"metrics": {"trap": "toy_trap:ROW"}}, {"toy_trap": trap + metric("trap")})
    goldens, recording = small_set(here)
    criteria = {"criteria": {"trap": 0.5, "toy_trap:ROW": 0.5, "os:system": 0.5}}
    (here / "test_config.json").write_text(json.dumps(criteria), "utf-8")
    monkeypatch.chdir(here)
    words = ["evaluate", recording.name, "--golden", goldens.name]
    done = subprocess.run(
        [sys.executable, "-m", "trace_inspector", *words], capture_output=True, text=True, timeout=240, check=False,
        env={**os.environ, "TRACE_INSPECTOR_DATA": str(tmp_path / "data")},
    )  # fmt: skip
    assert "there is no built-in metric “trap”" in done.stdout
    assert not (tmp_path / "sprung").exists()


def test_a_run_that_needs_no_plugin_looks_for_none(tmp_path: Path, site: Path) -> None:
    install(site, "toy-idle", {"metrics": {"idle": "toy_idle:ROW"}}, {"toy_idle": metric("idle")})
    goldens, recording = small_set(tmp_path)
    statement = (
        "import sys\nfrom trace_inspector.cli import main\nmain(sys.argv[1:])\n"
        "looked = {'importlib.metadata', 'trace_inspector.plugins', 'toy_idle'}\n"
        "print(sorted(looked & set(sys.modules)), file=sys.stderr)"
    )
    environment = {**os.environ, "TRACE_INSPECTOR_DATA": str(tmp_path / "data"), "PYTHONPATH": str(site)}
    for words in (["evaluate", recording, "--golden", goldens], ["inspect", recording], ["diff", goldens, recording]):
        command = [sys.executable, "-c", statement, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, env=environment)
        assert done.stderr == "[]\n"
