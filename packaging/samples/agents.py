"""The three agents of the story and the tools they declare."""

from __future__ import annotations

from msgspec import Struct

from samples.story import INTAKE, RESEARCH, ROOT, JsonObject

MODEL = "gemini-2.5-flash"
APP = "retail_location_assistant"
USER = "planner"


class Tool(Struct, frozen=True):
    """A tool declaration: a sentence, and its parameters with their JSON types."""

    name: str
    description: str
    parameters: dict[str, str]
    kind: str = "FunctionTool"

    def schema(self) -> JsonObject:
        """The parameters as a JSON schema."""
        properties: JsonObject = {name: {"type": kind} for name, kind in self.parameters.items()}
        return {"type": "object", "properties": properties, "required": list(self.parameters)}


class Agent(Struct, frozen=True):
    """One agent: what it is for, what it is told, what it can call."""

    name: str
    description: str
    instruction: str
    tools: tuple[Tool, ...]


TRANSFER = Tool(
    "transfer_to_agent",
    "Give the conversation to another agent.",
    {"agent_name": "string"},
    "TransferToAgentTool",
)

_RESEARCH_TOOLS = (
    TRANSFER,
    Tool("get_foot_traffic", "Visitors a day in an area.", {"area": "string", "day": "string"}),
    Tool("get_bike_counts", "Riders a day on the city's counters.", {"city": "string", "near": "string"}),
    Tool("get_rents", "Rents and vacancies of an area.", {"area": "string", "use": "string"}),
    Tool("search_places", "Places around the spot under discussion.", {"query": "string", "radius_m": "integer"}),
    Tool("get_transit_stops", "Stops of buses and trains in an area.", {"area": "string", "limit": "integer"}),
    Tool("get_walk_score", "How walkable an area is, 0 to 100.", {"area": "string"}),
    Tool("search_web", "Pages that mention the words.", {"query": "string"}),
    Tool("get_zoning", "What a zone permits.", {"area": "string", "use": "string"}),
    Tool("get_events", "Fairs and markets of a month.", {"city": "string", "month": "string"}),
    Tool("remember", "Keep a value for the rest of the conversation.", {"key": "string", "value": "string"}),
    Tool("save_report", "Save a summary and return its number.", {"title": "string", "pages": "integer"}),
)

AGENTS = {
    agent.name: agent
    for agent in (
        Agent(
            ROOT,
            "Greets shop owners and picks the right specialist.",
            "You help people who want to open or move a shop. Let IntakeAgent read a new request that is vague, "
            "and give questions about places, people and rents to MarketResearchAgent.",
            (TRANSFER,),
        ),
        Agent(
            INTAKE,
            "Turns a request into a business and a city.",
            "Find out what business is meant and in which city. Call parse_request once, then hand over.",
            (TRANSFER, Tool("parse_request", "Keep business and city.", {"business": "string", "city": "string"})),
        ),
        Agent(
            RESEARCH,
            "Answers questions about areas with figures from tools.",
            "Answer in one to five short sentences, in the user's language. Take every figure from a tool result "
            "and say plainly when a tool could not answer.",
            _RESEARCH_TOOLS,
        ),
    )
}


def tool_named(agent: str, name: str) -> Tool:
    """The declaration behind a call."""
    return next(tool for tool in AGENTS[agent].tools if tool.name == name)
