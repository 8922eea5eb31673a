"""English sentences, by what the rules look at."""

from __future__ import annotations

from typing import Final

from tests.engine.grounding.grounding_example import NO, NONE, YES, Example
from tests.engine.grounding.grounding_world import GARAGES, ORDER, STAFF

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
    # what hangs together
    Example("There are 3 chargers and 40 spots.", NO, [{"name": "A", "spots": 40}, {"name": "B", "rating": 3}]),
    Example("All garages are covered.", NO, [{"garage": "B", "covered": False}, {"garage": "A", "covered": True}]),
    Example("The desk is staffed by Christina Ruiz.", NO, "The desk is staffed by Christian Ruiz."),
    Example("They say “check-out is not late possible”.", NO, STAFF),
    Example("**Price Range:** $9 to $12.50.", YES, GARAGES),
    Example("The garage is covered and has cameras.", NO, user="We parked in a covered garage with cameras."),
    Example("You parked in a covered garage.", YES, user="We parked in a covered garage with cameras."),
    Example(
        "Most riders pass on Alder Street: 2,150 a day, against 1,780 on Birch Street.",
        YES,
        [{"street": "Alder Street", "riders_per_day": 2150}, {"street": "Birch Street", "riders_per_day": 1780}],
    ),
    Example("Birch Street is on your shortlist now.", YES, {"saved": True, "shortlist": "Birch Street"}),
    Example("Harbour Garage has 12 chargers.", NO, GARAGES),
    Example("Center Garage has 9 chargers.", NO, GARAGES),
    Example(
        "Downtown is better: it has 8,800 visitors a day and the Westside has 5,200.",
        YES,
        [{"area": "Downtown", "visitors_per_day": 8800}, {"area": "Westside", "visitors_per_day": 5200}],
    ),
    Example(
        "Downtown has 5,200 visitors a day and the Westside has 8,800.",
        NO,
        [{"area": "Downtown", "visitors_per_day": 8800}, {"area": "Westside", "visitors_per_day": 5200}],
    ),
    Example("There is Alder Bar and Birch Bar.", YES, [{"name": "Alder Bar"}, {"name": "Birch Bar"}]),
    Example(
        "Alder Bar is at Fir Street.", NO, [{"name": "Alder Bar"}, {"name": "Birch Bar", "street": "Fir Street"}]
    ),
)
