"""Every place of a module where a small fault can be put, and the module's text with one of them.

Left alone is what is no behaviour: docstrings, `__all__`, annotations and other types, what is imported for types
only, assertions, and what a `Struct` is asked for: frozen fields and narrowed types are held by the type checker.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from enum import StrEnum

from msgspec import Struct

MARK = "~"  # what is put behind a text to make it another
SENTENCES = frozenset({"tr", "N_"})  # whose arguments are sentences of the window
TYPES = frozenset({"TypeVar", "ParamSpec", "NewType", "cast"})  # calls that only a type checker reads
_ONLY_TYPES = frozenset({"annotation", "returns", "format_spec", "bases", "keywords"})  # "keywords" of a class
_SHOWN = 70


class Kind(StrEnum):
    """What sort of fault it is."""

    OPERATOR = "operator"
    CONSTANT = "constant"
    SENTENCE = "sentence"  # a constant, but one that people read
    BRANCH = "branch"
    RETURN = "return"
    CALL = "call"


class Site(Struct, frozen=True):
    """One fault that is possible. `make` changes the tree that the site was found in."""

    kind: Kind
    line: int
    column: int
    what: Callable[[], str]  # of a hundred thousand sites a hundred are drawn and described
    make: Callable[[], None]


COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
BOOLEAN: dict[type[ast.boolop], type[ast.boolop]] = {ast.And: ast.Or, ast.Or: ast.And}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def sites(tree: ast.Module) -> list[Site]:
    """All sites of a module, always in the same order."""
    return list(_inside(tree))


def changed(source: str, index: int) -> str:
    """The text of the module with one fault; comments and layout are lost, which changes nothing that runs."""
    tree = ast.parse(source)
    sites(tree)[index].make()
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _inside(node: ast.AST, in_sentence: bool = False) -> Iterator[Site]:
    if _is_left_alone(node):
        return
    yield from _of_statement(node)
    for field, value in ast.iter_fields(node):
        if _is_only_type(node, field) or (field == "test" and _is_for_types(node)):
            continue
        below = value if isinstance(value, list) else [value]
        for index, child in enumerate(below):
            if not isinstance(child, ast.AST) or (field == "body" and _is_for_types(node)):
                continue
            if isinstance(child, ast.expr):
                yield from _of_expression(_Place(node, field, index, child), in_sentence)
            yield from _inside(child, in_sentence or _name_called(child) in SENTENCES)


def _is_left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Assert() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")]):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case ast.Call():
            return _name_called(node) in TYPES
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return any(isinstance(one, ast.Name) and one.id == "overload" for one in node.decorator_list)
    return False


def _is_only_type(node: ast.AST, field: str) -> bool:
    return field in _ONLY_TYPES and (field != "keywords" or isinstance(node, ast.ClassDef))


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _name_called(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name
    return ""


class _Place(Struct, frozen=True):
    """Where an expression stands, so that another can be put there."""

    parent: ast.AST
    field: str
    index: int
    node: ast.expr

    def replaced(self, kind: Kind, other: ast.expr) -> Site:
        return Site(
            kind, self.node.lineno, self.node.col_offset,
            lambda: f"`{_short(self.node)}` → `{_short(other)}`", lambda: self._put(other),
        )  # fmt: skip

    def _put(self, other: ast.expr) -> None:
        value = getattr(self.parent, self.field)
        if isinstance(value, list):
            value[self.index] = other
        else:
            setattr(self.parent, self.field, other)


def _of_expression(place: _Place, in_sentence: bool) -> Iterator[Site]:
    match place.node:
        case ast.Compare(left=left, ops=ops, comparators=right):
            for index, op in enumerate(ops):
                others = [*ops[:index], COMPARISONS[type(op)](), *ops[index + 1 :]]
                yield place.replaced(Kind.OPERATOR, ast.Compare(left, others, right))
        case ast.BoolOp(op=op, values=values):
            yield place.replaced(Kind.OPERATOR, ast.BoolOp(BOOLEAN[type(op)](), values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield place.replaced(Kind.OPERATOR, operand)
        case ast.BinOp(left=a, op=sign, right=b) if type(sign) in ARITHMETIC:
            yield place.replaced(Kind.OPERATOR, ast.BinOp(a, ARITHMETIC[type(sign)](), b))
        case ast.Constant(value=value):
            yield from _of_constant(place, value, in_sentence)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield place.replaced(Kind.BRANCH, ast.IfExp(test, orelse, body))
    if isinstance(place.parent, ast.comprehension) and place.field == "ifs":
        yield place.replaced(Kind.BRANCH, _negated(place.node))
    if isinstance(place.parent, ast.match_case) and place.field == "guard":
        yield place.replaced(Kind.BRANCH, ast.Constant(value=True))


def _of_constant(place: _Place, value: object, in_sentence: bool) -> Iterator[Site]:
    kind = Kind.SENTENCE if in_sentence else Kind.CONSTANT
    match value:
        case bool():
            yield place.replaced(kind, ast.Constant(not value))
        case int() | float():
            yield place.replaced(kind, ast.Constant(value + 1))
            yield place.replaced(kind, ast.Constant(value - 1))
        case str():
            yield place.replaced(kind, ast.Constant(value + MARK))
        case bytes():
            yield place.replaced(kind, ast.Constant(value + MARK.encode()))


def _of_statement(node: ast.AST) -> Iterator[Site]:
    match node:
        case ast.If(test=test, orelse=orelse) if not _is_for_types(node):
            yield _put(node, Kind.BRANCH, "test", _negated(test), lambda: f"`if {_short(test)}` negated")
            yield _emptied(node, "body", lambda: f"`if {_short(test)}`: what follows is skipped")
            if orelse and not isinstance(orelse[0], ast.If):
                yield _emptied(node, "orelse", lambda: f"`else` of `if {_short(test)}` is skipped")
        case ast.For() | ast.AsyncFor():
            yield _emptied(node, "body", lambda: f"`for … in {_short(node.iter)}`: the body is skipped")
        case ast.ExceptHandler(type=kind):
            yield _emptied(node, "body", lambda: f"`except {_short(kind) if kind else ''}`: what follows is skipped")
        case ast.match_case(pattern=pattern):
            place = node.body[0]
            yield Site(
                Kind.BRANCH, place.lineno, place.col_offset,
                lambda: f"`case {_short(pattern)}`: what follows is skipped",
                lambda: _set(node, "body", [ast.Pass()]),
            )  # fmt: skip
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield _put(
                node, Kind.RETURN, "value", ast.Constant(None), lambda: f"`return {_short(value)}` → `return None`"
            )
        case ast.Expr(value=ast.Call() as call):
            yield _put(node, Kind.CALL, "value", ast.Constant(None), lambda: f"`{_short(call)}` left out")
        case ast.AugAssign(op=sign) if type(sign) in ARITHMETIC:
            other = ARITHMETIC[type(sign)]()
            turned = ast.AugAssign(node.target, other, node.value)
            yield _put(node, Kind.OPERATOR, "op", other, lambda: f"`{_short(node)}` → `{_short(turned)}`")
        case ast.FunctionDef() | ast.AsyncFunctionDef() if not _does_nothing(node):
            yield _put(node, Kind.RETURN, "body", _early(node), lambda: f"`{node.name}` returns at once")


def _put(node: ast.stmt, kind: Kind, field: str, value: object, what: Callable[[], str]) -> Site:
    return Site(kind, node.lineno, node.col_offset, what, lambda: _set(node, field, value))


def _emptied(node: ast.stmt | ast.ExceptHandler, field: str, what: Callable[[], str]) -> Site:
    return Site(Kind.BRANCH, node.lineno, node.col_offset, what, lambda: _set(node, field, [ast.Pass()]))


def _set(node: ast.AST, field: str, value: object) -> None:
    setattr(node, field, value)


def _negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def _does_nothing(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether nothing is in it, or one `return` alone, which is a site of its own."""
    body = [one for one in function.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    return not body or isinstance(body[0], ast.Return | ast.Pass | ast.Raise)


def _early(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    ends: list[ast.stmt] = [ast.Return(None)]
    return [*ends, ast.Expr(ast.Yield(None))] if _is_generator(function) else ends


def _is_generator(function: ast.AST) -> bool:
    for child in ast.iter_child_nodes(function):
        if isinstance(child, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(child, (*FUNCTIONS, ast.Lambda)) and _is_generator(child):
            return True
    return False


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
