"""What records say of sentences: of which record one speaks, and whether it says of it what the record says."""

from __future__ import annotations

import pytest

from tests.engine.grounding.records_figures import evidence_of
from trace_inspector.core.values.values import Json
from trace_inspector.engine.grounding.facts.claim import read_claim
from trace_inspector.engine.grounding.records.check import check_records
from trace_inspector.engine.grounding.tables.record import RecordFinding
from trace_inspector.engine.grounding.tables.tables import tables_of
from trace_inspector.engine.grounding.text.sentences import Form

BOOKS: Json = {
    "books": [
        {"isbn": "978-0441", "title": "The Silent Shore", "author": "Mara Quist", "pages": 412, "price_gbp": 9.99,
         "published": "2019-04-11", "format": "paperback", "in_stock": True, "on_loan": False, "copies": 3},
        {"isbn": "978-0552", "title": "Iron Orchard", "author": "Dev Patel-Ross", "pages": 288, "price_gbp": 14.5,
         "published": "2021-09-30", "format": "hardcover", "in_stock": False, "on_loan": True, "copies": 0},
        {"isbn": "978-0777", "title": "Night Ferries", "author": "Mara Quist", "pages": 350, "price_gbp": 11.0,
         "published": "2023-01-20", "format": "ebook", "in_stock": True, "on_loan": False, "copies": 12},
    ]
}  # fmt: skip
CARS: Json = [
    {"vin": "X1F-22", "make": "Volta", "model": "Strand", "mileage_km": 18400, "fuel": "electric", "price": 27900,
     "currency": "EUR", "sold": False, "seats": 5, "color": "blue", "warranty_months": 24},
    {"vin": "Q9R-07", "make": "Kestrel", "model": "Trail", "mileage_km": 76000, "fuel": "diesel", "price": 15450,
     "currency": "EUR", "sold": True, "seats": 7, "color": "white", "warranty_months": 0},
]  # fmt: skip
COURSE: Json = {
    "course": "BIO-210", "title": "Cell Biology", "lecturer": "Prof. Anneke Vos", "starts": "2026-09-07",
    "ends": "2026-12-11", "room": "H3.12", "enrolled": 74, "exam": {"date": "2026-12-18", "open_book": False},
    "online": False, "status": "open", "fee": None,
}  # fmt: skip
ROOMS: Json = {
    "R-101": {"type": "double", "price_per_night": 120, "currency": "CHF", "sea_view": True, "smoking": False,
              "available_from": "2026-05-02"},
    "R-204": {"type": "single", "price_per_night": 85, "currency": "CHF", "sea_view": False, "smoking": False,
              "available_from": "2026-04-28"},
    "R-310": {"type": "suite", "price_per_night": 260, "currency": "CHF", "sea_view": True, "smoking": True,
              "available_from": "2026-05-10"},
}  # fmt: skip
TASK: Json = {
    "ticket": "OPS-88", "priority": "medium", "state": "in_progress", "assignee": "lina", "reporter": "omar",
    "created": "2026-02-03T09:12:00Z", "updated": "2026-02-05T16:40:00Z", "due": None, "comments": 7,
    "sla_breached": False, "estimate_hours": 6,
}  # fmt: skip
STATIONS: Json = [
    {"station": "Tromsø", "temperature_c": -4.5, "wind_mps": 11, "condition": "snow", "humidity": 88},
    {"station": "Málaga", "temperature_c": 17.2, "wind_mps": 3, "condition": "clear", "humidity": 55},
]
FLIGHTS: Json = [{"to": "JFK", "price_usd": 420, "carrier": "Aer Nord"}, {"to": "BOS", "price_usd": 390}]
PARCELS: Json = [
    {"parcel": "Z-100", "status": "shipped", "eta": "2026-03-06", "total": {"amount": 54.2, "currency": "USD"}},
    {"parcel": "Z-200", "status": "cancelled", "eta": None, "total": {"amount": 18.0, "currency": "USD"}},
]
PODS: Json = [
    {"pod": "api-7f", "phase": "Running", "restarts": 0, "ready": True, "age_hours": 31},
    {"pod": "api-9c", "phase": "CrashLoopBackOff", "restarts": 14, "ready": False, "age_hours": 31},
    {"pod": "worker-1", "phase": "Pending", "restarts": 0, "ready": False, "age_hours": 2},
]
TRAINS: Json = {
    "trips": [
        {"line": "S7", "departure": {"time": "08:12", "platform": "4"}, "arrival": {"time": "09:05", "platform": "2"},
         "delay_min": 6, "cancelled": False, "bikes_allowed": True},
        {"line": "RE1", "departure": {"time": "08:40", "platform": "11"},
         "arrival": {"time": "10:51", "platform": "3"}, "delay_min": 0, "cancelled": True, "bikes_allowed": False},
    ]
}  # fmt: skip
HEATER: Json = {
    "device": "thermostat-2", "target_c": 21.5, "current_c": 19.0, "battery_pct": 78, "humidity": 41, "online": True,
    "child_lock": False, "firmware": "5.2.1",
}  # fmt: skip
ISSUES: Json = [
    {"id": 412, "title": "Crash when saving a draft", "state": "open", "author": "bea", "assignee": "kai",
     "comments": 5, "locked": False},
    {"id": 398, "title": "Dark mode for the editor", "state": "closed", "author": "kai", "assignee": None,
     "comments": 17, "locked": True},
]  # fmt: skip
SHARES: Json = [
    {"symbol": "NVO", "name": "Novora", "price": 88.4, "change_pct": -1.8, "currency": "USD"},
    {"symbol": "KLM", "name": "Kelmar", "price": 23.15, "change_pct": 2.4, "currency": "USD"},
]
MEALS: Json = [
    {"dish": "Lentil curry", "calories": 420, "vegan": True, "gluten_free": True, "servings": 4},
    {"dish": "Beef lasagne", "calories": 780, "vegan": False, "gluten_free": False, "servings": 6},
]
MATCHES: Json = [{"home": "Rovers", "stadium": "Mill Lane"}, {"home": "United", "stadium": "Harbour Park"}]
STATEMENTS: Json = (
    "Pallet PX-4 weighs 410 kg. Pallet PX-4 is stored in bay C3. Pallet PX-4 is not fragile. "
    "Pallet PX-7 weighs 95 kg. Pallet PX-7 is stored in bay A1. Pallet PX-7 is fragile. "
    "Pallet PX-9 weighs 12 kg. Pallet PX-9 is stored in bay B2. PX-9 is fragile."
)

SUPPORTED: list[tuple[Json, str]] = [
    (BOOKS, "The Silent Shore was written by Mara Quist and has 412 pages."),
    (BOOKS, "The Silent Shore costs £9.99."),
    (BOOKS, "Iron Orchard is out of stock."),
    (BOOKS, "Iron Orchard is currently on loan."),
    (BOOKS, "Night Ferries isn't on loan."),
    (BOOKS, "Both The Silent Shore and Night Ferries are in stock."),
    (BOOKS, "Only Iron Orchard is on loan."),
    (CARS, "The Strand comes with a 2-year warranty."),
    (CARS, "The Strand is priced at €27,900."),
    (CARS, "The Trail runs on diesel and seats seven."),
    (COURSE, "It starts on 7 September 2026 and ends on 11 December."),
    (COURSE, "The exam is not open book."),
    (COURSE, "Enrolment is still open."),
    (COURSE, "Le cours commence le 7 septembre 2026."),
    (COURSE, "El examen es el 18 de diciembre."),
    (COURSE, "No fee is given."),
    (ROOMS, "You can't smoke in R-204."),
    (ROOMS, "Das Zimmer R-204 kostet 85 Franken pro Nacht."),
    (TASK, "The SLA has not been breached."),
    (TASK, "There are seven comments."),
    (STATIONS, "It is snowing in Tromsø at -4.5 °C."),
    (STATIONS, "In Málaga it's 17 °C and sunny."),
    (STATIONS, "It isn't raining in Málaga."),
    (STATIONS, "À Málaga, le ciel est dégagé."),
    (STATIONS, "In Tromsø schneit es."),
    (FLIGHTS, "The flight to JFK costs $420."),
    (PARCELS, "Z-200 has been called off."),
    (PARCELS, "Z-100 is on its way and should arrive on March 6."),
    (PARCELS, "Z-100 hasn't been cancelled."),
    (PARCELS, "Z-200 wurde storniert."),
    (PARCELS, "Z-100 a été expédiée."),
    (PARCELS, "Z-200はキャンセルされました。"),
    (PODS, "api-9c has restarted 14 times."),
    (TRAINS, "The S7 leaves at 8:12 from platform 4."),
    (TRAINS, "You can take a bike on the S7."),
    (HEATER, "The child lock is off."),
    (HEATER, "The battery is at 78%."),
    (ISSUES, "#398 is locked."),
    (ISSUES, "#412 was opened by bea."),
    (SHARES, "Novora trades at $88.40."),
    (MEALS, "Beef lasagne isn't gluten-free."),
    (PARCELS, "Neither parcel has been delivered."),
    (ISSUES, "The assignee of #398 isn't given."),
    (STATEMENTS, "PX-7 weighs 95 kilos."),
    (STATEMENTS, "PX-4 isn't fragile."),
]
CONTRADICTED: list[tuple[Json, str, str]] = [
    (BOOKS, "Iron Orchard is by Mara Quist.", "value of another record"),
    (BOOKS, "The Silent Shore costs £14.50.", "value of another record"),
    (BOOKS, "The Silent Shore costs $9.99.", "other unit"),
    (BOOKS, "Night Ferries has 3 copies.", "value of another record"),
    (BOOKS, "Iron Orchard isn't on loan.", "yes or no"),
    (BOOKS, "All three books are in stock.", "said of too many"),
    (BOOKS, "None of them is on loan.", "said of too many"),
    (BOOKS, "Only Night Ferries is in stock.", "said of too many"),
    (BOOKS, "The number of pages isn't given for Iron Orchard.", "missing field"),
    (CARS, "The Trail runs on diesel and seats five.", "value of another record"),
    (CARS, "The Volta has already been sold.", "yes or no"),
    (CARS, "The Strand is white.", "value of another record"),
    (COURSE, "It starts on 11 December.", "value of another field"),
    (COURSE, "The exam takes place on December 11.", "value of another field"),
    (COURSE, "The exam is open book.", "yes or no"),
    (COURSE, "Enrolment is closed.", "another state"),
    (COURSE, "Der Kurs beginnt am 8. September 2026.", "other value"),
    (ROOMS, "Room R-204 is CHF 120 a night.", "value of another record"),
    (ROOMS, "R-310 costs 260 euros per night.", "other unit"),
    (ROOMS, "R-204 comes with a sea view.", "yes or no"),
    (ROOMS, "R-204 becomes available on 2 May.", "value of another record"),
    (TASK, "OPS-88 is assigned to Omar.", "value of another field"),
    (TASK, "The ticket has been resolved.", "another state"),
    (TASK, "It has high priority.", "another state"),
    (TASK, "The estimate is 6 days.", "other unit"),
    (STATIONS, "In Málaga it's raining.", "another state"),
    (STATIONS, "A Málaga piove.", "another state"),
    (STATIONS, "Humidity in Málaga is 88%.", "value of another record"),
    (FLIGHTS, "The flight to JFK costs $390.", "value of another record"),
    (PARCELS, "Z-100 should arrive on March 9.", "other value"),
    (PARCELS, "Z-200 came to $54.20.", "value of another record"),
    (PARCELS, "Order Z-100 was cancelled.", "value of another record"),
    (PARCELS, "O pedido Z-100 foi cancelado.", "another state"),
    (PODS, "api-9c is ready.", "yes or no"),
    (PODS, "All pods are ready.", "said of too many"),
    (TRAINS, "The S7 arrives at 8:12.", "value of another field"),
    (TRAINS, "The S7 has been cancelled.", "yes or no"),
    (HEATER, "The child lock is on.", "yes or no"),
    (HEATER, "The thermostat is offline.", "yes or no"),
    (HEATER, "The target is 19 degrees.", "value of another field"),
    (ISSUES, "#412 was opened by kai.", "value of another record"),
    (ISSUES, "#398 has 5 comments.", "value of another record"),
    (SHARES, "Kelmar trades at $88.40.", "value of another record"),
    (MEALS, "Neither dish is vegan.", "said of too many"),
    (STATEMENTS, "PX-4 weighs 95 kg.", "value of another record"),
]
UNDECIDED: list[tuple[Json, str]] = [
    (BOOKS, "Iron Orchard was nominated for two prizes in 2022."),
    (BOOKS, "The Silent Shore has sold 40,000 copies."),
    (BOOKS, "Night Ferries can be delivered in 2 days."),
    (BOOKS, "Is Iron Orchard in stock?"),
    (COURSE, "It is held in room B1.04."),
    (ROOMS, "R-204 was renovated in 2024."),
    (ROOMS, "Check-in for R-204 starts at 3 pm."),
    (TASK, "It will be closed once Omar confirms."),
    (TASK, "Lina will probably resolve it."),
    (STATIONS, "Tomorrow Málaga will reach 21 °C."),
    (STATIONS, "Tromsø feels like -12 °C."),
    (STATIONS, "The temperature in Tromsø fell below 17 °C."),
    (PARCELS, "Z-100 can still be cancelled."),
    (PARCELS, "If you cancel Z-100 now, you get $99 back."),
    (COURSE, "It probably starts on 11 December."),
    (STATIONS, "Yesterday it was 15 °C in Málaga."),
    (ROOMS, "R-204 should have a sea view."),
    (MATCHES, "Rovers won at Mill Lane."),
    (TRAINS, "The next S7 leaves at 8:32."),
    (TRAINS, "The RE1 stops in Berlin at 9:35."),
    (HEATER, "I have raised the target to 23 degrees."),
    (HEATER, "The bedroom is at 17 degrees."),
    (SHARES, "NVO is down 1.8 percent."),
    (SHARES, "Kelmar has a market cap of $3.2 billion."),
    (MEALS, "The lentil curry has 9 g of fat."),
]


def found(result: Json, sentence: str) -> RecordFinding | None:
    evidence = evidence_of([result])
    return check_records(read_claim(sentence, Form.PROSE), evidence, tables_of(evidence))


@pytest.mark.parametrize(("result", "sentence"), SUPPORTED, ids=[sentence for _, sentence in SUPPORTED])
def test_what_the_record_says_is_supported(result: Json, sentence: str) -> None:
    finding = found(result, sentence)
    assert finding is not None
    assert finding.support.value == "supported", finding


@pytest.mark.parametrize(("result", "sentence", "rule"), CONTRADICTED, ids=[one[1] for one in CONTRADICTED])
def test_what_the_record_denies_is_contradicted(result: Json, sentence: str, rule: str) -> None:
    finding = found(result, sentence)
    assert finding is not None
    assert (finding.support.value, finding.rule) == ("contradictory", rule), finding


@pytest.mark.parametrize(("result", "sentence"), UNDECIDED, ids=[sentence for _, sentence in UNDECIDED])
def test_what_the_record_does_not_tell_is_left_open(result: Json, sentence: str) -> None:
    assert found(result, sentence) is None


def test_reasons_and_excerpts_show_the_record() -> None:
    finding = found(FLIGHTS, "The flight to JFK costs $390.")
    assert finding is not None
    assert finding.reason == "The record of JFK says price_usd: 420; the figure is that of BOS."
    assert finding.excerpt == "to: JFK; price_usd: 420; carrier: Aer Nord"
    counted = found(BOOKS, "All three books are in stock.")
    assert counted is not None
    assert counted.reason == "True of 2 of 3 records: The Silent Shore, Night Ferries."


def test_a_code_of_the_same_make_that_no_record_has_is_unsupported() -> None:
    finding = found(PARCELS, "Z-300 has been shipped.")
    assert finding is not None
    assert (finding.support.value, finding.rule) == ("unsupported", "no such record")
    assert found({"parcels": PARCELS, "has_more": True}, "Z-300 has been shipped.") is None
    assert found(PARCELS, "Z-100 replaces order QX-5-7.") is None


def test_of_two_records_with_one_name_the_one_that_agrees_counts() -> None:
    evidence = evidence_of([[{"dock": "A-1", "state": "closed"}], [{"dock": "A-1", "state": "open"}]])
    for state, support in (("open", "supported"), ("closed", "supported")):
        finding = check_records(read_claim(f"A-1 is {state}.", Form.PROSE), evidence, tables_of(evidence))
        assert finding is not None
        assert finding.support.value == support


def test_nothing_is_counted_over_a_part() -> None:
    assert found({"books": [{"title": "Iron Orchard", "lost": True}, {"title": "Dry Salt", "lost": True}],
                  "total": 9}, "All of them are lost.") is None  # fmt: skip


def test_prose_has_no_records() -> None:
    text = (
        "The lighthouse was built in 1871. It stands 34 metres tall and guides ships past the reef. Tours run daily."
    )
    assert found(text, "The lighthouse was built in 1872.") is None
