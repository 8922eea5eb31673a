"""An edited evaluation item under another name is a new item (reference B3, rule 7)."""

from __future__ import annotations

import json
from pathlib import Path

from tests.formats import vertex_files as made
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.values.edit import Remove, Set
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.reading.reading import read
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.formats.vertex.common.renewal import renewed

ITEM: JsonObject = {
    **made.item("evaluationRequest", made.request()),
    "createTime": "2026-01-02T03:04:05Z",
    "error": {"code": 3},
    "evaluationResponse": {},
}
CHANGED: JsonObject = {**ITEM, "displayName": "other"}
RESULT = made.item("evaluationResponse", made.result(made.verdict("small", 1)))
OWN = ("name", "createTime", "error", "evaluationResponse")


@each(
    ("before", "after", "gone"),
    [
        (ITEM, ITEM, []),
        (ITEM, CHANGED, [f"/{name}" for name in OWN]),
        ([ITEM, ITEM], [ITEM, CHANGED], [f"/1/{name}" for name in OWN]),
        ({"evaluationItems": [ITEM]}, {"evaluationItems": [CHANGED]}, [f"/evaluationItems/0/{name}" for name in OWN]),
        (
            {"evaluation_request": {}, "create_time": "a"},
            {"evaluation_request": {"prompt": {}}, "create_time": "a"},
            ["/create_time"],
        ),
        (RESULT, {**RESULT, "displayName": "other"}, ["/name"]),  # the answer is all that it holds
        ([ITEM], [ITEM, ITEM], [f"/1/{name}" for name in OWN]),  # a copy is a new one
        (made.request(), made.request(prompt={"text": "b"}), []),  # nothing of the server's
        (1, "x", []),
    ],
)
def test_what_the_server_gave_goes(before: Json, after: Json, gone: list[str]) -> None:
    assert renewed(before, after) == tuple(map(Remove, gone))


def test_the_command_changes_what_it_is_told_and_nothing_else(tmp_path: Path) -> None:
    path, out = tmp_path / "item.json", tmp_path / "new.json"
    path.write_text(json.dumps(ITEM, indent=1), encoding="utf-8")
    change = ["--set", '/displayName="other"']
    assert main(["edit", str(path), *change, "-o", str(out)]) == 0
    assert main(["edit", str(path), *change]) == 0
    assert json.loads(path.read_text(encoding="utf-8")) == json.loads(out.read_text(encoding="utf-8")) == CHANGED


def test_an_untouched_copy_is_the_same_bytes_and_an_edited_one_a_new_item(tmp_path: Path) -> None:
    path = tmp_path / "item.json"
    path.write_text(json.dumps(ITEM, indent=1), encoding="utf-8")
    session = EditSession(read(path), lambda _journal: None)
    session.save(tmp_path / "copy.json")
    assert (tmp_path / "copy.json").read_bytes() == path.read_bytes()
    session.apply(Set("/displayName", '"other"'))
    state = session.save(tmp_path / "new.json")
    assert not set(OWN) & set(json.loads((tmp_path / "new.json").read_text(encoding="utf-8")))
    assert state.change
    assert session.undo().is_changed
    session.close()
