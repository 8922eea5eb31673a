"""The judge of a run: the one that a person names, or the one that requested criteria need."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Set
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.documents.reading.reading import read
from trace_inspector.engine.judges.call_limits import Use
from trace_inspector.engine.scoring.metric import CLASSIFIER, MODEL, NO_CLASSIFIER, SERVICE, CannotJudge

if TYPE_CHECKING:
    from trace_inspector.engine.judges.backends.backend import Backend
    from trace_inspector.engine.judges.recorded import RecordedJudge

KINDS = "recorded:FILE, gemini, gemini:MODEL, openai:MODEL or none"
_NO_KEY = (
    "no judge is configured: set GOOGLE_API_KEY, or name one with --judge, "
    "gemini:MODEL, openai:MODEL or recorded:FILE"
)
_UNWANTED = "no judge was requested (--judge none)"

_NAMELESS = (SERVICE, CLASSIFIER)  # are no models by a name, and under no endpoint

Make: TypeAlias = "Callable[[], Backend]"


class NoJudge(Struct, frozen=True):
    """No judge is called; the reason for each kind that could be needed."""

    without: Mapping[str, str]
    name: str = "none"


class LiveChoice(Struct, frozen=True):
    """Judges called over a network, by kind; no connection is opened before the first question.

    A backend can also stand under an endpoint that criteria name and the person allowed. `without` tells of everybody
    who could be needed and is not there, why.
    """

    backends: Mapping[str, Make]
    use: Use = field(default_factory=Use)
    keeps: bool = True  # replies are stored in the data folder, and used again
    without: Mapping[str, str] = field(default_factory=dict)
    batch: bool = False  # questions go into batch jobs, where a run that goes on finds them again

    @property
    def name(self) -> str:
        """The name of the judge; "" where only a classifier is asked, which is none."""
        model = f", {self.use.model}" if self.use.model else ""
        judges = {who: make().name for who, make in self.backends.items() if who != CLASSIFIER}
        return " and ".join(f"{name}{'' if who == SERVICE else model}" for who, name in judges.items())

    @property
    def classifier(self) -> Backend | None:
        """The classifier that is asked, if any."""
        make = self.backends.get(CLASSIFIER)
        return make() if make else None

    def only(self, needed: Set[str]) -> LiveChoice:
        """Only the judges that are needed."""
        backends = {
            who: make for who, make in self.backends.items() if (who if who in _NAMELESS else MODEL) in needed
        }
        return replace(self, backends=backends)

    def without_classifier(self) -> LiveChoice:
        """Only those who cost something: a classifier runs on this machine."""
        backends = {who: make for who, make in self.backends.items() if who != CLASSIFIER}
        return replace(self, backends=backends, without={**self.without, CLASSIFIER: NO_CLASSIFIER})


class JudgeOptions(Struct, frozen=True):
    """How to use judges. `asked_for`: the person named the criteria, they were not found or assumed.

    `grounding_model` is the folder of a classifier. Only a person names one, never a file.
    """

    use: Use = field(default_factory=Use)
    keeps: bool = True
    asked_for: bool = False
    endpoints: tuple[str, ...] = ()  # endpoints that criteria may name
    grounding_model: str = ""


AnyJudge: TypeAlias = "RecordedJudge | LiveChoice | NoJudge"


def judge_named(
    name: str, options: JudgeOptions | None = None, environment: Mapping[str, str] = os.environ
) -> AnyJudge:
    """The judge with a name; none for "none", whatever is configured."""
    kind, _mark, rest = name.partition(":")
    options = options or JudgeOptions()
    if name == "none":
        return only_classifier(options, _UNWANTED, _UNWANTED)
    if (replies := replies_of(name)) is not None:
        return _recorded(replies)
    if kind in _BACKENDS and (rest or kind == "gemini"):
        return _live(kind, rest, options, environment)
    if name.startswith("gemini-"):
        return _live("gemini", name, options, environment)
    from trace_inspector.flows.judges.plugin_judges import plugin_judge, plugin_judges

    if (make := plugin_judge(kind, environment, options.use.patience.call_s)) is not None:
        others, without = _others(options, environment)
        use = replace(options.use, model=rest or options.use.model)
        return LiveChoice({MODEL: make, **others}, use, options.keeps, without)
    added = "".join(f", {other}" for other in plugin_judges())
    raise UsageError(f"There is no judge “{one_line(name, 60)}”; choose one of {KINDS}{added}.")


def replies_of(name: str) -> Path | None:
    """The file of recorded replies in the name of a judge, if any."""
    kind, _mark, rest = name.partition(":")
    return Path(rest) if kind == "recorded" and rest else None


def implied_judge(
    options: JudgeOptions | None = None, environment: Mapping[str, str] = os.environ
) -> LiveChoice | NoJudge:
    """The configured judge, used when a criterion that needs one is requested."""
    from trace_inspector.engine.judges.backends.gemini import is_configured

    options = options or JudgeOptions()
    if is_configured(environment):
        return _live("gemini", "", options, environment)
    others, why_not = _others(options, environment)
    return _choice(others, options, {MODEL: _NO_KEY, **why_not})


def only_classifier(options: JudgeOptions, no_model: str, no_service: str) -> LiveChoice | NoJudge:
    """Nobody but the classifier of a folder, where one is named; and why nobody else."""
    classifier, why_not = _classifier(options)
    return _choice(classifier, options, {MODEL: no_model, SERVICE: no_service, **why_not})


def _choice(backends: Mapping[str, Make], options: JudgeOptions, without: Mapping[str, str]) -> LiveChoice | NoJudge:
    return LiveChoice(backends, options.use, options.keeps, without) if backends else NoJudge(without)


def _gemini(environment: Mapping[str, str], timeout_s: float) -> Backend:
    from trace_inspector.engine.judges.backends.gemini import GeminiBackend

    return GeminiBackend(environment, timeout_s)


def _openai(environment: Mapping[str, str], timeout_s: float) -> Backend:
    from trace_inspector.engine.judges.backends.openai import OpenAIBackend

    return OpenAIBackend(environment, timeout_s)


_BACKENDS: Mapping[str, tuple[Callable[[Mapping[str, str], float], Backend], str]] = {
    "gemini": (_gemini, "GOOGLE_GEMINI_BASE_URL"),
    "openai": (_openai, "OPENAI_BASE_URL"),
}


OWN_JUDGES = frozenset({"none", "recorded", *_BACKENDS})


def _live(kind: str, model: str, options: JudgeOptions, environment: Mapping[str, str]) -> LiveChoice:
    from trace_inspector.engine.judges.backends.endpoints import checked_endpoint
    from trace_inspector.extras import JUDGES, missing

    if not_installed := missing(JUDGES):
        raise UsageError(f"A judge cannot be asked: {not_installed}")
    make, base_url = _BACKENDS[kind]
    timeout_s = options.use.patience.call_s

    def made(settings: Mapping[str, str]) -> Make:
        make(settings, timeout_s)  # raises here, before anything begins
        return lambda: make(settings, timeout_s)

    others, without = _others(options, environment)
    allowed = [checked_endpoint(url, has_key=False) for url in options.endpoints]
    backends = {MODEL: made(environment), **{url: made({**environment, base_url: url}) for url in allowed}}
    use = replace(options.use, model=model or options.use.model)
    return LiveChoice({**backends, **others}, use, options.keeps, without)


def _others(options: JudgeOptions, environment: Mapping[str, str]) -> tuple[dict[str, Make], dict[str, str]]:
    """Who is asked beside a model, or why not."""
    service, no_service = _service(options, environment)
    classifier, no_classifier = _classifier(options)
    return service | classifier, no_service | no_classifier


def _classifier(options: JudgeOptions) -> tuple[dict[str, Make], dict[str, str]]:
    """The classifier in the folder that is named, which is looked at when it is asked, or why there is none."""
    if not options.grounding_model:
        return {}, {CLASSIFIER: NO_CLASSIFIER}

    def make() -> Backend:
        from trace_inspector.engine.judges.classifier.classifier import Classifier

        return Classifier(Path(options.grounding_model))

    return {CLASSIFIER: make}, {}


def _service(options: JudgeOptions, environment: Mapping[str, str]) -> tuple[dict[str, Make], dict[str, str]]:
    """The evaluation service of Vertex AI, or why it is not called."""
    if not options.asked_for:
        return {}, {
            SERVICE: "Vertex AI’s evaluation service is used only for criteria given with --criteria or --only"
        }
    from trace_inspector.engine.judges.backends.vertex_service import VertexService, missing_settings
    from trace_inspector.extras import JUDGES, missing

    why_not = missing_settings(environment) or missing(JUDGES)
    if why_not:
        return {}, {SERVICE: why_not}
    timeout_s = options.use.patience.call_s
    VertexService(environment, timeout_s)  # raises here, before anything begins
    return {SERVICE: lambda: VertexService(environment, timeout_s)}, {}


def _recorded(path: Path) -> RecordedJudge:
    from trace_inspector.engine.judges.recorded import recorded_judge

    try:
        return recorded_judge(read(path).value, path.name)
    except CannotJudge as problem:
        raise UsageError(problem.sentence, path=str(path)) from problem
