"""bgweb-api's HTTP API, so that its clients work unchanged.

`POST /api/v1/getmoves` (https://github.com/foochu/bgweb-api). Each side counts its points from
its own home. Beyond bgweb-api, `depth` in the address says how deep.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from gammon.base.checks import is_whole
from gammon.engine.analysis import Candidate
from gammon.formats.position import Position
from gammon.rules.board import CHECKERS, OFF, OWN_BAR, SIZE
from gammon_web.asked import Asked, read_flag, read_pair, read_whole
from gammon_web.client import Client
from gammon_web.engines import engine_for
from gammon_web.foreign import Named, chances_json, chances_schema, entries_schema, list_schema, placed
from gammon_web.parameters import FLAG, NUMBER, TEXT, WHOLE
from gammon_web.refusal import bad, shown

_PLACES = {"bar": OWN_BAR} | {str(point): point for point in range(1, OWN_BAR)}
_NAMES = {OWN_BAR: "bar", OFF: "off"}

_EVALUATION = {
    "info": entries_schema({"cubeful": FLAG, "plies": WHOLE}),
    "eq": NUMBER,
    "diff": NUMBER,
    "probability": entries_schema(chances_schema("bgweb")),
}
_MOVE = {
    "play": list_schema(entries_schema({"from": TEXT, "to": TEXT})),
    "evaluation": entries_schema(_EVALUATION),
}
MOVE = Named("BgwebMove", entries_schema(_MOVE, "evaluation"))


def getmoves(asked: Asked, client: Client) -> Annotated[list[dict[str, Any]], list_schema(MOVE.ref)]:
    """Answer `POST /api/v1/getmoves`: plays, the best one first; none where none is legal."""
    body = asked.json()
    position, dice = _position(body), read_pair(body, "dice", None, 1, 6)
    cubeful, scored = read_flag(body, "cubeful", False), read_flag(body, "score-moves", True)
    most = read_whole(body, "max-moves", 0, 0)
    engine = engine_for(asked, cubeful=cubeful)
    found = engine.analyze(position, dice, max(10, min(most, 50)), stop=client.stop).candidates
    if not found[0].play.moves:
        return []
    return [_move(each, found[0], cubeful, scored) for each in found[: most or None]]


def _move(one: Candidate, best: Candidate, cubeful: bool, scored: bool) -> dict[str, Any]:
    """Return a play, and what it is worth if that is wanted."""
    play = [
        {"from": _NAMES.get(source, str(source)), "to": _NAMES.get(target, str(target))}
        for source, target, _ in one.play.moves
    ]
    if not scored:
        return {"play": play}
    chances = chances_json("bgweb", one.probabilities)
    evaluation = {
        "info": {"cubeful": cubeful, "plies": (one.depth + 1) // 2},
        "eq": _rounded(one.equity),
        "diff": _rounded(min(one.equity - best.equity, 0.0)),
        "probability": {name: _rounded(chance) for name, chance in chances.items()},
    }
    return {"play": play, "evaluation": evaluation}


def _rounded(value: float) -> float:
    """Return a number with three places."""
    return round(value, 3) + 0.0  # no -0.0


def _position(body: Mapping[str, Any]) -> Position:
    """Return the position of a request, which is in play."""
    board, player = body.get("board"), body.get("player")
    if player not in ("x", "o"):
        raise bad(f"player {shown(player)}: expected 'x' or 'o'", "player")
    if not isinstance(board, dict) or not {"x", "o"} <= board.keys():
        raise bad(f"board {shown(board)}: expected an object of x and o", "board")
    points = [0] * SIZE
    for place, count in _side(board, player).items():
        points[place] += count
    for place, count in _side(board, "o" if player == "x" else "x").items():
        if count and points[OWN_BAR - place] > 0:
            raise bad(f"board: both sides stand on {player}'s {OWN_BAR - place} point", "board")
        points[OWN_BAR - place] -= count
    return placed(points, None, ("board", ""))


def _side(board: Mapping[str, Any], side: str) -> dict[int, int]:
    """Return the checkers of a side by their places, as that side counts them."""
    found = board[side]
    if not isinstance(found, dict):
        raise bad(f"board.{side} {shown(found)}: expected an object", "board")
    for name, count in found.items():
        if name not in _PLACES or not is_whole(count, 0, CHECKERS):
            raise bad(
                f"board.{side} {shown(name)}: {shown(count)}: expected 1 to 24 or bar, and a "
                f"number from 0 to {CHECKERS}",
                "board",
            )
    return {_PLACES[name]: int(count) for name, count in found.items()}
