"""Acceptance 1 and 2: nothing moves that nobody touched, in every format and every spelling of a file."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.documents.json_texts import all_pointers
from tests.formats.every_sample import Sample, every_sample
from tests.helpers.campaigns import is_long
from tests.helpers.json_text import text_at
from trace_inspector.cli import main
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.open_file import open_file

TEXTS = [sample for sample in every_sample() if sample.text]
OBJECTS = [sample for sample in TEXTS if not sample.data.startswith(b'"')]


def indented(sample: Sample) -> str:
    """The sample with tabs in front of its lines."""
    return re.sub(r"(?m)^ +", lambda found: "\t" * len(found[0]), sample.data.decode())


def with_accents(sample: Sample) -> str:
    """The sample with a letter beyond ASCII in it, as an escape."""
    return sample.data.decode().replace("oo", "\\u00f6\\u6771", 1)


def in_lines(sample: Sample) -> str:
    line = sample.data.decode().replace("\n", " ")
    return f"{line}\r\n{line}\r\n"


DIALECTS: dict[str, Callable[[Sample], bytes]] = {
    "as it is": lambda sample: sample.data,
    "no last line end": lambda sample: sample.data.rstrip(b"\n"),
    "last line ends": lambda sample: sample.data + b"\n\n",
    "byte-order mark": lambda sample: b"\xef\xbb\xbf" + sample.data,
    "carriage returns": lambda sample: sample.data.replace(b"\n", b"\r\n"),
    "tabs": lambda sample: indented(sample).encode(),
    "one line": lambda sample: sample.data.replace(b"\n", b" "),
    "escapes": lambda sample: with_accents(sample).encode(),
    "lines with carriage returns": lambda sample: in_lines(sample).encode(),
}


def spelt() -> Iterator[ParameterSet]:
    """Each sample in every dialect; in the short form in a third of them, which are others for the next sample."""
    for number, (sample, dialect) in enumerate(product(TEXTS, DIALECTS)):
        if is_long() or (number + number // len(DIALECTS)) % 3 == 0:
            yield pytest.param(sample, dialect, id=f"{sample}-{dialect}")


@pytest.mark.parametrize(("sample", "dialect"), [*spelt()])
def test_saved_without_an_edit_it_is_the_same(
    sample: Sample, dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suffix = ".jsonl" if dialect.startswith("lines") else sample.suffix
    path, out = tmp_path / f"a{suffix}", tmp_path / "out"
    path.write_bytes(DIALECTS[dialect](sample))
    format_name = open_file(path).contents.format
    if format_name:
        assert main(["convert", str(path), "--to", format_name, "-o", str(out)]) == 0, capsys.readouterr().err
        assert out.read_bytes() == path.read_bytes()
    document = open_file(path).document
    pointer = [*all_pointers(document.value)][-1]
    assert main(["edit", str(path), "--set", f"{pointer}={text_at(document, pointer)}", "-o", str(out)]) == 0
    assert out.read_bytes() == path.read_bytes()


def objects(value: Json) -> Iterator[dict[str, Json]]:
    """Every object in a value, outermost first."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(item)


def salted(value: Json, chance: random.Random) -> Json:
    """The value with an unknown key somewhere in every object."""
    salt = copy.deepcopy(value)
    for number, owner in enumerate(list(objects(salt))):
        members = list(owner.items())
        odd: list[Json] = [None, {}, [], {"deep": [{"er": 1}]}, "text", 7]
        members.insert(chance.randint(0, len(members)), (f"unknown {number}", chance.choice(odd)))
        owner.clear()
        owner.update(members)
    return salt


@pytest.mark.parametrize("seed", range(5 if is_long() else 2))
@pytest.mark.parametrize("sample", OBJECTS, ids=str)
def test_unknown_keys_and_their_order_survive_an_edit(sample: Sample, seed: int, tmp_path: Path) -> None:
    chance = random.Random(f"{sample} {seed}")
    known = json.loads(sample.data)
    value = salted(known, chance)
    path, out = tmp_path / "a.json", tmp_path / "out.json"
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    places = [each for each in all_pointers(value) if "unknown" not in each]
    scalars = [each for each in places if not isinstance(pointers.resolve(value, each), dict | list)]
    chosen = chance.choice(scalars)
    assert main(["edit", str(path), "--set", f'{chosen}="edited"', "-o", str(out)]) == 0
    *way, last = pointers.split(chosen)
    owner = pointers.resolve(value, pointers.join("", *way))
    if isinstance(owner, dict):
        owner[last] = "edited"
    elif isinstance(owner, list):
        owner[int(last)] = "edited"
    assert out.read_text(encoding="utf-8") == json.dumps(value, indent=2)
