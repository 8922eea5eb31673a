"""Judges that plugins add: an entry point names what makes a `Backend`; whatever that does wrong is a failed call."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Generator, Mapping
from typing import Any

from trace_inspector import plugins
from trace_inspector.core.errors import PluginError, UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.judges.backends.backend import Backend, CallFailed, ModelAnswer, Prompted
from trace_inspector.plugins import Guard, Plugin

_LONGEST_NAME = 200


def plugin_judges() -> tuple[str, ...]:
    """The names of all that are on."""
    return tuple(plugin.name for plugin in plugins.active(plugins.JUDGES))


def plugin_judge(kind: str, environment: Mapping[str, str], timeout_s: float) -> Callable[[], Backend] | None:
    """What makes the judge of a name; None where no plugin has it. UsageError when it cannot be made."""
    plugin = plugins.active_named(plugins.JUDGES, kind)
    if plugin is None:
        return None

    def make() -> Backend:
        return _GuardedBackend(plugin, _made(plugin, environment, timeout_s))

    try:
        make()  # raises here, before anything begins
    except PluginError as problem:
        raise UsageError(f"{problem}.") from problem
    return make


def _made(plugin: Plugin, environment: Mapping[str, str], timeout_s: float) -> Backend:
    factory = plugins.load(plugin)
    with Guard(plugin, "while its judge was made"):
        if not callable(factory):
            raise TypeError(f"{plugin.target} is a {type(factory).__name__}, which makes no judge")
        made: Backend = factory(environment, timeout_s)
        if not isinstance(made.name, str) or not isinstance(made.endpoint, str):
            raise TypeError("the name and the endpoint of a judge are texts")
        if not callable(made.call) or not callable(made.close):
            raise TypeError("a judge has call and close")
    return made


class _GuardedBackend:
    """A judge of a plugin. Time limits and retries are those of every judge."""

    def __init__(self, plugin: Plugin, backend: Backend) -> None:
        self._plugin, self._backend = plugin, backend
        self.name = one_line(backend.name, _LONGEST_NAME)
        self.endpoint = one_line(backend.endpoint, _LONGEST_NAME)

    async def call(self, prompted: Prompted) -> ModelAnswer:
        """The answer, or CallFailed: an error of the plugin's own is not tried again."""
        when = "while it was asked"
        try:
            with Guard(self._plugin, when):
                call = self._backend.call(prompted)
            answer: object = await _Stepwise(self._plugin, when, call)
            with Guard(self._plugin, when):
                if not isinstance(answer, ModelAnswer) or not isinstance(answer.text, str | None):
                    raise TypeError(f"a {type(answer).__name__} is no ModelAnswer")
        except PluginError as problem:
            raise CallFailed(str(problem), again=False) from problem
        return answer

    async def close(self) -> None:
        """Nothing is told of what fails at the end."""
        when = "when it was closed"
        with contextlib.suppress(PluginError):
            with Guard(self._plugin, when):
                closing = self._backend.close()
            await _Stepwise(self._plugin, when, closing)


class _Stepwise:
    """Awaits what a plugin gave, guarded from one pause to the next: other questions go on while it waits."""

    def __init__(self, plugin: Plugin, when: str, awaited: Awaitable[object]) -> None:
        self._plugin, self._when, self._awaited = plugin, when, awaited

    def __await__(self) -> Generator[Any, Any, object]:
        with self._guard():
            steps = self._awaited.__await__()
        step: Callable[[Any], Any] = steps.send
        given: object = None
        while True:
            try:
                with self._guard():
                    paused = step(given)
            except StopIteration as end:
                return end.value
            try:
                given, step = (yield paused), steps.send
            except BaseException as thrown:  # cancelled, most often
                given, step = thrown, steps.throw

    def _guard(self) -> Guard:
        return Guard(self._plugin, self._when, CallFailed, TimeoutError, StopIteration)
