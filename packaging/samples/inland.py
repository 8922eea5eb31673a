"""Washington and Idaho: a golden turn the run never reached, three agents, and state."""

from __future__ import annotations

from samples.story import INTAKE, RESEARCH, ROOT, Call, Conversation, Golden, Rubric, Step, Turn, hand_over

WINE = Conversation(
    "yakima_wine_002",
    (
        Turn(
            user="Is there room for one more wine bar in Yakima?",
            steps=(
                hand_over(ROOT, RESEARCH),
                Step(
                    RESEARCH,
                    0.9,
                    (
                        Call(
                            "search_places",
                            {"query": "wine bar", "radius_m": 2000},
                            {
                                "places": [
                                    {"name": "Ahtanum Cellar Bar", "rating": 4.4, "seats": 38},
                                    {"name": "Second Press", "rating": 4.1, "seats": 52},
                                ],
                                "summary": "Two wine bars in downtown Yakima.",
                            },
                            1.3,
                        ),
                        Call(
                            "get_events",
                            {"city": "Yakima", "month": "May"},
                            {"events": [{"name": "Spring Barrel Tasting", "visitors": 9000}]},
                            0.6,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.1,
                    says="Downtown Yakima has two wine bars: Ahtanum Cellar Bar with 38 seats and Second Press with "
                    "52 seats. The Spring Barrel Tasting in May brings 9,000 visitors.",
                ),
            ),
            golden=Golden(
                "There are two wine bars downtown, Ahtanum Cellar Bar (38 seats) and Second Press (52 seats). In May "
                "the Spring Barrel Tasting brings 9,000 visitors."
            ),
            evidence="search_places lists two bars with seats, get_events gives 9000 visitors.",
        ),
        Turn(
            user="What would I pay in rent on Yakima Avenue?",
            steps=(
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "get_rents",
                            {"area": "Yakima Avenue", "use": "bar"},
                            {"area": "Yakima Avenue", "rent": "17 USD per square foot a year", "vacant_units": 5},
                            0.5,
                        ),
                        Call(
                            "get_zoning",
                            {"area": "Yakima Avenue", "use": "bar"},
                            {"area": "Yakima Avenue", "permitted": True, "zone": "CBD"},
                            0.4,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    0.9,
                    says="On Yakima Avenue the rent is 17 USD per square foot a year, and 5 units are vacant. A bar "
                    "is permitted in this zone, CBD.",
                ),
            ),
            golden=Golden(
                "The rent on Yakima Avenue is 17 USD per square foot a year. 5 units are vacant, and a bar is "
                "permitted in the zone CBD."
            ),
            evidence="get_rents gives 17 and 5, get_zoning says permitted in zone CBD.",
        ),
        Turn(
            user="Then save that as a two-page report.",
            golden=Golden(
                "I saved a two-page report as R-2044.",
                steps=(
                    Step(
                        RESEARCH,
                        0.9,
                        (
                            Call(
                                "save_report",
                                {"title": "Yakima wine bar", "pages": 2},
                                {"report": "R-2044", "title": "Yakima wine bar", "pages": 2},
                            ),
                        ),
                    ),
                ),
            ),
        ),
    ),
)

BAKERY = Conversation(
    "tacoma_bakery_001",
    (
        Turn(
            user="My sister and I bake sourdough in Tacoma. We have no idea where to start.",
            steps=(
                hand_over(ROOT, INTAKE, 0.7),
                Step(
                    INTAKE,
                    0.8,
                    (
                        Call(
                            "parse_request",
                            {"business": "sourdough bakery", "city": "Tacoma"},
                            {"business": "sourdough bakery", "city": "Tacoma", "first_areas": ["Proctor", "Stadium"]},
                            0.1,
                        ),
                    ),
                ),
                hand_over(INTAKE, RESEARCH),
                Step(
                    RESEARCH,
                    0.9,
                    (
                        Call(
                            "get_foot_traffic",
                            {"area": "Proctor", "day": "weekend"},
                            {
                                "area": "Proctor",
                                "day": "weekend",
                                "visitors_per_day": 7100,
                                "note": "The farmers market is open on Saturdays.",
                            },
                            0.7,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.0,
                    says="I would start with Proctor: it has 7,100 visitors a day at the weekend. The farmers market "
                    "is open on Saturdays.",
                ),
            ),
            golden=Golden(
                "Proctor is the place to start: it has 7,100 visitors a day at the weekend and a farmers market on "
                "Saturdays."
            ),
            evidence="get_foot_traffic gives 7100 visitors and the market on Saturdays.",
        ),
        Turn(
            user="Can somebody check what we told you so far, and the bakery rules?",
            steps=(
                hand_over(RESEARCH, INTAKE),
                Step(
                    INTAKE,
                    0.7,
                    (
                        Call(
                            "parse_request",
                            {"business": "sourdough bakery", "city": "Tacoma"},
                            {"business": "sourdough bakery", "city": "Tacoma", "first_areas": ["Proctor", "Stadium"]},
                            0.1,
                        ),
                    ),
                ),
                hand_over(INTAKE, RESEARCH),
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "get_zoning",
                            {"area": "Proctor", "use": "bakery"},
                            {"area": "Proctor", "permitted": True, "oven_limit_kw": 40},
                            0.4,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    0.9,
                    says="You told us: a sourdough bakery in Tacoma. A bakery is permitted in Proctor, with ovens up "
                    "to a limit of 40 kW.",
                ),
            ),
            golden=Golden(
                "You want a sourdough bakery in Tacoma. In Proctor a bakery is permitted, with a limit of 40 kW for "
                "ovens."
            ),
            evidence="parse_request repeats the request, get_zoning permits a bakery up to 40 kW.",
        ),
    ),
)

GYM = Conversation(
    "boise_gym_001",
    (
        Turn(
            user="I plan a climbing gym in Boise. My budget is 4,500 USD a month.",
            steps=(
                hand_over(ROOT, RESEARCH),
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "remember",
                            {"key": "budget_usd_month", "value": "4500"},
                            {"saved": True, "state": {"city": "Boise", "budget_usd_month": "4500"}},
                            0.05,
                        ),
                        Call(
                            "get_rents",
                            {"area": "North End", "use": "gym"},
                            {"area": "North End", "rent": "4,200 USD a month", "ceiling": "6.5 m"},
                            0.5,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.0,
                    says="I noted your budget of 4,500 USD a month. A hall in the North End costs 4,200 USD a month "
                    "and has a ceiling of 6.5 m.",
                ),
            ),
            golden=Golden(
                "Your budget of 4,500 USD a month is noted. In the North End a hall costs 4,200 USD a month, with a "
                "ceiling of 6.5 m.",
                rubrics=(Rubric("repeats_budget", "The answer repeats the budget that the user named."),),
            ),
            evidence="remember kept 4500, get_rents gives 4200 USD a month and 6.5 m.",
        ),
        Turn(
            user="Put the North End on my shortlist.",
            steps=(
                Step(
                    RESEARCH,
                    0.7,
                    (
                        Call(
                            "remember",
                            {"key": "shortlist", "value": "North End"},
                            {
                                "saved": True,
                                "state": {"city": "Boise", "budget_usd_month": "4500", "shortlist": "North End"},
                            },
                            0.05,
                        ),
                    ),
                ),
                Step(RESEARCH, 0.8, says="The North End is on your shortlist now."),
            ),
            golden=Golden("Done: the North End is on your shortlist."),
            evidence="remember kept the shortlist.",
        ),
    ),
    start_state={"city": "Boise"},
    final_state={"city": "Boise", "budget_usd_month": "4500", "shortlist": "North End"},
)
