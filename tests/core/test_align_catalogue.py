"""The alignment a careful person would draw, in a catalogue.

A row is `left=right` for equal calls, `~` for other arguments, `!` for another tool, `-left` and `+right` for what
has no counterpart; `^` behind a row marks a move, `%` another order within one group.
"""

from __future__ import annotations

from tests.core.written_calls import calls
from tests.helpers.tables import each
from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair, align_calls
from trace_inspector.core.trace.parts import ToolCall

SIGNS = {CallMatch.SAME: "=", CallMatch.ARGUMENTS: "~", CallMatch.RENAMED: "!"}
MARKS = {Order.KEPT: "", Order.MOVED: "^", Order.SWAPPED: "%"}


def name(call: ToolCall) -> str:
    assert isinstance(call.args, dict)
    return call.name + "".join(map(str, call.args.values()))


def drawn(left: str, right: str) -> str:
    """The alignment of two trajectories, as it is written in the catalogue."""
    (here, here_groups), (there, there_groups) = calls(left), calls(right)
    return " ".join(_row(pair, here, there) for pair in align_calls(here, there, groups=(here_groups, there_groups)))


def _row(pair: CallPair, here: list[ToolCall], there: list[ToolCall]) -> str:
    if pair.observed is None:
        assert pair.expected is not None
        return f"-{name(here[pair.expected])}"
    if pair.expected is None:
        return f"+{name(there[pair.observed])}"
    return f"{name(here[pair.expected])}{SIGNS[pair.match]}{name(there[pair.observed])}{MARKS[pair.order]}"


CATALOGUE = [
    # Nothing differs, or one side has nothing.
    ("", "", ""),
    ("a", "", "-a"),
    ("", "a b", "+a +b"),
    ("a b c", "a b c", "a=a b=b c=c"),
    ("a a a", "a a a", "a=a a=a a=a"),
    ("a11", "a11", "a11=a11"),
    # One call more or less.
    ("a b c", "b c", "-a b=b c=c"),
    ("a b c", "a c", "a=a -b c=c"),
    ("a b c", "a b", "a=a b=b -c"),
    ("b c", "a b c", "+a b=b c=c"),
    ("a c", "a b c", "a=a +b c=c"),
    ("a b", "a b c", "a=a b=b +c"),
    ("a1 b2 c3", "a1 x9 b2 c3", "a1=a1 +x9 b2=b2 c3=c3"),
    ("a b c d e", "a e", "a=a -b -c -d e=e"),
    ("a e", "a b c d e", "a=a +b +c +d e=e"),
    ("a b", "c d", "-a -b +c +d"),
    # Other arguments keep a pair.
    ("a1", "a2", "a1~a2"),
    ("a1 b1", "a2 b2", "a1~a2 b1~b2"),
    ("a12 b1", "a13 b1", "a12~a13 b1=b1"),
    ("a", "a1", "a~a1"),
    ("a1 b c", "a2 c", "a1~a2 -b c=c"),
    ("a1 b c", "b c a2", "-a1 b=b c=c +a2"),
    ("a123 b c", "b c a129", "a123~a129^ b=b c=c"),
    ("a1 a2 a3", "a1 a9 a3", "a1=a1 a2~a9 a3=a3"),
    ("a1 a2 a3", "a1 a3", "a1=a1 -a2 a3=a3"),
    ("a1 a3", "a1 a2 a3", "a1=a1 +a2 a3=a3"),
    # Of several candidates the one that has more in common.
    ("a12", "a39 a19", "+a39 a12~a19"),
    ("a12", "a19 a39", "a12~a19 +a39"),
    ("a1234", "a9999 a1239 a9998", "+a9999 a1234~a1239 +a9998"),
    ("a123 a456", "a129", "a123~a129 -a456"),
    ("a123 a456", "a459", "-a123 a456~a459"),
    ("a123 b a456", "a459 b a129", "a123~a459 b=b a456~a129"),
    # Moves.
    ("a1 b2", "b2 a1", "a1=a1^ b2=b2"),
    ("a b c d", "b c d a", "a=a^ b=b c=c d=d"),
    ("a b c d", "d a b c", "a=a b=b c=c d=d^"),
    ("a b c d e", "a d b c e", "a=a b=b c=c d=d^ e=e"),
    ("a b c d e f", "d e f a b c", "a=a^ b=b^ c=c^ d=d e=e f=f"),
    ("a b c", "c a9 b", "a~a9 b=b c=c^"),
    ("a1 b c a2", "a2 b c a1", "a1=a1^ b=b c=c a2=a2^"),
    ("a b x c d", "x a b c d y", "a=a b=b x=x^ c=c d=d +y"),
    # Another tool with the same arguments.
    ("a12", "b12", "a12!b12"),
    ("a1 f123 c1", "a1 g123 c1", "a1=a1 f123!g123 c1=c1"),
    ("f12", "g34", "-f12 +g34"),
    ("f", "g", "-f +g"),
    ("f123 f456", "g456 f456", "-f123 +g456 f456=f456"),
    ("a1 b1 c1", "a1 d1", "a1=a1 b1!d1 -c1"),
    ("a1 d1", "a1 b1 c1", "a1=a1 d1!b1 +c1"),
    ("a1 b1 c1 d1", "a1 e1 f1", "a1=a1 b1!e1 c1!f1 -d1"),
    ("b1 c1 a1", "d1 a1", "b1!d1 -c1 a1=a1"),
    ("b1 c1", "b2 b3 c1", "b1~b2 +b3 c1=c1"),
    ("f12 g12", "g12", "-f12 g12=g12"),
    # Repeats.
    ("a b", "a a a b", "a=a +a +a b=b"),
    ("a a a b", "a b", "a=a -a -a b=b"),
    ("a b a b", "a b", "a=a b=b -a -b"),
    ("a b", "a b a b", "a=a b=b +a +b"),
    ("a b a b a b", "a b a b", "a=a b=b a=a b=b -a -b"),
    ("a1 a1 a1", "a1 a2 a1", "a1=a1 a1~a2 a1=a1"),
    ("a1 a2 a1", "a1 a1 a1", "a1=a1 a2~a1 a1=a1"),
    ("s1 r s1 r s1 r", "s1 r s2 r s1 r", "s1=s1 r=r s1~s2 r=r s1=s1 r=r"),
    # Calls that were asked for at once.
    ("(a b)", "(b a)", "a=a% b=b"),
    ("(a b c)", "(c b a)", "a=a% b=b% c=c"),
    ("s (a b) t", "s (b a) t", "s=s a=a% b=b t=t"),
    ("(a b)", "a b", "a=a b=b"),
    ("(a b)", "b a", "a=a% b=b"),
    ("s (a1 b1) t", "s (b1 a2) t", "s=s a1~a2% b1=b1 t=t"),
    ("(a b) c", "c (a b)", "a=a b=b c=c^"),
    ("(a b c) d", "(b c) d", "-a b=b c=c d=d"),
    # Asked again, and once more or less often.
    ("a1", "a1 a1 a1", "a1=a1 +a1 +a1"),
    ("a1 a1 b", "a1 b", "a1=a1 -a1 b=b"),
    ("r1 r1 r1 s", "r1 s", "r1=r1 -r1 -r1 s=s"),
    ("a1 a1 a1 a1 a1", "a1 a1", "a1=a1 a1=a1 -a1 -a1 -a1"),
    ("a12 b", "a12 a12 b", "a12=a12 +a12 b=b"),
    ("a12 b c", "a19 a18 a12 b c", "+a19 +a18 a12=a12 b=b c=c"),
    ("a b c a b c", "a b c", "a=a b=b c=c -a -b -c"),
    ("a b", "a b a b a b", "a=a b=b +a +b +a +b"),
    ("a a b a a", "a a a a", "a=a a=a -b a=a a=a"),
    ("a b a", "b a b", "+b a=a b=b -a"),
    ("q12 r", "r q12 q12", "q12=q12^ r=r +q12"),
    # Two that changed places, and blocks that moved.
    ("a b c", "a c b", "a=a b=b^ c=c"),
    ("a1 b2 c3", "b2 a1 c3", "a1=a1^ b2=b2 c3=c3"),
    ("a b c d e f", "c d a b e f", "a=a^ b=b^ c=c d=d e=e f=f"),
    ("a b c d e f g h", "e f g h a b c d", "a=a^ b=b^ c=c^ d=d^ e=e f=f g=g h=h"),
    ("a1 a2 a3 a4", "a4 a3 a2 a1", "a1=a1^ a2=a2^ a3=a3^ a4=a4"),
    ("a123 b c d", "b c d a124", "a123~a124^ b=b c=c d=d"),
    # The same call stands also around what moved.
    ("a1 b1 a1 c1", "b1 a1 c1 a1", "a1=a1^ b1=b1 a1=a1 c1=c1"),
    ("d a b c", "a b c d d", "d=d^ a=a b=b c=c +d"),
    ("a b b a", "b a a b", "a=a^ b=b^ b=b a=a"),
    # One call split in two, two made one; handing over to somebody else.
    ("a1234", "a12 a34", "a1234~a12 +a34"),
    ("a12 a34", "a1234", "a12~a1234 -a34"),
    ("a t1 b", "a t2 b", "a=a t1~t2 b=b"),
    ("f", "f1234", "f~f1234"),
    # Every call of another tool, or with other arguments.
    ("f123 f456 f789", "g123 g456 g789", "f123!g123 f456!g456 f789!g789"),
    ("a1 b1 c1", "a2 b2 c2", "a1~a2 b1~b2 c1~c2"),
    ("a b c d", "x y", "-a -b -c -d +x +y"),
    # Groups: one of three is missing, one came alone, whole groups changed places.
    ("(a b c)", "(a c)", "a=a -b c=c"),
    ("(a1 b1 c1)", "(c1 a1 b1)", "a1=a1 b1=b1 c1=c1%"),
    ("s (a1 a2 a3) t", "s (a3 a1) t", "s=s a1=a1% -a2 a3=a3 t=t"),
    ("(a12 a34)", "(a39 a12)", "a12=a12% a34~a39"),
    ("(a b) (c d)", "(c d) (a b)", "a=a^ b=b^ c=c d=d"),
    ("(a b c d)", "a (b c) d", "a=a b=b c=c d=d"),
    ("s (a b) t", "s a t", "s=s a=a -b t=t"),
    ("s a t", "s (a b) t", "s=s a=a +b t=t"),
    # Everything is there and in order: what is only alike gives way, however it lies.
    (
        "s123 a b c d e f g h",
        "s129 a b c d e f g h s123 x a x b x c x d x e x f x g x h",
        "+s129 +a +b +c +d +e +f +g +h s123=s123 +x a=a +x b=b +x c=c +x d=d +x e=e +x f=f +x g=g +x h=h",
    ),
    # Several things at once.
    ("a1 b2 c3 d4", "a1 c9 d4 e5", "a1=a1 -b2 c3~c9 d4=d4 +e5"),
    ("a b c d e f", "a x c d z f", "a=a -b +x c=c d=d -e +z f=f"),
    ("a1 b1 c1 d1 e1", "b1 a1 c2 x1 e1", "a1=a1^ b1=b1 c1~c2 d1!x1 e1=e1"),
    ("l p12 p34 q", "l p34 q r", "l=l -p12 p34=p34 q=q +r"),
    ("a b c d e f g h", "a b c x d e f g h", "a=a b=b c=c +x d=d e=e f=f g=g h=h"),
]


@each(("left", "right", "rows"), CATALOGUE)
def test_as_a_careful_person_would_draw_it(left: str, right: str, rows: str) -> None:
    assert drawn(left, right) == rows
