"""Results of many forms as tables of records."""

from __future__ import annotations

import json

from tests.engine.grounding.records_figures import evidence_of
from trace_inspector.core.values.values import Json
from trace_inspector.engine.grounding.evidence.evidence import Origin, Source
from trace_inspector.engine.grounding.tables.record import Scalar, Table
from trace_inspector.engine.grounding.tables.tables import MAX_FIELDS, MAX_RECORDS, MAX_VALUES, tables_of

BIKES: list[Json] = [{"frame": "F-12", "gears": 11}, {"frame": "F-90", "gears": 8}]


def rows(table: Table) -> list[dict[str, Scalar]]:
    return [{field.key: field.value for field in record.fields} for record in table.records]


def only(result: Json) -> Table:
    (table,) = tables_of(evidence_of([result]))
    return table


def test_a_list_of_objects_is_a_table() -> None:
    table = only(BIKES)
    assert rows(table) == BIKES
    assert table.is_complete
    assert table.records[0].text == "frame: F-12; gears: 11"


def test_a_single_object_is_a_table_of_one_record() -> None:
    assert rows(only({"frame": "F-12", "stolen": False})) == [{"frame": "F-12", "stolen": False}]


def test_objects_by_id_have_the_id_as_a_field() -> None:
    assert rows(only({"F-12": {"gears": 11}, "F-90": {"gears": 8}})) == [
        {"id": "F-12", "gears": 11},
        {"id": "F-90", "gears": 8},
    ]


def test_names_of_attributes_are_no_ids() -> None:
    table = only({"pickup": {"hour": "10:00", "dock": "A"}, "return": {"hour": "12:00", "dock": "C"}})
    assert rows(table) == [{"pickup hour": "10:00", "pickup dock": "A", "return hour": "12:00", "return dock": "C"}]


def test_wrapping_objects_are_left_out_of_keys() -> None:
    assert rows(only([{"frame": "F-12", "details": {"gears": 11}}])) == [{"frame": "F-12", "gears": 11}]


def test_an_envelope_names_the_table_and_stands_beside_it() -> None:
    first, second = tables_of(evidence_of([{"bikes": BIKES, "shop": "North"}]))
    assert rows(first) == [{"shop": "North"}]
    assert (second.name, second.is_complete) == ("bikes", True)


def test_a_larger_total_or_a_next_page_makes_a_table_incomplete() -> None:
    partial: list[dict[str, Json]] = [
        {"total": 40}, {"has_more": True}, {"nextPageToken": "x"}, {"meta": {"total_count": 3}},
    ]  # fmt: skip
    for beside in partial:
        assert not tables_of(evidence_of([{**beside, "bikes": BIKES}]))[-1].is_complete, beside
    whole: list[dict[str, Json]] = [{"total": 2}, {"has_more": False}, {"nextPageToken": None}]
    for beside in whole:
        assert tables_of(evidence_of([{**beside, "bikes": BIKES}]))[-1].is_complete, beside


def test_columns_and_headed_rows_are_tables() -> None:
    wanted = [{"frame": "F-12", "gears": 11}, {"frame": "F-90", "gears": 8}]
    assert rows(only({"frame": ["F-12", "F-90"], "gears": [11, 8]})) == wanted
    assert rows(only([["frame", "gears"], ["F-12", 11], ["F-90", 8]])) == wanted
    assert rows(only({"columns": ["frame", "gears"], "rows": [["F-12", 11], ["F-90", 8]]})) == wanted


def test_json_in_text_is_read_as_json_and_tables_in_text_as_tables() -> None:
    assert rows(only(json.dumps(BIKES))) == BIKES
    assert rows(only("frame,gears\nF-12,11\nF-90,8\n")) == BIKES


def test_lists_in_objects_are_tables_of_their_own_and_short_scalars_one_value() -> None:
    first, second = tables_of(evidence_of([[{"frame": "F-12", "tags": ["city", "steel"], "parts": BIKES}]]))
    assert rows(first) == [{"frame": "F-12", "tags": "city, steel"}]
    assert second.name == "parts"


def test_large_results_are_bounded_and_incomplete() -> None:
    long = only([{"frame": f"F-{number}"} for number in range(MAX_RECORDS + 5)])
    assert (len(long.records), long.is_complete) == (MAX_RECORDS, False)
    wide = only({f"key{number}": number for number in range(MAX_FIELDS + 30)})
    assert len(wide.records[0].fields) == MAX_FIELDS
    many = tables_of(evidence_of([[{f"k{x}": x for x in range(50)} for _ in range(MAX_RECORDS)] for _ in range(3)]))
    assert sum(len(record.fields) for table in many for record in table.records) < MAX_VALUES + 2 * MAX_FIELDS
    assert not many[-1].is_complete


def test_deep_nesting_and_huge_numbers_do_no_harm() -> None:
    deep: Json = {"gears": 3}
    for _ in range(3_000):
        deep = {"inner": deep, "list": [1]}
    assert tables_of(evidence_of([deep, {"n": 10**5_000}])) != []


def test_what_was_read_is_kept_until_a_result_is_added() -> None:
    evidence = evidence_of([BIKES])
    first = tables_of(evidence)
    assert tables_of(evidence) is first
    evidence.results.append((Source(Origin.RESULT, "again", "/9"), BIKES))
    second = tables_of(evidence)
    assert (len(first), len(second)) == (1, 2)
    assert second[0] is first[0]
