"""The stakes of a game, as plain JSON values."""

from typing import Any

from gammon.rules.terms import Terms

__all__ = ["stakes_json"]


def stakes_json(terms: Terms) -> dict[str, Any]:
    """Return what is at stake for the player on roll; `owner` is 1 for that player."""
    return {
        "length": terms.length,
        "away": list(terms.away),
        "crawford": terms.crawford,
        "cube": terms.cube,
        "owner": terms.owner,
        "jacoby": terms.jacoby,
        "beavers": terms.beavers,
    }
