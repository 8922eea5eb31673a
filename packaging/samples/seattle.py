"""Seattle: the failing case, its passing sister, and a conversation that nobody wrote a golden for."""

from __future__ import annotations

from samples.story import (
    INTAKE,
    RESEARCH,
    ROOT,
    Call,
    Conversation,
    Golden,
    JsonObject,
    Request,
    Rubric,
    Step,
    Turn,
    hand_over,
)

OPENING = Turn(
    user="I want to open a small coffee shop in Seattle. Where should I look first?",
    steps=(
        hand_over(ROOT, INTAKE, 0.7),
        Step(
            INTAKE,
            0.8,
            (
                Call(
                    "parse_request",
                    {"business": "coffee shop", "city": "Seattle"},
                    {"business": "coffee shop", "city": "Seattle", "first_areas": ["Capitol Hill", "Ballard"]},
                    0.1,
                ),
            ),
        ),
        hand_over(INTAKE, RESEARCH, 0.6),
        Step(
            RESEARCH,
            0.9,
            (
                Call(
                    "get_foot_traffic",
                    {"area": "Capitol Hill", "day": "weekday"},
                    {
                        "area": "Capitol Hill",
                        "day": "weekday",
                        "visitors_per_day": 18400,
                        "busiest_corner": "Broadway and Pike",
                        "busiest_hours": "8 am to 10 am",
                    },
                    0.7,
                ),
            ),
        ),
        Step(
            RESEARCH,
            1.1,
            says="Capitol Hill is the area to check first. On weekdays it has 18,400 visitors a day. "
            "The busiest corner is Broadway and Pike, from 8 am to 10 am. Shall I look at parking there?",
        ),
    ),
    golden=Golden(
        "Start on Capitol Hill, where 18,400 visitors come on a weekday. Broadway and Pike is the busiest corner, "
        "mostly from 8 am to 10 am."
    ),
    evidence="get_foot_traffic gives 18400 visitors a day, the corner and the hours.",
)

GARAGES: JsonObject = {
    "places": [
        {"name": "Harvard Ave Garage", "price": "6 USD an hour", "walk_min": 4, "open": "06:00-24:00"},
        {"name": "Pine Street Garage", "price": "5 USD an hour", "walk_min": 3, "open": "00:00-24:00"},
        {"name": "Summit Garage", "price": "4 USD an hour", "walk_min": 5, "open": "07:00-22:00"},
    ],
    "summary": "Three garages within a five-minute walk, from 4 to 6 USD an hour. Parking around Broadway and Pike "
    "is tight but workable.",
}
STOPS = Call(
    "get_transit_stops",
    {"area": "Capitol Hill", "limit": 5},
    {"stops": [{"name": "Capitol Hill Station", "line": "1"}, {"name": "Broadway and Pike", "line": "streetcar"}]},
    0.9,
)
STREET_PARKING = "Street parking around Broadway and Pike is metered until 8 pm on weekdays."
WALK_SCORE = Call("get_walk_score", {"area": "Capitol Hill"}, {"area": "Capitol Hill", "walk_score": 94}, 0.4)
QUESTION = "What about parking near Broadway and Pike?"
WALKING_TIME = Rubric("names_walking_time", "The answer gives a walking time for the garages.")

# The planted claim is the sentence about 40 covered spots: no tool result says so.
PARKING = Turn(
    user=QUESTION,
    steps=(
        Step(
            RESEARCH,
            1.1,
            (
                Call(
                    "search_places",
                    {"query": "parking", "radius_m": 500},
                    GARAGES,
                    5.2,
                    (
                        Request("/places?q=parking", 429, 0.0, 0.3),
                        Request("/places?q=parking", 429, 1.3, 0.3),
                        Request("/places?q=parking", 200, 3.6, 1.6),
                    ),
                ),
                STOPS,
            ),
            thought="The owner asks about parking at one corner. Garages matter more than street parking for people "
            "who stay, but both belong in the answer. I will look for places within a short walk and for transit, "
            "because a station nearby makes parking less important. Prices can come after that.",
        ),
        Step(
            RESEARCH,
            0.7,
            (
                Call(
                    "search_web",
                    {"query": "capitol hill garage prices"},
                    {"pages": [{"title": "Parking on Capitol Hill", "text": STREET_PARKING}]},
                    0.6,
                    (Request("/search?q=capitol+hill+garage+prices", 200, 0.02, 0.5),),
                ),
            ),
        ),
        Step(
            RESEARCH,
            1.5,
            says="Parking around Broadway and Pike is tight but workable. Three garages are within a five-minute "
            "walk. There are 40 covered spots within two blocks. Street parking is metered until 8 pm on weekdays. "
            "Shall I compare this with Ballard?",
        ),
    ),
    golden=Golden(
        "Parking near Broadway and Pike is tight. Three garages are within a five-minute walk, from 4 to 6 USD an "
        "hour. Street parking is metered until 8 pm on weekdays, and the walk score is 94.",
        steps=(
            Step(
                RESEARCH,
                1.0,
                (Call("search_places", {"query": "parking lots", "radius_m": 800}, GARAGES), STOPS),
            ),
            Step(RESEARCH, 1.0, (WALK_SCORE,)),
        ),
        rubrics=(WALKING_TIME,),
    ),
    evidence="search_places returned three garages with price, walking time and opening hours; none has a count.",
    pause_s=16.3,
)

SUMMARY = Turn(
    user="Good. Save me a one-page summary.",
    steps=(
        Step(
            RESEARCH,
            0.9,
            (
                Call(
                    "save_report",
                    {"title": "Capitol Hill coffee shop", "pages": 1},
                    {"report": "R-2041", "title": "Capitol Hill coffee shop", "pages": 1},
                    0.3,
                ),
                Call(
                    "remember",
                    {"key": "report", "value": "R-2041"},
                    {"saved": True, "state": {"report": "R-2041"}},
                    0.05,
                ),
            ),
        ),
        Step(
            RESEARCH, 1.2, says="I saved a one-page summary as report R-2041. Its title is Capitol Hill coffee shop."
        ),
    ),
    golden=Golden("I saved the one-page summary as report R-2041, with the title Capitol Hill coffee shop."),
    evidence="save_report returned the number R-2041 and the title.",
    pause_s=17.5,
)

COFFEE_1 = Conversation(
    "seattle_coffee_001",
    (OPENING, PARKING, SUMMARY),
    rubrics=(Rubric("offers_next_step", "The answer ends with a next step, or with a result the user can use."),),
    final_state={"report": "R-2041"},
)

COFFEE_2 = Conversation(
    "seattle_coffee_002",
    (
        Turn(
            user="How many people pass through Ballard at the weekend?",
            steps=(
                hand_over(ROOT, RESEARCH),
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "get_foot_traffic",
                            {"area": "Ballard", "day": "weekend"},
                            {
                                "area": "Ballard",
                                "day": "weekend",
                                "visitors_per_day": 12600,
                                "note": "Market Street is busiest on Sundays, when the farmers market is open.",
                            },
                            0.7,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.0,
                    says="Ballard has 12,600 visitors a day at the weekend. Market Street is busiest on Sundays, "
                    "when the farmers market is open.",
                ),
            ),
            golden=Golden(
                "Ballard gets 12,600 visitors a day at the weekend, most of them on Market Street on Sundays, when "
                "the farmers market is open."
            ),
            evidence="get_foot_traffic gives 12600 visitors a day and names Market Street.",
        ),
        Turn(
            user="And what does a small space cost there?",
            steps=(
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "get_rents",
                            {"area": "Ballard", "use": "retail"},
                            {
                                "area": "Ballard",
                                "rent": "34 USD per square foot a year",
                                "vacant_units": 6,
                                "smallest": "620 square feet",
                            },
                            0.5,
                        ),
                        Call("get_walk_score", {"area": "Ballard"}, {"area": "Ballard", "walk_score": 89}, 0.4),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.1,
                    says="Retail space in Ballard costs 34 USD per square foot a year. Six units are vacant, the "
                    "smallest with 620 square feet. The walk score is 89.",
                ),
            ),
            golden=Golden(
                "In Ballard retail space costs 34 USD per square foot a year; 6 units are vacant, the smallest with "
                "620 square feet, and the walk score is 89.",
                as_events=False,
            ),
            evidence="get_rents gives 34, 6 and 620.",
        ),
    ),
)

TEA_1 = Conversation(
    "seattle_tea_001",
    (
        Turn(
            user="Would a tea house work in the International District?",
            steps=(
                hand_over(ROOT, RESEARCH),
                Step(
                    RESEARCH,
                    0.9,
                    (
                        Call(
                            "search_places",
                            {"query": "tea house", "radius_m": 600},
                            {
                                "places": [
                                    {"name": "Maynard Tea", "rating": 4.6},
                                    {"name": "Jade Cup", "rating": 4.3},
                                ],
                                "summary": "Two tea houses.",
                            },
                            1.2,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.0,
                    says="Two tea houses are there already: Maynard Tea, rated 4.6, and Jade Cup, rated 4.3.",
                ),
            ),
        ),
        Turn(
            user="Is it easy to reach by train?",
            steps=(
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "get_transit_stops",
                            {"area": "International District", "limit": 3},
                            {"stops": [{"name": "Chinatown Station", "line": "1", "walk_min": 2}]},
                            0.8,
                        ),
                    ),
                ),
                Step(RESEARCH, 0.9, says="Yes. Chinatown Station on line 1 is a 2-minute walk away."),
            ),
        ),
    ),
)
