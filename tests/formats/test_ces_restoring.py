"""From other formats to CES's evaluations and back, and from evaluations to others and back."""

from __future__ import annotations

import json
from pathlib import Path

from tests.formats import agent_eval_files, vertex_files
from tests.formats import ces_golden_files as made
from tests.formats.adk_files import WRITABLE
from tests.helpers.tables import each
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.json_numbers import json_text, parse_exactly
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.convert_file import convert_files, save_converted, side_path
from trace_inspector.flows.opening.open_file import open_file

ORIGINS: dict[str, str] = {
    **{name: text for name, text in WRITABLE.items() if name != "adk-eval-config"},
    "vertex-item": json.dumps(vertex_files.full_list()),
    "agent-eval": json.dumps([agent_eval_files.simulated()]),
}
ODD_NUMBERS = '"seat": 9007199254740993, "price": 1.50, "much": 1e400, "none": -0'


def there(text: str, target: str, folder: Path) -> Path:
    """A file converted without any loss for good; where the new file lies."""
    path, out = folder / "a.json", folder / "b.json"
    path.write_text(text, encoding="utf-8")
    result = convert_files([path], target)
    assert result.gone == ()
    save_converted(result, out)
    return out


def back(path: Path, target: str) -> Json:
    """What converting back gives."""
    return parse_exactly(convert_files([path], target).data)


def test_mocks_stay_with_their_calls_in_both_spellings(tmp_path: Path) -> None:
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, value in zip(paths, (made.scenario(), made.snake(made.scenario())), strict=True):
        path.write_text(json.dumps(value), encoding="utf-8")
    both = json.loads(convert_files(paths, "ces-evaluation").data)["evaluations"]
    for one in both:
        (tool, _) = one["scenario"]["scenarioExpectations"]
        assert tool["toolExpectation"]["mockToolResponse"] == made.ANSWER | {"tool": "look_up"}


def test_nothing_at_all_opens_again(tmp_path: Path) -> None:
    out = there(json.dumps({"eval_set_id": "s", "eval_cases": []}), "ces-evaluation", tmp_path)
    assert open_file(out).contents.format == "ces-evaluation"


@each("origin", ORIGINS)
def test_another_format_as_evaluations_and_back(origin: str, tmp_path: Path) -> None:
    out = there(ORIGINS[origin], "ces-evaluation", tmp_path)
    assert open_file(out).contents.format == "ces-evaluation"
    assert side_path(out).exists()
    assert "traceInspector" not in out.read_text(encoding="utf-8")
    assert same(back(out, origin), parse_exactly(ORIGINS[origin]))


@each("target", ORIGINS)
@each("kind", made.EVALUATIONS)
def test_evaluations_in_another_format_and_back(kind: str, target: str, tmp_path: Path) -> None:
    text = json.dumps(made.EVALUATIONS[kind], indent=2).replace('"seat": 2', ODD_NUMBERS)
    assert "1e400" in text
    assert same(back(there(text, target, tmp_path), "ces-evaluation"), parse_exactly(text))


def test_an_edit_between_wins_and_the_rest_is_restored(tmp_path: Path) -> None:
    text = json_text(made.full_golden())
    out = there(text, "adk-eval-set", tmp_path)
    changed = out.read_text(encoding="utf-8").replace("Is seat 2 free?", "Is seat 3 free?")
    out.write_text(changed, encoding="utf-8")
    assert same(back(out, "ces-evaluation"), parse_exactly(text.replace("Is seat 2 free?", "Is seat 3 free?")))


def test_several_evaluations_are_put_into_one_file_with_what_ces_knows_of_them(tmp_path: Path) -> None:
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, value in zip(paths, (made.full_golden(), made.scenario()), strict=True):
        path.write_text(json.dumps(value), encoding="utf-8")
    result = convert_files(paths, "ces-evaluation")
    golden, scenario = json.loads(result.data)["evaluations"]
    assert golden["golden"]["turns"][0]["rootSpan"] == {"name": "turn", "duration": "3.5s"}
    assert {key: golden[key] for key in made.SERVER_ONLY} == made.SERVER_ONLY
    assert scenario == made.scenario(scenarioExpectations=scenario["scenario"]["scenarioExpectations"])
    assert [loss.code for loss in result.losses] == ["prompts-lost", "other-fields-lost"]
