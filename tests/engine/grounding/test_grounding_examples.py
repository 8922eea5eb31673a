"""One sentence against one piece of evidence: what the rules must say, by kind and by language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pytest

from trace_inspector.core.parts import Part, Text, ToolResult
from trace_inspector.core.trace import Agent, Event, Turn
from trace_inspector.core.values import Json
from trace_inspector.core.verdict import Label
from trace_inspector.engine.grounding.evidence import Evidence
from trace_inspector.engine.grounding.judge import judge_spans
from trace_inspector.engine.grounding.sentences import split

YES: Final = Label.SUPPORTED
NO: Final = Label.UNSUPPORTED
NONE: Final = Label.NOT_APPLICABLE


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, its label, and what it may rest on."""

    sentence: str
    label: Label
    result: Json = None
    user: str = ""
    told: str = ""


GARAGES: Final[Json] = {
    "garages": [
        {
            "name": "Harbour Garage",
            "covered": True,
            "spots": 25,
            "price_usd": 12.5,
            "distance_km": 0.4,
            "hours": {"open": "08:00", "close": "22:00"},
        },
        {"name": "Center Garage", "covered": False, "spots": 40, "price_usd": 9, "rating": 4.27},
        {"name": "Pier Lot", "covered": False, "spots": 112, "opened": "2021-06-14", "permits": []},
    ]
}
ORDER: Final[Json] = {
    "order_id": "R-2041",
    "status": "shipped",
    "carrier": "Blue Parcel",
    "total": {"amount": 1234.5, "currency": "EUR"},
    "items": [{"sku": "LAMP-77B", "title": "Desk lamp", "quantity": 2}],
    "eta": "2025-03-05",
    "discount": 0.25,
    "tracking": "https://track.example/p/991?x=1",
    "contact": "help@shop.example",
    "weight_kg": 3.2,
}
STAFF: Final[Json] = "The desk is staffed by Ana Ruiz. Late check-out is not possible. Breakfast starts at 7:30 am."

FLIGHTS: Final[Json] = {
    "flights": [
        {
            "flight": "LH 454",
            "from": "FRA",
            "to": "SFO",
            "departs": "2025-07-04T10:20:00+02:00",
            "arrives": "2025-07-04T12:55:00-07:00",
            "price": {"amount": 812.4, "currency": "EUR"},
            "seats_left": 4,
            "nonstop": True,
        },
        {
            "flight": "UA 927",
            "from": "FRA",
            "to": "SFO",
            "departs": "2025-07-04T13:30:00+02:00",
            "arrives": "2025-07-04T15:40:00-07:00",
            "price": {"amount": 799, "currency": "EUR"},
            "seats_left": 0,
            "nonstop": True,
        },
    ]
}
WEATHER: Final[Json] = {
    "location": "Lisbon, Portugal",
    "temperature_c": 18.6,
    "humidity": 0.72,
    "condition": "partly cloudy",
    "wind_kph": 22,
    "forecast": [
        {"day": "Friday", "high_c": 21, "low_c": 14, "rain": False},
        {"day": "Saturday", "high_c": 17, "low_c": 12, "rain": True},
    ],
}
SHOES: Final[Json] = {
    "result": """
    [{"title": "Trail Runner 3", "price": "$89.99", "sizes": [8, 9, 10, 11], "color": "blue", "in_stock": true},
     {"title": "City Walker", "price": "$64.50", "sizes": [7, 8], "color": "grey", "in_stock": false}]
    """.strip()
}
POLICY: Final[Json] = """Return policy
Items may be returned within 30 days of delivery. Electronics must be returned within 14 days. Refunds are issued to
the original payment method within 5-7 business days. Gift cards cannot be returned. Shipping costs are not refunded
unless the item was defective. Call 1-800-555-0199 or visit www.shop.example/returns."""
NOT_FOUND: Final[Json] = {"error": "No booking found for reference ZX81QP", "code": 404}
PEOPLE: Final[Json] = {
    "rows": [["Alice Moreau", 42, "Lyon"], ["Bob Tan", 37, "Singapore"], ["Chidi Obi", 29, "Lagos"]],
    "row_count": 3,
}

ENGLISH: Final = (
    # numbers
    Example("There are 40 spots at Center Garage.", YES, GARAGES),
    Example("There are 41 spots at Center Garage.", NO, GARAGES),
    Example("There are 40 covered spots within two blocks.", NO, GARAGES),
    Example("Harbour Garage has 40 spots.", NO, GARAGES),
    Example("Harbour Garage has twenty-five spots.", YES, GARAGES),
    Example("I found three garages.", YES, GARAGES),
    Example("I found five garages.", NO, GARAGES),
    Example("Your total is €1,234.50.", YES, ORDER),
    Example("Your total is 1.234,50 €.", YES, ORDER),
    Example("Your total is 1 234,50 EUR.", YES, ORDER),
    Example("Your total is €1,234.60.", NO, ORDER),
    Example("The order total is $1,234.50.", NO, {"total_eur": 1234.5}),
    Example("The order has a 25% discount.", YES, ORDER),
    Example("The order has a 30% discount.", NO, ORDER),
    Example("The city has 1.5 million residents.", YES, {"city": "Porto Alegre", "residents": 1_488_252}),
    Example("The city has about 1.5k cafes.", YES, {"city_cafes": 1512}),
    Example("The city has exactly 1,500 cafes.", NO, {"city_cafes": 1512}),
    Example("You need 2-3 permits.", YES, "You need two to three permits."),
    Example("A permit takes half an hour.", YES, {"permit_duration_minutes": 30}),
    Example("It happened in 2021, on the 14th of June.", YES, GARAGES),
    # rounding
    Example("Center Garage is rated 4.3.", YES, GARAGES),
    Example("Center Garage is rated 4.5.", NO, GARAGES),
    Example("Pier Lot has about 110 spots.", YES, GARAGES),
    Example("Pier Lot has more than 100 spots.", YES, GARAGES),
    # units
    Example("Harbour Garage is 400 m away.", YES, GARAGES),
    Example("Harbour Garage is about a quarter mile (0.25 miles) away.", YES, GARAGES),
    Example("Harbour Garage is 4 km away.", NO, GARAGES),
    Example("The tour takes 90 minutes.", YES, {"tour_duration_hours": 1.5}),
    Example("The tour takes 90 minutes.", NO, {"tour": "harbour", "price_usd": 90}),
    Example("The parcel weighs 3.2 kg.", YES, ORDER),
    Example("The parcel weighs 3.2 pounds.", NO, ORDER),
    # dates and times
    Example("It arrives on 5 March 2025.", YES, ORDER),
    Example("It arrives on March 5th.", YES, ORDER),
    Example("It arrives on 03/05/2025.", YES, ORDER),
    Example("It arrives on Wednesday.", YES, ORDER),
    Example("It arrives on Thursday.", NO, ORDER),
    Example("It arrives on March 6, 2025.", NO, ORDER),
    Example("It arrives in March 2025.", YES, ORDER),
    Example("Harbour Garage closes at 10 pm.", YES, GARAGES),
    Example("Harbour Garage closes at 11 pm.", NO, GARAGES),
    Example("Breakfast starts at 7:30 a.m.", YES, STAFF),
    Example("The museum is open on Tuesday.", YES, {"museum_open": "Mon-Fri 9-17"}),
    Example("The museum is open on Saturday.", NO, {"museum_open": "Mon-Fri 9-17"}),
    # identifiers and addresses
    Example("Order R-2041 has shipped.", YES, ORDER),
    Example("Order R-2042 has shipped.", NO, ORDER),
    Example("Order #2041 has shipped.", YES, ORDER),
    Example("The lamp's SKU is lamp-77b.", YES, ORDER),
    Example("You can follow it at https://track.example/p/991?x=1.", YES, ORDER),
    Example("You can follow it at https://track.example/p/992.", NO, ORDER),
    Example("Write to help@shop.example.", YES, ORDER),
    Example("Write to hello@shop.example.", NO, ORDER),
    # names
    Example("It is carried by Blue Parcel.", YES, ORDER),
    Example("It is carried by Red Parcel.", NO, ORDER),
    Example("The desk is staffed by Ana Ruiz.", YES, STAFF),
    Example("The desk is staffed by Ana Gomez.", NO, STAFF),
    # quotations
    Example("They say “late check-out is not possible”.", YES, STAFF),
    Example("They say “late check-out is always possible”.", NO, STAFF),
    # negation
    Example("Center Garage is covered.", NO, GARAGES),
    Example("Center Garage is not covered.", YES, GARAGES),
    Example("Harbour Garage isn't covered.", NO, GARAGES),
    Example("Late check-out is possible.", NO, STAFF),
    Example("Late check-out isn't possible.", YES, STAFF),
    Example("Pier Lot has no permits.", YES, GARAGES),
    # words
    Example("The order has shipped.", YES, ORDER),
    Example("The desk lamp comes with a free bulb and a warranty.", NO, ORDER),
    Example("Harbour Garage offers valet service and car wash.", NO, GARAGES),
    Example("Payment by card works at every machine.", YES, "Every machine takes payments by card."),
    # the user's words and the instructions
    Example(
        "You asked for parking near Pier 39 for 4 guests.", YES, user="Find parking near Pier 39 for four guests."
    ),
    Example("Your budget is $60.", YES, user="My budget is 60 dollars."),
    Example("Pier 39 has EV charging.", NO, user="Does Pier 39 have EV charging?"),
    Example("Pier 39 has EV charging.", NO, user="Find Pier 39 with EV charging"),
    Example("Refunds take 14 days.", YES, told="Refunds take 14 days. Never promise more."),
    Example("Refunds take 10 days.", NO, told="Refunds take 14 days. Never promise more."),
    # nothing to check
    Example("Would you like me to book one?", NONE, GARAGES),
    Example("Hello Anna!", NONE, GARAGES),
    Example("Here are the results:", NONE, GARAGES),
    Example("Let me know if you need anything else.", NONE, GARAGES),
    Example("I recommend booking ahead.", NONE, GARAGES),
    Example("You're welcome!", NONE),
    Example("## Parking options", NONE, GARAGES),
    Example("That works.", NONE),
    # no evidence at all
    Example("There are 40 spots.", NO),
    Example("The garage is covered and guarded around the clock.", NO),
)
HARDER: Final = (
    Example("LH 454 leaves FRA at 10:20 and lands at 12:55.", YES, FLIGHTS),
    Example("The Lufthansa flight costs €812.40.", NO, FLIGHTS),
    Example("LH 454 costs €812.40 and has 4 seats left.", YES, FLIGHTS),
    Example("UA 927 costs €812.40.", NO, FLIGHTS),
    Example("UA 927 departs at 1:30 pm on July 4.", YES, FLIGHTS),
    Example("UA 927 is sold out: 0 seats left.", YES, FLIGHTS),
    Example("Both flights are nonstop.", YES, FLIGHTS),
    Example("Neither flight is nonstop.", NO, FLIGHTS),
    Example("The cheapest option is UA 927 at 799 EUR.", YES, FLIGHTS),
    Example("The flights depart on Friday, July 4, 2025.", YES, FLIGHTS),
    Example("The flights depart on Saturday, July 5, 2025.", NO, FLIGHTS),
    Example("There are 2 flights from FRA to SFO.", YES, FLIGHTS),
    Example("It is 18.6°C in Lisbon and partly cloudy.", YES, WEATHER),
    Example("It is about 19 degrees in Lisbon.", YES, WEATHER),
    Example("Humidity is 72%.", YES, WEATHER),
    Example("The wind blows at 22 km/h.", YES, WEATHER),
    Example("The wind blows at 22 mph.", NO, WEATHER),
    Example("It will rain on Saturday.", YES, WEATHER),
    Example("It will rain on Friday.", NO, WEATHER),
    Example("Friday's high will be 21°C and the low 14°C.", YES, WEATHER),
    Example("It won't rain on Friday.", YES, WEATHER),
    Example("Saturday's high is 21°C.", NO, WEATHER),
    Example("It is 65°F.", NO, WEATHER),
    Example("The Trail Runner 3 costs $89.99 and comes in blue.", YES, SHOES),
    Example("The City Walker is in stock.", NO, SHOES),
    Example("The City Walker is out of stock.", YES, SHOES),
    Example("The Trail Runner 3 is available in sizes 8, 9, 10 and 11.", YES, SHOES),
    Example("The Trail Runner 3 is available in size 12.", NO, SHOES),
    Example("The City Walker costs $89.99.", NO, SHOES),
    Example("We have two shoes for you.", YES, SHOES),
    Example("The Trail Runner 3 is blue and in stock.", YES, SHOES),
    Example("The Trail Runner 3 is red.", NO, SHOES),
    Example("You can return items within 30 days of delivery.", YES, POLICY),
    Example("Items can be returned within thirty days.", YES, POLICY),
    Example("Electronics can be returned within 30 days.", NO, POLICY),
    Example("Electronics have to be sent back within two weeks.", YES, POLICY),
    Example("Gift cards can be returned.", NO, POLICY),
    Example("Gift cards can't be returned.", YES, POLICY),
    Example("Refunds take 5 to 7 business days.", YES, POLICY),
    Example("Refunds take 10 business days.", NO, POLICY),
    Example("Shipping costs are refunded.", NO, POLICY),
    Example("Shipping costs aren't refunded unless the item was defective.", YES, POLICY),
    Example("Please call 1-800-555-0199.", YES, POLICY),
    Example("Please call 1-800-555-0100.", NO, POLICY),
    Example("Refunds go back to your original payment method.", YES, POLICY),
    Example("We charge a restocking fee.", NO, POLICY),
    Example("See www.shop.example/returns for details.", YES, POLICY),
    Example("I couldn't find a booking with reference ZX81QP.", YES, NOT_FOUND),
    Example("Unfortunately, no booking was found for ZX81QP.", YES, NOT_FOUND),
    Example("Your booking ZX81QP is confirmed.", NO, NOT_FOUND),
    Example("Your booking was confirmed.", NO, NOT_FOUND),
    Example("There is no booking for that reference.", YES, NOT_FOUND),
    Example("Alice Moreau is 42 and lives in Lyon.", YES, PEOPLE),
    Example("Bob Tan is 42.", NO, PEOPLE),
    Example("The table has three rows.", YES, PEOPLE),
    Example("Bob Tan lives in Lagos.", NO, PEOPLE),
    Example("Chidi Obi, 29, is from Lagos.", YES, PEOPLE),
    Example("Your order contains 2 desk lamps.", YES, ORDER),
    Example("Your order contains 3 desk lamps.", NO, ORDER),
    Example("Your order hasn't shipped yet.", NO, ORDER),
    Example("Good news: your package is on its way!", NONE, ORDER),
    Example("It will be delivered on 2025-03-05.", YES, ORDER),
    Example("It weighs roughly 3 kilograms.", YES, ORDER),
    Example("The total is just over 1,200 euros.", YES, ORDER),
    Example("It weighs 3200 g.", YES, ORDER),
    Example("| Harbour Garage | 25 | $12.50 |", YES, GARAGES),
    Example("| Harbour Garage | 40 | $12.50 |", NO, GARAGES),
    Example("| Name | Spots | Price |\n|---|---|---|", NONE, GARAGES),
    Example("1. **Center Garage** – 40 spots, $9", YES, GARAGES),
    Example("Of the three garages, only Harbour Garage is covered.", YES, GARAGES),
    Example("Pier Lot is the largest with 112 spots.", YES, GARAGES),
    Example("The garage opens at 8.", YES, GARAGES),
    Example("All three garages are covered.", NO, GARAGES),
    Example("Center Garage costs $9, which is $3.50 less than Harbour Garage.", NO, GARAGES),
    Example("6 times 7 is 42.", YES, {"a": 6, "b": 7, "result": 42}),
    Example("The answer is 42.", YES, {"a": 6, "b": 7, "result": 42}),
    Example("The answer is 43.", NO, {"a": 6, "b": 7, "result": 42}),
    Example("The result is 7.", YES, {"result": 7}),
    Example("Your reservation K7P2 is confirmed.", YES, {"success": True, "reservation": "K7P2"}),
    Example("The booking succeeded.", NO, {"success": False}),
    Example("The shop is open.", NO, {"status": "closed"}),
    Example("The shop is open.", YES, {"shop": "open"}),
    Example("Call +49 (30) 123-4567.", YES, {"phone": "+49 30 1234567"}),
    Example("They open at 9 a.m.", YES, {"opening": "Mo-Fr 9:00-18:00"}),
    Example("Berlin has about 3.7 million inhabitants.", YES, {"population": 3677472}),
    Example("It has 3,677,472 inhabitants.", YES, {"berlin_population": 3677472}),
)
OTHERS: Final = (
    # German
    Example("Center Garage hat 40 Plätze.", YES, GARAGES),
    Example("Die Lieferung kommt am 5. März 2025.", YES, ORDER),
    Example("Die Lieferung kommt am 6. März 2025.", NO, ORDER),
    Example("Das Parkhaus schließt um 22 Uhr.", YES, {"parkhaus": "Mitte", "schließt": "22:00"}),
    Example("Das Parkhaus hat zwölf freie Plätze.", YES, "Parkhaus Mitte: 12 Plätze frei"),
    Example("Das Parkhaus ist nicht überdacht.", YES, "Das Parkhaus ist leider nicht überdacht."),
    Example("Das Parkhaus ist überdacht.", NO, "Das Parkhaus ist leider nicht überdacht."),
    Example("Es kostet 3,50 € pro Stunde.", YES, {"preis_pro_stunde_eur": 3.5}),
    Example("Gerne, ich helfe Ihnen weiter.", NONE),
    Example("Möchten Sie buchen?", NONE),
    # Spanish
    Example("El museo abre a las 9:00.", YES, "El museo abre a las 9:00 todos los días."),
    Example("El museo abre a las 10:00.", NO, "El museo abre a las 9:00 todos los días."),
    Example("La entrada cuesta 12,50 euros.", YES, {"entrada": {"precio_eur": 12.5}}),
    Example("Llega el 5 de marzo de 2025.", YES, ORDER),
    Example(
        "Hay tres garajes disponibles.",
        YES,
        {"garajes": [{"nombre": "Norte"}, {"nombre": "Sur"}, {"nombre": "Este"}]},
    ),
    Example("El aparcamiento no está cubierto.", YES, "El aparcamiento no está cubierto."),
    Example("El aparcamiento está cubierto.", NO, "El aparcamiento no está cubierto."),
    Example("¿Quiere reservar?", NONE),
    # French
    Example("Le parking compte 1 200 places.", YES, {"parking": "Gare", "places": 1200}),
    Example("Le parking compte 1 300 places.", NO, {"parking": "Gare", "places": 1200}),
    Example("Il ouvre à 8h30.", YES, {"ouvre": "08:30"}),
    Example("Livraison prévue le 5 mars 2025.", YES, ORDER),
    Example("Le petit déjeuner n'est pas inclus.", YES, "Le petit déjeuner n’est pas inclus dans le prix."),
    Example("Le petit déjeuner est inclus.", NO, "Le petit déjeuner n’est pas inclus dans le prix."),
    Example("Bonjour et merci de votre message !", NONE),
    # Japanese
    Example("駐車場は40台です。", YES, {"駐車場": "中央", "台数": 40}),
    Example("駐車場は45台です。", NO, {"駐車場": "中央", "台数": 40}),
    Example("営業時間は午後8時までです。", YES, {"営業時間": "9:00-20:00"}),
    Example("配達日は2025年3月5日です。", YES, {"配達日": "2025-03-05"}),
    Example("この駐車場は屋根付きです。", YES, "中央駐車場は屋根付きの駐車場です。"),
    Example("この駐車場には充電設備があります。", NO, "中央駐車場は屋根付きの駐車場です。"),
    Example("予約しますか？", NONE),
    # Hindi
    Example("पार्किंग में ४० जगह हैं।", YES, {"पार्किंग": "केंद्र", "जगह": 40}),
    Example("पार्किंग में ५० जगह हैं।", NO, {"पार्किंग": "केंद्र", "जगह": 40}),
    Example("दुकान सोमवार को खुली है।", YES, "दुकान सोमवार को खुली रहती है।"),
    Example("दुकान सोमवार को खुली नहीं है।", NO, "दुकान सोमवार को खुली रहती है।"),
    Example("क्या आप बुक करना चाहेंगे?", NONE),
    Example("नमस्ते!", NONE),
    # Arabic, Russian, Chinese, Thai
    Example("المتحف يفتح في الساعة 9:00.", YES, "المتحف يفتح في الساعة 9:00 صباحا."),
    Example("Музей открыт в понедельник.", YES, "Музей открыт в понедельник и вторник."),
    Example("停车场有40个车位。", YES, {"停车场": "中央", "车位": 40}),
    Example("停车场没有充电桩。", NO, "停车场有充电桩。"),
    Example("ที่จอดรถมี 40 คัน", YES, {"ที่จอดรถ": 40}),
)


def told(example: Example) -> Evidence:
    evidence = Evidence()
    evidence.add_agents([Agent("Helper", example.told, place="/agents/0")] if example.told else [])
    parts: tuple[Part, ...] = (
        (ToolResult("search", example.result, place="/result"),) if example.result is not None else ()
    )
    user = (Text(example.user, "/user"),) if example.user else ()
    evidence.add_turn(Turn(0, user=user, events=(Event("agent", parts),)))
    return evidence


@pytest.mark.parametrize(
    "example", ENGLISH + HARDER + OTHERS, ids=lambda example: f"{example.sentence[:40]}-{example.label.value}"
)
def test_a_sentence_gets_its_label(example: Example) -> None:
    sentences = judge_spans(example.sentence, split(example.sentence), told(example))
    assert [(one.label, one.reason) for one in sentences] == [(example.label, sentences[0].reason)]


@pytest.mark.parametrize(
    "example", [one for one in ENGLISH + HARDER + OTHERS if one.label is YES], ids=lambda one: one.sentence[:40]
)
def test_support_always_comes_with_an_excerpt_and_its_place(example: Example) -> None:
    (sentence,) = judge_spans(example.sentence, split(example.sentence), told(example))
    assert sentence.excerpt
    assert sentence.source
    assert sentence.place in {"/result", "/user", "/agents/0"}
