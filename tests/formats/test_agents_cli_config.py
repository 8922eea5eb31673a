"""The configuration of agents-cli: what is run, what is off, and what its judges are asked."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.formats.agents_cli_files import TEMPLATE, configuration, in_words
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict, Provenance, Status
from trace_inspector.engine.judges.questions.own_prompt import prompt_parameters
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise
from trace_inspector.formats.vertex.run.eval_config import range_in
from trace_inspector.models.details.verdict_pairs import pairs_of


def _criteria(contents: Contents) -> list[Criterion]:
    assert contents.criteria is not None
    return [*contents.criteria.items]


def test_listed_metrics_are_criteria_in_their_order_and_the_others_are_off() -> None:
    contents = opened(configuration())
    assert [criterion.metric for criterion in _criteria(contents)] == ["judge_prompt:tone", "turns", "safety"]
    assert codes(contents) == ["function-not-run", "managed-metric", "metric-off"]
    assert [finding.pointer for finding in contents.findings] == [
        "/custom_metrics/1/custom_function",
        "/metrics_to_run/2",
        "/custom_metrics/2",
    ]
    assert _criteria(contents)[1].options == {"custom_function": "def evaluate(instance):\n    raise SystemExit\n"}


def test_a_template_is_asked_with_its_braces_and_scale() -> None:
    tone = _criteria(opened(configuration()))[0]
    options = prompt_parameters(tone)  # raises where our judge could not ask it
    assert options.limits == (1.0, 5.0)
    assert options.names == {"user", "answer", "calls", "history"}
    asked = options.prompt.format(user="U", answer="A", calls="C", history="H")
    assert asked == TEMPLATE.replace("{prompt}", "U").replace("{response}", "A").replace(
        "{agent_data}", "H\n\nU\n\nC\n\nA"
    )


@each(
    ("words", "expected"),
    [
        ("a scale of 1 to 5", (1.0, 5.0)),
        ("Rate it from 0-10", (0.0, 10.0)),
        ("an integer between 1 and 3", (1.0, 3.0)),
        ("steps 1 to 4", None),
        ("a score of 5 to 1", None),
        ("no numbers", None),
    ],
)
def test_the_range_stands_in_the_words(words: str, expected: tuple[float, float] | None) -> None:
    assert range_in(words) == expected


def _with(**changed: Json) -> JsonObject:
    return {**configuration(), **changed}


@each(
    ("value", "found"),
    [
        (_with(metrics_to_run=["a", "a", 7]), ["wrong-type", "managed-metric", "metric-off"]),
        (_with(metrics_to_run={"a": 1}), ["wrong-type", "metric-off"]),
        (_with(custom_metrics=[7, {"prompt_template": "x"}], metrics_to_run=["a"]), ["not-an-object", "no-name"]),
        (
            _with(custom_metrics=[{"name": "a", "prompt_template": "{odd}"}], metrics_to_run=["a"]),
            ["unknown-placeholder"],
        ),
        (
            _with(custom_metrics=[{"name": "a", "prompt_template": "{prompt}"}], metrics_to_run=["a"]),
            ["guessed-range"],
        ),
        (_with(custom_metrics=[{"name": "a"}, {"name": "a"}], metrics_to_run=["a"]), ["duplicate-id", "no-template"]),
        (_with(datasets=["d.json"], output=None), ["unread-keys"]),
    ],
)
def test_what_is_odd_is_told_and_the_rest_is_read(value: JsonObject, found: list[str]) -> None:
    contents = opened(value)
    assert contents.format == "agents-cli-config"
    assert {*found} <= {*codes(contents)}


def test_no_function_is_ever_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "eval_config.yaml"
    path.write_text(
        f"metrics_to_run: [mine]\ncustom_metrics:\n  - name: mine\n    custom_function: |\n"
        f"      open({str(tmp_path / 'run')!r}, 'w')\n      def evaluate(instance):\n          return 1\n"
    )
    assert main(["inspect", str(path)]) == 0
    assert "never run" in capsys.readouterr().out
    assert not (tmp_path / "run").exists()


def test_an_edit_changes_only_the_value(tmp_path: Path) -> None:
    text = (
        "metrics_to_run:\n  - tone # first\ncustom_metrics:\n  - name: tone\n    prompt_template: |\n      {prompt}\n"
    )
    path = tmp_path / "eval_config.yaml"
    path.write_text(text)
    assert main(["edit", str(path), "--set", '/metrics_to_run/0="voice"', "-o", str(tmp_path / "out.yaml")]) == 0
    edited = (tmp_path / "out.yaml").read_text()
    assert edited.replace('"voice"', "tone").replace("voice", "tone") == text


def test_ours_stands_beside_what_agents_cli_reported_under_its_own_name() -> None:
    reported = MetricVerdict("tone", 4.0, Status.INFORMATIONAL, provenance=Provenance.REPORTED)
    ours = MetricVerdict("judge_prompt:tone", 3.0, Status.INFORMATIONAL)
    ((pair),) = pairs_of([reported], [ours])
    assert (pair.reported, pair.recomputed) == (reported, ours)


@pytest.mark.second_corpus
def test_real_files_run_what_they_list(second_corpus: Path) -> None:
    for path in sorted((second_corpus / "agents-cli-config").iterdir()):
        text = path.read_text()
        listed = re.findall(
            r"^  - ([\w-]+)\s*(?:#.*)?$", text.split("custom_metrics:")[0].split("metrics_to_run:")[1], re.MULTILINE
        )
        defined = re.findall(r"^  - name: ([\w-]+)", text, re.MULTILINE)
        contents = open_file(path).contents
        metrics = [criterion.metric.removeprefix("judge_prompt:") for criterion in _criteria(contents)]
        assert (contents.format, metrics) == ("agents-cli-config", listed), path.name
        assert codes(contents).count("metric-off") == len({*defined} - {*listed}), path.name
        blocks = re.split(r"^  - name: ", text, flags=re.MULTILINE)[1:]
        templates = sum("prompt_template:" in block and block.split()[0] in listed for block in blocks)
        judged = [criterion for criterion in _criteria(contents) if criterion.metric.startswith("judge_prompt:")]
        assert len(judged) == templates, path.name
        assert all(prompt_parameters(criterion).limits == (1.0, 5.0) for criterion in judged), path.name


@each(("layout", "names"), [("by name", ["tone", "a/b"]), ("listed", ["tone", "length"])])
def test_metrics_that_are_only_described_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], layout: str, names: list[str]
) -> None:
    path = tmp_path / "eval_config.json"
    path.write_text(json.dumps(in_words()[layout]))
    assert main(["inspect", str(path), "--json"]) == 0
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert (document["format"], document["holds"]) == ("agents-cli-config", {"criteria": 2})
    assert [finding["code"] for finding in document["findings"]] == ["metric-in-words"]
    first, second = _criteria(opened(in_words()[layout]))
    assert [first.metric, second.metric] == names
    assert first.options["criteria"] == (["Says please."] if layout == "by name" else "Is it polite?")
    assert second.place == ("/metrics/a~1b" if layout == "by name" else "/eval_metrics/1")


@each(
    "value",
    [
        {"metrics": {"accuracy": {"value": 0.5}}},
        {"metrics": {"tone": {"criteria": ["x"]}, "other": {"value": 1}}},
        {"metrics": {}},
        {"eval_metrics": ["accuracy"]},
        {"eval_metrics": [{"name": "x", "target": ">= 0"}]},
    ],
)
def test_other_metrics_are_no_configuration(value: JsonObject) -> None:
    assert recognise(value) is None
