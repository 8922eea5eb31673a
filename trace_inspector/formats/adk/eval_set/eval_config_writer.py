"""Writes criteria as an ADK eval configuration that google-adk 2.13 accepts, with what it cannot hold named."""

from __future__ import annotations

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.adk.common import schemas
from trace_inspector.formats.common.fields import by_spelling
from trace_inspector.formats.common.format import Written
from trace_inspector.formats.common.schema import ExtraKeys, Schema
from trace_inspector.formats.extension.key import KEY, carrying


def write(contents: Contents) -> Written:
    """The criteria; cases and traces have no place in this file."""
    writer = _ConfigWriter()
    criteria: JsonObject = {}
    for criterion in contents.criteria.items if contents.criteria else ():
        written = writer.criterion(criterion)
        if written is not None:
            criteria[criterion.metric] = written
    writer.lose_the_rest(contents)
    config: JsonObject = {"criteria": criteria}
    if writer.leftovers:
        config = carrying(config, contents.format, {**writer.leftovers})
        message = f"{len(writer.leftovers)} options that google-adk 2.13 rejects are kept under “{KEY}”."
        writer.losses.append(info("kept-beside", message))
    return Written(json_text(config), tuple(writer.losses))


class _ConfigWriter(Struct):
    losses: list[Finding] = field(default_factory=list)
    leftovers: JsonObject = field(default_factory=dict)

    def criterion(self, criterion: Criterion) -> Json:
        """A number, or an object when there are options; None for a criterion that google-adk would refuse."""
        if criterion.threshold is None:
            message = f"“{criterion.metric}” has no threshold; google-adk 2.13 would reject the whole file for it."
            self.losses.append(error("criterion-lost", message, criterion.place))
            return None
        if not criterion.options:
            return criterion.threshold
        place = join("", "criteria", criterion.metric)
        return {"threshold": criterion.threshold, **self._object(criterion.options, schemas.CRITERION, place)}

    def lose_the_rest(self, contents: Contents) -> None:
        """Name the cases and the traces of a source."""
        for count, what in (
            (sum(len(suite.cases) for suite in contents.suites), "case"),
            (len(contents.traces), "trace"),
        ):
            if count:
                counted = f"{count} {what} has" if count == 1 else f"{count} {what}s have"
                message = f"{counted} no place in an eval config, which contains criteria only."
                self.losses.append(error(f"{what}s-lost", message))

    def _object(self, value: JsonObject, schema: Schema, place: str) -> JsonObject:
        """An object in snake_case; what google-adk rejects in it becomes a leftover."""
        names = by_spelling({name: name for name in schema.fields})
        written: JsonObject = {}
        for key, raw in value.items():
            name = names.get(key, key)
            if key in schemas.ENDPOINT_KEYS:
                message = f"“{key}” is left out, because a file may not choose where a judge's calls are sent."
                self.losses.append(error("endpoint-lost", message))
            elif key not in names and schema.extra is ExtraKeys.REJECTED:
                self.leftovers[join(place, key)] = raw
            else:
                field = schema.fields.get(name)
                written[name] = self._value(raw, field.of if field else None, join(place, name))
        return written

    def _value(self, value: Json, schema: Schema | None, place: str) -> Json:
        if schema is None:
            return value
        if isinstance(value, dict):
            return self._object(value, schema, place)
        if isinstance(value, list):
            return [self._value(item, schema, join(place, index)) for index, item in enumerate(value)]
        return value
