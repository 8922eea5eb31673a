"""Oregon: a case that passes every check, and one whose run has a turn that nobody expected."""

from __future__ import annotations

from samples.story import RESEARCH, ROOT, Call, Conversation, Golden, Step, Turn, hand_over

BIKES = Conversation(
    "eugene_bikes_001",
    (
        Turn(
            user="I repair bicycles in Eugene and want to move closer to the university. Which street has most "
            "riders?",
            steps=(
                hand_over(ROOT, RESEARCH),
                Step(
                    RESEARCH,
                    0.9,
                    (
                        Call(
                            "get_bike_counts",
                            {"city": "Eugene", "near": "university"},
                            {
                                "counters": [
                                    {"street": "Alder Street", "riders_per_day": 2150},
                                    {"street": "13th Avenue", "riders_per_day": 1780},
                                ],
                                "counted": "March 2026",
                            },
                            0.6,
                        ),
                        Call(
                            "get_rents",
                            {"area": "Alder Street", "use": "retail"},
                            {"area": "Alder Street", "rent": "24 USD per square foot a year", "vacant_units": 3},
                            0.5,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.1,
                    says="Alder Street has most riders: 2,150 riders a day, counted in March 2026. 13th Avenue "
                    "follows with 1,780 riders a day. Retail space on Alder Street costs 24 USD per square foot a "
                    "year.",
                ),
            ),
            golden=Golden(
                "Most riders pass on Alder Street: 2,150 a day in March 2026, against 1,780 a day on 13th Avenue. "
                "Retail space there costs 24 USD per square foot a year."
            ),
            evidence="get_bike_counts gives 2150 and 1780 riders, get_rents gives 24 USD.",
        ),
        Turn(
            user="How many repair shops are there already?",
            steps=(
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "search_places",
                            {"query": "bicycle repair shop", "radius_m": 1000},
                            {
                                "places": [
                                    {"name": "Blue Heron Cycles", "distance_m": 400, "closed": "Sunday"},
                                    {"name": "Hub and Spoke", "distance_m": 850, "closed": "Monday"},
                                ],
                                "summary": "Two repair shops within 1000 m of Alder Street.",
                            },
                            1.1,
                        ),
                        Call(
                            "get_walk_score",
                            {"area": "Alder Street"},
                            {"area": "Alder Street", "walk_score": 88},
                            0.4,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.0,
                    says="Two repair shops are within 1,000 m of Alder Street: Blue Heron Cycles at 400 m and Hub "
                    "and Spoke at 850 m. Blue Heron Cycles is closed on Sunday.",
                ),
            ),
            golden=Golden(
                "There are two repair shops within 1,000 m: Blue Heron Cycles at 400 m, closed on Sunday, and Hub "
                "and Spoke at 850 m.",
                as_events=False,
            ),
            evidence="search_places returned two shops with distance and closing day.",
        ),
    ),
)

BOOKS = Conversation(
    "portland_books_001",
    (
        Turn(
            user="I have a second-hand bookshop in Portland. Is Alberta Street a good place for a second one?",
            steps=(
                hand_over(ROOT, RESEARCH),
                Step(
                    RESEARCH,
                    0.9,
                    (
                        Call(
                            "get_foot_traffic",
                            {"area": "Alberta Street", "day": "weekend"},
                            {"area": "Alberta Street", "day": "weekend", "visitors_per_day": 9300},
                            0.7,
                        ),
                        Call(
                            "search_places",
                            {"query": "bookshop", "radius_m": 1200},
                            {
                                "places": [{"name": "Paper Lantern Books", "distance_m": 700}],
                                "summary": "One bookshop nearby.",
                            },
                            1.0,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.0,
                    says="Alberta Street has 9,300 visitors a day at the weekend. One bookshop is nearby: Paper "
                    "Lantern Books, at 700 m.",
                ),
            ),
            golden=Golden(
                "Alberta Street draws 9,300 visitors a day at the weekend. There is one bookshop nearby, Paper "
                "Lantern Books, 700 m away."
            ),
            evidence="get_foot_traffic gives 9300 visitors, search_places one bookshop at 700 m.",
        ),
        Turn(
            user="Which month should I open?",
            steps=(
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "get_events",
                            {"city": "Portland", "month": "June"},
                            {"events": [{"name": "Alberta Street Fair", "visitors": 25000, "month": "June"}]},
                            0.6,
                        ),
                        Call(
                            "get_events",
                            {"city": "Portland", "month": "July"},
                            {"events": [], "note": "The calendar for July is empty."},
                            0.6,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    0.9,
                    says="Open in June, when the Alberta Street Fair brings 25,000 visitors. The calendar for July "
                    "is empty.",
                ),
            ),
            golden=Golden("Open in June: the Alberta Street Fair brings 25,000 visitors, while July is empty."),
            evidence="get_events gives 25000 visitors in June and nothing in July.",
        ),
        Turn(
            user="By the way, can customers lock their bicycles there?",
            steps=(
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "search_places",
                            {"query": "bicycle parking", "radius_m": 300},
                            {"places": [{"name": "Corral at 15th Avenue", "racks": 12}]},
                            0.9,
                        ),
                    ),
                ),
                Step(RESEARCH, 0.8, says="Yes. The corral at 15th Avenue has 12 racks."),
            ),
            evidence="search_places gives a corral with 12 racks.",
        ),
    ),
)
