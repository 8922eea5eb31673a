"""A turn that thinks aloud, a tool that fails, and a conversation in German and Spanish."""

from __future__ import annotations

from samples.story import RESEARCH, ROOT, Call, Conversation, Golden, Rubric, Step, Turn, hand_over

DELI = Conversation(
    "olympia_deli_001",
    (
        Turn(
            user="Downtown Olympia or the Westside for a deli? I live from office lunches.",
            steps=(
                hand_over(ROOT, RESEARCH),
                Step(
                    RESEARCH,
                    1.6,
                    (
                        Call(
                            "get_foot_traffic",
                            {"area": "Downtown Olympia", "day": "weekday"},
                            {"area": "Downtown Olympia", "day": "weekday", "visitors_per_day": 8800},
                            0.7,
                        ),
                        Call(
                            "get_foot_traffic",
                            {"area": "Westside", "day": "weekday"},
                            {"area": "Westside", "day": "weekday", "visitors_per_day": 5200},
                            0.6,
                        ),
                    ),
                    thought="Office lunches mean weekdays, so weekend figures would mislead. I need the same figure "
                    "for both areas, otherwise the comparison is worth nothing.",
                ),
                Step(
                    RESEARCH,
                    1.3,
                    says="For office lunches I would choose Downtown Olympia: it has 8,800 visitors a day on "
                    "weekdays. The Westside has 5,200 visitors a day.",
                    thought="8,800 against 5,200 on weekdays. Say the choice first, then both figures.",
                ),
            ),
            golden=Golden(
                "Downtown Olympia is better for office lunches: it has 8,800 visitors a day on weekdays and the "
                "Westside has 5,200."
            ),
            evidence="get_foot_traffic gives 8800 and 5200 for weekdays.",
        ),
        Turn(
            user="What if I also sell at the farmers market?",
            steps=(
                Step(
                    RESEARCH,
                    1.2,
                    (
                        Call(
                            "get_events",
                            {"city": "Olympia", "month": "May"},
                            {
                                "events": [
                                    {"name": "Olympia Farmers Market", "days": "Thursday to Sunday", "stalls": 100}
                                ]
                            },
                            0.6,
                        ),
                        Call(
                            "get_transit_stops",
                            {"area": "Downtown Olympia", "limit": 2},
                            {
                                "stops": [
                                    {"name": "Farmers Market", "line": "21"},
                                    {"name": "State Avenue", "line": "21"},
                                ]
                            },
                            0.8,
                        ),
                    ),
                    thought="The market is in May already. Its days matter, because a deli is open on weekdays.",
                ),
                Step(
                    RESEARCH,
                    1.0,
                    says="The Olympia Farmers Market is open from Thursday to Sunday and has 100 stalls. Bus line 21 "
                    "stops at the Farmers Market.",
                ),
            ),
            golden=Golden(
                "The Olympia Farmers Market has 100 stalls and is open Thursday to Sunday; bus line 21 stops there."
            ),
            evidence="get_events gives days and stalls, get_transit_stops line 21.",
        ),
    ),
)

FLORIST = Conversation(
    "spokane_florist_001",
    (
        Turn(
            user="I am a florist in Spokane. How busy is Perry Street on weekdays?",
            steps=(
                hand_over(ROOT, RESEARCH),
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "get_foot_traffic",
                            {"area": "Perry Street", "day": "weekday"},
                            {"area": "Perry Street", "day": "weekday", "visitors_per_day": 3900},
                            0.7,
                        ),
                        Call(
                            "search_places",
                            {"query": "florist", "radius_m": 1500},
                            {
                                "places": [{"name": "Stem and Thorn", "distance_m": 1300}],
                                "summary": "One florist within 1500 m.",
                            },
                            1.0,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.0,
                    says="Perry Street has 3,900 visitors a day on weekdays. One florist is within 1,500 m: Stem and "
                    "Thorn.",
                ),
            ),
            golden=Golden(
                "On weekdays Perry Street gets 3,900 visitors a day. The only florist within 1,500 m is Stem and "
                "Thorn."
            ),
            evidence="get_foot_traffic gives 3900 visitors, search_places one florist.",
        ),
        Turn(
            user="And the rent?",
            steps=(
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "get_rents",
                            {"area": "Perry Street", "use": "retail"},
                            {"error": "The rent service did not answer within 10 seconds."},
                            10.0,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    0.7,
                    (
                        Call(
                            "search_web",
                            {"query": "Perry Street Spokane retail rent"},
                            {
                                "pages": [
                                    {"title": "To let", "text": "Perry Street, shop, 16 USD per square foot a year."}
                                ]
                            },
                            0.6,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.1,
                    says="The rent service did not answer. A page offers a shop on Perry Street for 16 USD per "
                    "square foot a year.",
                ),
            ),
            golden=Golden(
                "The rent service did not answer, but a page offers a shop on Perry Street for 16 USD per square "
                "foot a year."
            ),
            evidence="get_rents failed; search_web found a shop for 16 USD per square foot.",
        ),
    ),
)

CAFE = Conversation(
    "freiburg_cafe_001",
    (
        Turn(
            user="Ich möchte in Freiburg ein kleines Café eröffnen. Wie belebt ist die Wiehre am Wochenende?",
            steps=(
                hand_over(ROOT, RESEARCH),
                Step(
                    RESEARCH,
                    0.9,
                    (
                        Call(
                            "get_foot_traffic",
                            {"area": "Wiehre", "day": "Wochenende"},
                            {
                                "area": "Wiehre",
                                "day": "Wochenende",
                                "besucher_pro_tag": 6400,
                                "hinweis": "Der Markt am Alten Wiehrebahnhof ist samstags geöffnet.",
                            },
                            0.7,
                        ),
                        Call(
                            "get_rents",
                            {"area": "Wiehre", "use": "Café"},
                            {"area": "Wiehre", "miete": "19 EUR pro m2", "freie_flächen": 2},
                            0.5,
                        ),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.1,
                    says="Die Wiehre hat am Wochenende 6400 Besucher pro Tag. Der Markt am Alten Wiehrebahnhof ist "
                    "samstags geöffnet. Freie Flächen kosten 19 EUR pro m2.",
                ),
            ),
            golden=Golden(
                "Am Wochenende hat die Wiehre 6400 Besucher pro Tag, und samstags ist der Markt am Alten "
                "Wiehrebahnhof geöffnet. Freie Flächen kosten 19 EUR pro m2."
            ),
            evidence="get_foot_traffic nennt 6400 Besucher und den Markt, get_rents 19 EUR.",
        ),
        Turn(
            user="Mi socia solo habla español: ¿cuántas cafeterías hay ya en el barrio?",
            steps=(
                Step(
                    RESEARCH,
                    0.8,
                    (
                        Call(
                            "search_places",
                            {"query": "cafetería", "radius_m": 800},
                            {
                                "places": [
                                    {"name": "Goetheplatz Kaffee"},
                                    {"name": "Café Lerche"},
                                    {"name": "Schwarzwaldmädel"},
                                ],
                                "resumen": "Hay 3 cafeterías en el barrio, a menos de 800 m.",
                            },
                            1.0,
                        ),
                        Call("get_walk_score", {"area": "Wiehre"}, {"area": "Wiehre", "walk_score": 91}, 0.4),
                    ),
                ),
                Step(
                    RESEARCH,
                    1.0,
                    says="Hay 3 cafeterías en el barrio, a menos de 800 m: Goetheplatz Kaffee, Café Lerche y "
                    "Schwarzwaldmädel.",
                ),
            ),
            golden=Golden(
                "Ya hay 3 cafeterías en el barrio: Goetheplatz Kaffee, Café Lerche y Schwarzwaldmädel, todas a menos "
                "de 800 m."
            ),
            evidence="search_places da 3 cafeterías con sus nombres.",
        ),
    ),
    rubrics=(Rubric("answers_in_users_language", "The answer is in the language of the user's last message."),),
)
