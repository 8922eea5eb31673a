"""YAML: what the file says by the core schema of YAML 1.2, and a finding for all that is odd."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from trace_inspector.core.errors import ReadError
from trace_inspector.core.values.values import Json
from trace_inspector.documents.base.document import Container, Document, Stamp
from trace_inspector.documents.text.encoding import Body, body_of, lines_and_columns
from trace_inspector.documents.text.encoding_warnings import byte_warnings, encoding_warnings
from trace_inspector.documents.text.warnings import SourceWarning, findings_of

if TYPE_CHECKING:
    from trace_inspector.documents.yaml.tree import Tree

_SUFFIXES = frozenset({".yaml", ".yml"})
MAX_BYTES = 1 << 26


def parse_yaml(data: bytes, path: Path, stamp: Stamp | None, tick: Callable[[], None]) -> Document:
    """The YAML document that these bytes are; several in one file make an array."""
    from trace_inspector.documents.yaml.reader import YamlReader
    from trace_inspector.documents.yaml.tree import COLLECTIONS
    from trace_inspector.documents.yaml.view import YamlView

    if len(data) > MAX_BYTES:
        sentence = "The file is larger than 64 MiB, which is the limit for YAML. Split it, or save it as JSON."
        raise ReadError(sentence, path=str(path))
    body = body_of(data)
    tree = YamlReader(body, tick).read()
    if not any(tree.styles[root] in COLLECTIONS for root in tree.roots):
        raise _refused(tree, body, path)
    view = YamlView(tree)
    values = view.values()
    odd = [*encoding_warnings(body, data), *byte_warnings(body), *view.warnings]
    if tree.problem:
        odd.append(SourceWarning("yaml-syntax", tree.problem.offset, detail=tree.problem.sentence))
    is_array = len(values) > 1
    findings = findings_of(body, odd, view.hidden, is_lines=is_array)
    value: Json = values if is_array else values[0]
    return Document(path, data, Container.YAML, value, stamp, findings)


def _refused(tree: Tree, body: Body, path: Path) -> ReadError:
    offset = body.start
    sentence = "The file contains no value, only white space or comments. Open another file."
    if tree.problem:
        offset = tree.problem.offset
        sentence = f"This is not valid YAML: {tree.problem.sentence}. Correct this line and open the file again."
    elif tree.roots:
        offset = tree.starts[tree.roots[0]]
        sentence = "This YAML holds neither a mapping nor a list, only one text. Open another file."
    line, column = lines_and_columns(body.data, body.utf_8, (offset,))[offset]
    return ReadError(sentence, path=str(path), line=line, column=column)


_HEAD = 1 << 16
# A file of another name is YAML when it begins like it and is it throughout.
_BEGINNING = re.compile(
    rb"(?:[ \t]*+(?:#[^\n]*+)?\r?\n)*+(?:%YAML|---(?:[ \t\r\n]|\Z)|-[ ]|[\w.$\"'/ -]++:(?:[ \t\r\n]|\Z))"
)
_NAME = re.compile(r"[\w.$/-]{1,64}(?: [\w.$/-]{1,64}){0,2}")


def is_yaml(data: bytes, path: Path) -> bool:
    """Whether a file is YAML: by its suffix, or because it is clearly nothing else."""
    if path.suffix.lower() in _SUFFIXES:
        return True
    body = body_of(data[:_HEAD])
    if len(data) > MAX_BYTES or not _BEGINNING.match(body.data, body.start):
        return False
    from trace_inspector.documents.yaml.reader import YamlReader

    end = len(body.data) if len(data) <= _HEAD else body.data.rfind(b"\n") + 1
    tree = YamlReader(Body(body.data[:end], body.start, body.encoding), lambda: None).read()
    is_whole = tree.problem is None or (len(data) > _HEAD and tree.problem.offset >= end)
    return is_whole and any(_is_clear(tree, root) for root in tree.roots)


def _is_clear(tree: Tree, root: int) -> bool:
    """A mapping with several proper names or one that holds more, or a list of such; not a sentence with a colon."""
    from trace_inspector.documents.yaml.tree import COLLECTIONS, Style

    children = list(tree.children(root))
    holds_more = any(tree.styles[child] in COLLECTIONS for child in children)
    if tree.styles[root] == Style.BLOCK_SEQUENCE:
        return holds_more
    if tree.styles[root] != Style.BLOCK_MAPPING:
        return False
    keys = [tree.key(key) for key in children[::2]]
    are_names = all(_NAME.fullmatch(key) for key in keys) and len(set(keys)) == len(keys)
    return are_names and (holds_more or len(keys) > 1)
