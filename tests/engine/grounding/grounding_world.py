"""What tools told in the examples: all of it invented here."""

from __future__ import annotations

from typing import Final

from trace_inspector.core.values.values import Json

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

HOTELS: Final[Json] = {
    "hotels": [
        {
            "name": "Hotel Aurora",
            "stars": 4,
            "price_per_night": {"amount": 129, "currency": "EUR"},
            "distance_to_center_m": 850,
            "amenities": ["pool", "gym", "free wifi"],
            "pets_allowed": False,
            "check_in": "15:00",
            "rating": 8.7,
            "reviews": 1243,
        },
        {
            "name": "Casa Verde",
            "stars": 3,
            "price_per_night": {"amount": 84.5, "currency": "EUR"},
            "distance_to_center_m": 2300,
            "amenities": ["garden", "parking"],
            "pets_allowed": True,
            "check_in": "14:00",
            "rating": 9.1,
            "reviews": 312,
        },
    ]
}
ACCOUNT: Final[Json] = {
    "account": {
        "id": "ACC-99817",
        "holder": "Maria Lindqvist",
        "balance": 10452.77,
        "currency": "SEK",
        "opened": "2018-11-02",
    },
    "transactions": [
        {"date": "2025-01-12", "merchant": "Kaffe AB", "amount": -54.0},
        {"date": "2025-01-14", "merchant": "SL Access", "amount": -970.0},
    ],
    "overdraft": None,
}
LEAFLET: Final[Json] = (
    "Adults may take 500 mg every 6 hours. Do not exceed 4 g per day. Not suitable for children under 12. "
    "Store below 25 °C. Side effects include nausea and dizziness in about 3% of patients."
)
MEETING: Final[Json] = {
    "events": [
        {
            "title": "Quarterly review",
            "start": "2025-09-18T14:00:00",
            "end": "2025-09-18T15:30:00",
            "attendees": ["Priya Nair", "Tom Okafor"],
            "room": "B-204",
        }
    ]
}
REPOSITORY: Final[Json] = {
    "full_name": "acme/rocket",
    "stargazers_count": 18234,
    "open_issues_count": 57,
    "license": {"name": "MIT License"},
    "default_branch": "main",
    "archived": False,
    "pushed_at": "2025-06-30T08:15:00Z",
    "language": "Rust",
}
MUSEUM: Final[Json] = {
    "text": "Das Museum ist montags geschlossen. Von Dienstag bis Sonntag öffnet es um 10 Uhr. "
    "Der Eintritt kostet 14 Euro, ermäßigt 7 Euro. Kinder unter 6 Jahren zahlen nichts. "
    "Fotografieren ist ohne Blitz erlaubt."
}
TRAIN: Final[Json] = {
    "texte": "Le train part à 14h05 de la voie 7. Le trajet dure 2 h 35. Le billet n'est pas remboursable. "
    "Une correspondance à Lyon Part-Dieu est nécessaire."
}
RESTAURANT: Final[Json] = {
    "texto": "El restaurante abre de martes a domingo. No aceptan tarjetas. El menú del día cuesta 16,50 €. "
    "Hay terraza y 45 plazas. El chef es Jordi Pons."
}
INN: Final[Json] = {
    "text": "チェックインは15時からです。朝食は7時から10時まで、料金は2,200円です。"
    "ペットは同伴できません。最寄り駅は渋谷駅で、徒歩5分です。"
}
RAILWAY: Final[Json] = {
    "text": "ट्रेन संख्या 12952 शाम 4:55 बजे नई दिल्ली से चलती है। किराया 2,860 रुपये है। "
    "भोजन शामिल है। बिना टिकट यात्रा की अनुमति नहीं है।"
}
RENTAL: Final[Json] = {
    "rental": {
        "id": "RNT-5521",
        "car": "Skoda Octavia",
        "doors": 5,
        "automatic": False,
        "daily_rate": {"amount": 47.5, "currency": "EUR"},
        "mileage_limit_km": 250,
        "pickup": {"place": "Porto Airport", "time": "2025-08-11T09:30"},
        "dropoff": {"place": "Lisbon Centre", "time": "2025-08-14T18:00"},
        "deposit_eur": 600,
        "insurance": {"included": True, "excess_eur": 1200},
    }
}
RECIPE: Final[Json] = (
    "Preheat the oven to 180 °C. Mix 250 g flour with 120 g sugar and 3 eggs. Bake for 35 to 40 minutes. "
    "Let it cool for ten minutes before slicing. Serves 8. Contains gluten and eggs; free of nuts."
)
JOBS: Final[Json] = {
    "jobs": [
        {
            "title": "Data Engineer",
            "company": "Northwind Labs",
            "location": "Remote",
            "salary_min": 65000,
            "salary_max": 80000,
            "currency": "EUR",
            "posted": "2025-05-02",
            "visa_sponsorship": False,
        },
        {
            "title": "ML Engineer",
            "company": "Helio AI",
            "location": "Berlin",
            "salary_min": 78000,
            "salary_max": 95000,
            "currency": "EUR",
            "posted": "2025-05-09",
            "visa_sponsorship": True,
        },
    ],
    "total": 2,
}
TICKET: Final[Json] = {
    "ticket": {
        "number": "INC0042117",
        "state": "In Progress",
        "priority": 2,
        "assignee": "Lena Fischer",
        "opened_at": "2025-02-17 08:41",
        "updates": ["Restarted the gateway", "Waiting for vendor reply"],
        "resolved_at": None,
    }
}
