"""Keys of judges in a keyring that works, hangs, breaks, or is not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from keyring.core import load_keyring

from tests.helpers.keyrings import FILE, HANG_S, SECRET
from trace_inspector.flows.judges import key_ring
from trace_inspector.flows.judges.selection import GEMINI, OPENAI, JudgeChoice, configure, key_variable

OURS = "tests.helpers.keyrings.{}"
CLOUD = JudgeChoice(OPENAI, "m", "https://judge.example/v1")
OTHER = JudgeChoice(OPENAI, "m", "https://other.example/v1")


@pytest.fixture(autouse=True)
def drawer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "drawer.json"
    monkeypatch.setenv(FILE, str(path))
    use(monkeypatch, OURS.format("Drawer"))
    return path


def use(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("keyring.core._keyring_backend", load_keyring(name))


def test_a_key_is_kept_found_and_forgotten(drawer: Path) -> None:
    assert key_ring.stored_key("gemini") == key_ring.StoredKey()
    assert key_ring.store_key("gemini", SECRET) == ""
    assert key_ring.stored_key("gemini").key == SECRET
    assert key_ring.delete_key("gemini") == ""
    assert key_ring.delete_key("gemini") == ""
    assert key_ring.stored_key("gemini") == key_ring.StoredKey()
    assert SECRET not in drawer.read_text("utf-8")


def test_a_key_is_never_part_of_what_is_printed() -> None:
    key_ring.store_key("gemini", SECRET)
    assert SECRET not in repr(key_ring.stored_key("gemini"))


def test_one_endpoint_never_gets_the_key_of_another() -> None:
    key_ring.store_key(CLOUD.account, SECRET)
    environment: dict[str, str] = {}
    configure(OTHER, environment)
    assert environment == {"OPENAI_BASE_URL": OTHER.endpoint}
    configure(CLOUD, environment)
    assert environment == {"OPENAI_BASE_URL": CLOUD.endpoint, "OPENAI_API_KEY": SECRET}


def test_a_variable_stands_before_the_keyring() -> None:
    key_ring.store_key("gemini", SECRET)
    environment = {"GEMINI_API_KEY": "mine"}
    configure(JudgeChoice(GEMINI), environment)
    assert environment == {"GEMINI_API_KEY": "mine"}
    assert key_variable(JudgeChoice(GEMINI), environment) == "GEMINI_API_KEY"


def test_a_keyring_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, OURS.format("Stuck"))
    monkeypatch.setattr("tests.helpers.keyrings.HANG_S", 0.2)  # the thread must be gone when the test ends
    held = key_ring.stored_key("gemini", limit_s=0.05)
    assert held.key == ""
    assert held.problem.startswith("The keyring does not answer within")
    assert key_ring.LIMIT_S < HANG_S


def test_what_a_broken_keyring_says_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, OURS.format("Broken"))
    held = key_ring.stored_key("gemini")
    assert held.problem == "The keyring does not work (OSError). Set the key in the environment instead."


def test_without_a_keyring_the_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "keyring.backends.fail.Keyring")
    assert key_ring.store_key("gemini", SECRET).startswith("This system has no keyring that can be used.")


def test_a_key_belongs_to_where_questions_really_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    here = JudgeChoice(OPENAI, "m")
    key_ring.store_key(here.account, SECRET)
    monkeypatch.setenv("OPENAI_BASE_URL", OTHER.endpoint)
    environment = {"OPENAI_BASE_URL": OTHER.endpoint}
    configure(here, environment)
    assert "OPENAI_API_KEY" not in environment
    assert here.who == "m @ other.example"
