"""What ADK and Vertex AI keep elsewhere than in a golden: refused with the place where it belongs."""

from __future__ import annotations

from collections.abc import Mapping

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import Described, Expected, Judged, Titled
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.formats.writing.case_draft import CaseDraft

_INSTEAD: Mapping[Expects, str] = {
    Expects.CALL: "Change the expected calls of the turn.",
    Expects.RESULT: "Change the expected results of the turn.",
    Expects.ANSWER: "Change the expected answer of the turn.",
    Expects.TRANSFER: "Say to whom the turn hands over.",
    Expects.VARIABLES: "Expect a state at the end of the case, or a call that sets them.",
    Expects.NO_CALLS: "Take the expected calls out, and have the criterion of the trajectory compare exactly.",
    Expects.CRITERION: "Add a rubric.",
    Expects.MOCK: "Give the agent a tool that answers so, and state the answer as the expected result.",
}


def expect_here(_draft: CaseDraft, change: Expected) -> None:
    """No list of expectations stands in these formats; each kind has a place of its own, or none."""
    if not change.expectations:
        return
    one = change.expectations[0].expectation
    name = "a sentence for a judge" if one.kind is Expects.CRITERION else f"“{one.kind.value}”"
    raise EditError(f"This format does not list {name} among expectations. {_INSTEAD[one.kind]}")


def judge_here(_draft: CaseDraft, change: Judged) -> None:
    """Criteria stand in a file of their own."""
    if change.criteria:
        raise EditError("This format keeps criteria in a file of their own. Open Criteria, and change them there.")


def title_here(draft: CaseDraft, change: Titled) -> None:
    """A case has its id alone."""
    if change.title not in (draft.before.title, draft.before.id):
        raise EditError("A case of this format has no title beside its id. Change the id.")


def describe_here(_draft: CaseDraft, change: Described) -> None:
    """A case is not described."""
    if change.text:
        raise EditError("A case of this format has no description. Write a note at it.")
