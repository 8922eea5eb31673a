"""Judges of plugins: asked as all others are, and what one does wrong is a failed question that names it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.plugins import forgotten, install
from tests.helpers.small_set import small_set
from trace_inspector.cli import main

JUDGE = """
from trace_inspector.extending import *
class Judge:
    name = "toy"
    endpoint = "here"
    async def call(self, prompted):
        {call}
    async def close(self):
        {close}
def make(environment, timeout_s):
    {make}
"""
VALID = """return ModelAnswer('{"is_the_agent_response_valid": "valid"}')"""


def judge(call: str = VALID, close: str = "pass", make: str = "return Judge()") -> str:
    return JUDGE.replace("{call}", call).replace("{close}", close).replace("{make}", make)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "data"))
    folder = tmp_path / "site"
    folder.mkdir()
    with forgotten(folder):
        yield folder


def asked(site: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, *words: str) -> tuple[int, str]:
    module = f"toy_judge_{name}"
    install(site, f"toy-judge-{name}", {"judges": {"toy": f"{module}:make"}}, {module: text})
    goldens, recording = small_set(site.parent)
    given = ["--golden", str(goldens), "--only", "final_response_match_v2", "--no-cache"]
    status = main(["evaluate", str(recording), *given, *words])
    told = capsys.readouterr()
    return status, told.out + told.err


@pytest.mark.parametrize("named", ["toy", "toy:large"])
def test_a_judge_of_a_plugin_is_asked(named: str, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = asked(site, capsys, "good", judge(), "--judge", named)
    assert (status, "1 case: 1 passed" in told) == (0, True), told


BROKEN = {
    "raises": (judge("raise KeyError('x')"), 3, "failed while it was asked: KeyError: 'x'"),
    "type": (judge("return 'valid'"), 3, "failed while it was asked: TypeError: a str is no ModelAnswer"),
    "failed": (judge("raise CallFailed('no key', again=False)"), 3, "no key"),
    "closes": (judge(close="1 / 0"), 0, "1 case: 1 passed"),
    "factory": (judge(make="1 / 0"), 2, "failed while its judge was made: ZeroDivisionError"),
    "nothing": (judge(make="return None"), 2, "failed while its judge was made: AttributeError"),
    "import": ("1 / 0", 2, "failed while it was imported: ZeroDivisionError"),
    "no function": ("make = 5", 2, "which makes no judge"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_judge_is_told(fault: str, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, expected, sentence = BROKEN[fault]
    name = fault.replace(" ", "")
    status, told = asked(site, capsys, name, text, "--judge", "toy")
    assert (status, sentence in told) == (expected, True), told
    assert expected == 0 or fault == "failed" or f"the plugin “toy” of toy-judge-{name} 1.0" in told
    assert "Traceback" not in told


def test_one_that_is_off_is_none(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = asked(site, capsys, "off", judge(), "--judge", "toy", "--no-plugins")
    assert (status, "There is no judge “toy”" in told) == (2, True), told
    status = main(["evaluate", str(site.parent / "session.json"), "--judge", "toys"])
    assert (status, "or none, toy." in capsys.readouterr().err) == (2, True)
