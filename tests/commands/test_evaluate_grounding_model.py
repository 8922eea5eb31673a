"""`evaluate` with a classifier in a folder: labels beside those of `local_grounding`, kept replies, odd folders."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.classifier_folders import FIRST_WORD, PAIR, SPAN, classifier_folder, endless, network, tokenizer
from tests.helpers.eval_sets import case, turn_with_result, write_criteria, write_eval_set
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Sentence
from trace_inspector.flows.runs.store_run import list_runs, load_run

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("tokenizers", reason="tokenizers is not installed")

RESULT: JsonObject = {"to": "Rome", "price": "120 euros", "note": "The flight to Rome leaves on Monday."}
ANSWER = "Hello! The flight to Rome leaves on Monday. The flight leaves on Tuesday and Friday."
ASKED = "When does it leave?"
TEXTS = (json.dumps(RESULT), ANSWER, ASKED)
PAIR_FORM: dict[str, Any] = {"kind": "pair"}


def trace(path: Path, answer: str = ANSWER, result: Json = RESULT) -> Path:
    return write_eval_set(path, case("a", turn_with_result(ASKED, answer, result)))


def run(path: Path, folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    """The metrics of the first turn, by name; what a run says beside them stands under "notes"."""
    main(["evaluate", str(path), "--grounding-model", str(folder), "--json", *more])
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    told = json.loads(printed.out)
    return {one["name"]: one for one in told["cases"][0]["turns"][0]["metrics"]} | {"notes": told["run"]["notes"]}


def sentences() -> list[tuple[str, Sentence]]:
    """The words and the labels that the last run stored for the classifier."""
    record = load_run(list_runs().lines[0].id)
    assert record
    (metric,) = (
        one for turn in record.judged.cases[0].turns for one in turn.metrics if one.metric == "grounding_model"
    )
    return [(ANSWER[sentence.start : sentence.end], sentence) for sentence in metric.sentences]


def test_a_pair_classifier_labels_sentences_beside_local_grounding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = classifier_folder(tmp_path / "model", PAIR, PAIR_FORM, TEXTS)
    told = run(trace(tmp_path / "t.json"), folder, capsys)
    assert told["grounding_model"]["sentences"] == {"not_applicable": 1, "supported": 1, "unsupported": 1}
    assert told["grounding_model"]["status"] == "INFORMATIONAL"
    assert told["grounding_model"]["score"] == pytest.approx(2 / 3)
    assert "it only informs" in told["grounding_model"]["reason"]
    assert sum(told["local_grounding"]["sentences"].values()) == 3
    (_greeting, (right, _yes), (wrong, no)) = sentences()
    assert (right, wrong) == ("The flight to Rome leaves on Monday.", "The flight leaves on Tuesday and Friday.")
    assert no.reason == (
        "The model gives it a probability of 0.05 to be supported; from 0.50 on it counts as supported."
    )
    assert no.source == "the grounding model"
    assert any(f"labels of sentences: the grounding model in {folder}, " in note for note in told["notes"])


def test_a_span_classifier_names_the_words_that_are_not_borne_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = classifier_folder(tmp_path / "model", SPAN, {"kind": "span", "threshold": 0.9}, TEXTS)
    told = run(trace(tmp_path / "t.json"), folder, capsys)
    assert told["grounding_model"]["sentences"] == {"not_applicable": 1, "supported": 1, "unsupported": 1}
    assert sentences()[-1][1].reason == (
        "The model marks “Tuesday and Friday”, at most with 0.95; above 0.90 words count as unsupported."
    )
    (folder / "grounding.json").write_text('{"kind": "span", "threshold": 0.97}')
    assert run(trace(tmp_path / "t.json"), folder, capsys)["grounding_model"]["sentences"]["supported"] == 2


def test_a_classifier_may_be_asked_by_a_prompt_and_describe_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prompted = {"kind": "pair", "first": "{document} Is it so: {claim}", "second": ""}
    by_prompt = classifier_folder(tmp_path / "prompt", FIRST_WORD, prompted, TEXTS, "so")
    told = run(trace(tmp_path / "t.json"), by_prompt, capsys)
    assert told["grounding_model"]["sentences"] == {"not_applicable": 1, "supported": 2}
    own = classifier_folder(tmp_path / "own", SPAN, {}, TEXTS)
    (own / "grounding.json").unlink()
    names = {"0": "Supported", "1": "Hallucinated"}
    described = {"architectures": ["ModernBertForTokenClassification"], "id2label": names}
    (own / "config.json").write_text(json.dumps({**described, "max_position_embeddings": 8192}))
    told = run(trace(tmp_path / "t.json"), own, capsys)
    assert told["grounding_model"]["sentences"] == {"not_applicable": 1, "supported": 1, "unsupported": 1}


def test_evidence_longer_than_the_window_is_read_in_pieces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    padding = " ".join(["The hotel has a pool."] * 60)
    result: Json = {"first": padding, "second": RESULT["note"], "third": padding}
    texts = (*TEXTS, json.dumps(result))
    path = trace(tmp_path / "t.json", result=result)
    for nodes, form in ((PAIR, PAIR_FORM), (SPAN, {"kind": "span"})):
        folder = classifier_folder(tmp_path / str(form["kind"]), nodes, {**form, "max_tokens": 64}, texts)
        told = run(path, folder, capsys)["grounding_model"]
        assert told["sentences"] == {"not_applicable": 1, "supported": 1, "unsupported": 1}
    small = classifier_folder(tmp_path / "small", PAIR, {**PAIR_FORM, "max_tokens": 20}, texts)
    assert run(path, small, capsys)["grounding_model"]["sentences"] == {"not_applicable": 1, "cannot_tell": 2}


def test_the_same_sentence_is_asked_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from trace_inspector.engine.judges.classifier.network import Network

    asked: list[object] = []
    logits: Callable[..., object] = Network.logits

    def counting(self: Network, window: object) -> object:
        asked.append(window)
        return logits(self, window)

    monkeypatch.setattr(Network, "logits", counting)
    folder = classifier_folder(tmp_path / "model", PAIR, PAIR_FORM, TEXTS)
    path = trace(tmp_path / "t.json")
    first = run(path, folder, capsys)["grounding_model"]
    assert len(asked) == 2
    moved = folder.rename(tmp_path / "elsewhere")  # what counts is what the files hold
    assert run(path, moved, capsys)["grounding_model"] == first
    assert len(asked) == 2
    run(path, moved, capsys, "--refresh")
    assert len(asked) == 4
    (moved / "grounding.json").write_text(json.dumps({**PAIR_FORM, "threshold": 0.97}))
    assert run(path, moved, capsys)["grounding_model"] != first
    assert len(asked) == 6
    trace(path, result={**RESULT, "more": "The flight is full."})
    run(path, moved, capsys)
    assert len(asked) == 8


def test_it_never_passes_or_fails_whatever_threshold_is_stated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = classifier_folder(tmp_path / "model", PAIR, PAIR_FORM, TEXTS)
    criteria = write_criteria(tmp_path / "criteria.json", grounding_model={"threshold": 0.99})
    told = run(trace(tmp_path / "t.json"), folder, capsys, "--criteria", str(criteria))
    assert (told["grounding_model"]["status"], told["grounding_model"].get("threshold")) == ("INFORMATIONAL", None)


def test_no_file_names_a_folder_and_nothing_is_added_without_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = trace(tmp_path / "t.json")
    main(["evaluate", str(path), "--json"])
    named = {one["name"] for one in json.loads(capsys.readouterr().out)["cases"][0]["turns"][0]["metrics"]}
    assert "local_grounding" in named
    assert named.isdisjoint({"grounding_model", "minicheck"})
    assert main(["evaluate", str(path), "--only", "grounding_model"]) == 3
    assert "name the folder of one with --grounding-model FOLDER" in capsys.readouterr().out


def test_nothing_of_it_is_imported_without_the_option(tmp_path: Path) -> None:
    program = (
        "import sys; from trace_inspector.cli import main; main(sys.argv[1:]); "
        "print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    path = trace(tmp_path / "t.json")
    done = subprocess.run(
        [sys.executable, "-c", program, "evaluate", str(path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )
    imported = set(done.stderr.splitlines())
    assert "trace_inspector.engine.metrics.local.local_grounding" in imported
    ours = ("trace_inspector.engine.judges.classifier", "trace_inspector.engine.metrics.local.grounding_by_model")
    assert imported.isdisjoint(("onnxruntime", "tokenizers", "numpy", *ours))


@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
def test_without_the_libraries_it_says_what_to_install(
    library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)  # as if it were not installed
    folder = classifier_folder(tmp_path / "model", PAIR, PAIR_FORM, TEXTS)
    told = run(trace(tmp_path / "t.json"), folder, capsys)
    assert told["grounding_model"]["status"] == "NOT_EVALUATED"
    assert told["grounding_model"]["reason"] == (
        f"{library} is not installed, or cannot be used; install it with: pip install 'trace-inspector[grounding]'"
    )
    assert told["local_grounding"]["score"] is not None


def put(name: str, content: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(content)


def drop(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


def form(**stated: object) -> Callable[[Path], object]:
    return put("grounding.json", json.dumps({"kind": "pair", **stated}).encode())


DEEP = b"[" * 100_000
TAIL: tuple[Any, ...] = (("Sub", ("three", "three"), "nothing"), ("Div", ("three", "nothing"), "logits"))
HOSTILE = {
    "no description": (drop("grounding.json"), "has no config.json that can be read; see “With a model of your own”"),
    "broken description": (put("grounding.json", b"{"), "has a grounding.json that is no JSON object"),
    "deep description": (put("grounding.json", DEEP), "has a grounding.json that is no JSON object"),
    "huge description": (put("grounding.json", b" " * 2**21), "has a grounding.json of more than 1,048,576 bytes"),
    "another kind": (form(kind="judge"), "has in grounding.json “kind”: Input should be 'pair' or 'span'"),
    "unknown option": (form(run="rm"), "has in grounding.json “run”: Extra inputs are not permitted"),
    "endless windows": (form(max_tokens=10**9), "has in grounding.json “max_tokens”: Input should be less than"),
    "no place for the claim": (form(second=""), "and {claim} in “first” or in “second”"),
    "a model elsewhere": (
        form(model="../model.onnx"),
        "names in grounding.json a “model” that is no .onnx file inside",
    ),
    "a pickle": (form(model="model.pt"), "names in grounding.json a “model” that is no .onnx file inside"),
    "another label": (form(label=7), "answers with 2 numbers instead of one row with the label 7; is “kind” right?"),
    "spans of a pair": (form(kind="span"), "is “kind” right?"),
    "no model": (drop("model.onnx"), "has no model.onnx; export the classifier to ONNX into it"),
    "no network": (put("model.onnx", b"no network"), "has a model.onnx that cannot be loaded as one file: "),
    "empty network": (put("model.onnx", b""), "has a model.onnx that cannot be loaded as one file: "),
    "other inputs": (
        put("model.onnx", network(PAIR, ("input_ids", "token_type_ids", "decoder_input_ids"))),
        "has a model that wants “decoder_input_ids”; a classifier takes input_ids, attention_mask, ",
    ),
    "no finite numbers": (
        put("model.onnx", network(TAIL, ("input_ids",))),
        "has a model whose answer is no finite numbers for one input",
    ),
    "no tokenizer": (drop("tokenizer.json"), "has no tokenizer.json that can be read"),
    "broken tokenizer": (put("tokenizer.json", b"{}"), "has a tokenizer.json that cannot be used: "),
    "unknown words": (
        put("tokenizer.json", tokenizer(("few",)).replace('"unk_token": "[UNK]"', '"unk_token": "[none]"').encode()),
        "has a tokenizer.json that fails: ",
    ),
    "a step that fails": (
        put("model.onnx", network((("Gather", ("three", "input_ids"), "logits"),), ("input_ids",))),
        "has a model that fails: ",
    ),
    "no text": (put("tokenizer.json", b"\xff\xfe"), "has a tokenizer.json that cannot be used: "),
}


@pytest.mark.parametrize(("spoil", "sentence"), HOSTILE.values(), ids=list(HOSTILE))
def test_an_odd_folder_costs_one_sentence_and_no_other_metric(
    spoil: Callable[[Path], object], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = classifier_folder(tmp_path / "model", PAIR, PAIR_FORM, TEXTS)
    spoil(folder)
    told = run(trace(tmp_path / "t.json"), folder, capsys)
    assert told["grounding_model"]["status"] == "NOT_EVALUATED"
    assert told["grounding_model"]["reason"].startswith(f"the folder “{folder}” ")
    assert sentence in told["grounding_model"]["reason"]
    assert "\n" not in told["grounding_model"]["reason"]
    assert len(told["grounding_model"]["reason"]) < 600
    assert told["local_grounding"]["status"] == "INFORMATIONAL"


def test_a_folder_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = run(trace(tmp_path / "t.json"), tmp_path / "nothing", capsys)
    assert told["grounding_model"]["reason"].endswith(
        "is no folder; name the one that has model.onnx and tokenizer.json"
    )


def test_files_too_large_are_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from trace_inspector.engine.judges.classifier import folder as reading

    monkeypatch.setattr(reading, "MOST_MODEL_BYTES", 1000)
    folder = classifier_folder(tmp_path / "model", PAIR, PAIR_FORM, TEXTS)
    told = run(trace(tmp_path / "t.json"), folder, capsys)
    assert "has a model.onnx of more than 1,000 bytes, which is not read" in told["grounding_model"]["reason"]


def test_weights_in_a_second_file_are_not_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = classifier_folder(tmp_path / "model", PAIR, PAIR_FORM, TEXTS)
    (folder / "model.onnx").write_bytes(network(PAIR, elsewhere="weights.bin"))
    monkeypatch.chdir(folder)
    (folder / "weights.bin").write_bytes(b"\0\0@@")
    told = run(trace(tmp_path / "t.json"), folder, capsys)
    assert "has a model.onnx that cannot be loaded as one file: " in told["grounding_model"]["reason"]


def test_a_model_is_given_no_more_than_its_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from trace_inspector.engine.judges.classifier import classifier

    monkeypatch.setattr(classifier, "SENTENCE_S", 0.2)
    folder = classifier_folder(tmp_path / "model", PAIR, PAIR_FORM, TEXTS)
    (folder / "model.onnx").write_bytes(endless())
    told = run(trace(tmp_path / "t.json"), folder, capsys)
    assert "has a model that took more than 0.2 s to judge one sentence" in told["grounding_model"]["reason"]


def test_only_so_many_sentences_are_asked_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = classifier_folder(tmp_path / "model", PAIR, PAIR_FORM, TEXTS)
    answer = " ".join(f"The flight {number} leaves on Monday." for number in range(320))
    told = run(trace(tmp_path / "t.json", answer), folder, capsys)["grounding_model"]
    assert sum(told["sentences"].values()) == 300
    assert "300 of 320 sentences were judged" in told["reason"]


def test_a_model_beside_a_judge_is_asked_what_is_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = classifier_folder(tmp_path / "model", PAIR, PAIR_FORM, TEXTS)
    path = trace(tmp_path / "t.json")
    told = run(path, folder, capsys, "--judge", "none")
    assert told["grounding_model"]["status"] == "INFORMATIONAL"
    replies = tmp_path / "replies.json"
    replies.write_text('{"version": 1, "replies": []}')
    assert main(["evaluate", str(path), "--grounding-model", str(folder), "--judge", f"recorded:{replies}"]) == 2
    assert "not asked beside recorded replies" in capsys.readouterr().err
    assert main(["evaluate", str(path), "--grounding-model", str(folder), "--dry-run"]) == 0
    assert capsys.readouterr().out == "No judge would be asked. Nothing was sent.\n"


def test_another_model_is_noted_between_runs_and_no_other_judge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = trace(tmp_path / "t.json")
    kept = []
    for threshold in (0.5, 0.97):
        folder = classifier_folder(tmp_path / "model", PAIR, {**PAIR_FORM, "threshold": threshold}, TEXTS)
        run(path, folder, capsys, "--golden", str(path))
        kept.append(list_runs().lines[0].id)
    main(["compare-runs", *kept])
    printed = capsys.readouterr().out
    assert "The grounding model differed: classifier:" in printed
    assert "judge" not in printed
    assert "1 unchanged" in printed
