"""Bad input is normal input: each kind gets its exit code and a sentence, from every command, and soon."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import Struct

from tests.documents.archives import named, zipped
from tests.helpers.limits import within
from trace_inspector.cli import main
from trace_inspector.settings import data_folder

LIMIT_S = 30.0  # each takes a fraction of a second; a hang gets here

SET = (
    '{"eval_set_id": "s", "eval_cases": [\n{"eval_id": "c", "conversation": '
    '[{"user_content": {"parts": [{"text": "q"}]}, "final_response": {"parts": [{"text": "a"}]}}]}\n]}'
)
SESSION = (
    '{"id": "s", "appName": "a", "userId": "u", "events": [\n'
    '{"author": "bot", "invocationId": "i", "finishReason": %s, "content": {"parts": [{"text": "a"}]}}]}'
)
LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12\n"
ALIASES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + at)}: &{chr(98 + at)} [{', '.join([f'*{chr(97 + at)}'] * 9)}]\n" for at in range(12)
)


class Bad(Struct, frozen=True):
    """What stands in a file, what the commands answer, and a few words of what they say about it."""

    name: str
    make: Callable[[Path], object] | bytes | str
    validate: int
    says: str
    inspect: int = 0
    evaluate: int = 3

    def put(self, folder: Path) -> Path:
        """Write it into a folder."""
        path = folder / self.name
        if isinstance(self.make, str | bytes):
            path.write_bytes(self.make if isinstance(self.make, bytes) else self.make.encode())
        else:
            self.make(path)
        return path


def unreadable(name: str, make: Callable[[Path], object] | bytes | str, says: str) -> Bad:
    """What no command can read."""
    return Bad(name, make, 2, says, inspect=2, evaluate=2)


def _pictures(folder: Path) -> None:
    folder.mkdir()
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))


def _hostile(path: Path) -> None:
    endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x AS id, x AS event_data FROM r"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE sessions(id, app_name, user_id, state, create_time, update_time)")
        connection.execute(f"CREATE VIEW events AS {endless}")
        connection.commit()


BAD = (
    Bad("truncated.json", SET[:-20], 1, "truncated.json:2:"),
    Bad("commas.json", SET.replace("\n]}", ",\n]}"), 1, ":2:127: error trailing-comma"),
    Bad("comments.json", "// by hand\n" + SET, 1, ":1:1: error comment"),
    Bad("wrong-type.json", SET.replace('"s"', "7"), 1, ":1:17: error wrong-type"),
    Bad("unknown-enum.json", SESSION % '"TIRED"', 0, ":2:56: info unknown-value “TIRED”"),
    Bad("duplicate-id.json", SET[:-3] + ',\n{"eval_id": "c", "conversation": []}]}', 0, ":3:1: warning duplicate-id"),
    Bad("not-a-number.json", '{"criteria": {"a": NaN}}', 1, ":1:20: warning not-a-number", evaluate=2),
    Bad("surrogate.json", SET.replace('"q"', '"\\ud800"'), 0, ":2:73: warning lone-surrogate"),
    Bad("deep.json", SESSION % ("[" * 10_000 + "]" * 10_000), 1, "error too-deep"),
    Bad("huge-number.json", SESSION % ("9" * 1_000_000), 1, ":2:56: warning huge-number"),
    Bad("aliases.yaml", ALIASES, 1, "alias", evaluate=2),
    Bad("hostile.db", _hostile, 1, "hostile.db:1:1: error not-recognised", evaluate=2),
    unreadable("pointer.json", LFS, "Git LFS pointer"),
    unreadable("stub.json", "../data/real.json", "symbolic link"),
    unreadable("dangling.json", lambda path: path.symlink_to("gone.json"), "There is no such file"),
    unreadable("empty.json", b"", "The file is empty"),
    unreadable("empty-folder", Path.mkdir, "without any file that can be read"),
    unreadable("pictures", _pictures, "without any file that can be read"),
    unreadable("binary.json", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "binary"),
    unreadable("bomb.zip", zipped({"a.json": b"[" + bytes(32 << 20) + b"]"}), "zip bomb"),
    unreadable("escaping.zip", named(b"../../a.json"), "leads elsewhere"),
)


@pytest.fixture(scope="module", params=BAD, ids=lambda bad: bad.name)
def bad(request: pytest.FixtureRequest) -> Bad:
    """Each kind of bad input."""
    found = request.param
    assert isinstance(found, Bad)
    return found


@pytest.mark.parametrize("command", ["inspect", "validate", "evaluate"])
def test_an_exit_code_and_a_sentence(
    bad: Bad, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = bad.put(tmp_path)
    with within(LIMIT_S):
        code = main([command, str(path)])
    captured = capsys.readouterr()
    assert code == getattr(bad, command), captured
    assert "Traceback" not in captured.out + captured.err
    assert not (data_folder() / "crash.txt").exists()
    if bad.validate == 2 or command == "validate":
        assert bad.says in (captured.err if code == 2 else captured.out)
    if code == 2:
        assert str(tmp_path) in captured.err
        assert captured.err.rstrip().endswith(".")


def test_one_damaged_member_does_not_hide_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some.zip"
    archive = zipped({"b.json": SET.encode(), "a.data": SET.encode()})
    at = archive.rindex(b"PK\x03\x04")
    path.write_bytes(archive[:at] + b"PK\x03\x05" + archive[at + 4 :])  # not what the directory says stands there
    assert main(["inspect", str(path)]) == 2
    captured = capsys.readouterr()
    assert "case c: 1 turn" in captured.out
    assert "a.data" in captured.err


def test_one_bad_file_does_not_hide_a_good_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "good.json"
    good.write_text(SET)
    paths = [str(bad.put(tmp_path)) for bad in BAD if bad.inspect == 2]
    assert main(["inspect", *paths, str(good)]) == 2
    captured = capsys.readouterr()
    assert "case c: 1 turn" in captured.out
    assert len(captured.err.splitlines()) == len(paths)
