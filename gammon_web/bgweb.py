"""bgweb-api's HTTP API, so that its clients work unchanged.

`POST /api/v1/getmoves` (https://github.com/foochu/bgweb-api). Each side counts its points from
its own home. As an extension, `depth` in the address sets the depth of the search.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from gammon.base.checks import is_whole
from gammon.engine.analysis import Candidate
from gammon.formats.position import Position
from gammon.rules.board import CHECKERS, OFF, OWN_BAR, SIZE
from gammon_web.foreign import Named, chances_json, chances_schema, entries_schema, list_schema, placed
from gammon_web.parameters import FLAG, NUMBER, TEXT, WHOLE
from gammon_web.query import Client, Query, read_flag, read_pair, read_whole
from gammon_web.refusal import bad, shown
from gammon_web.searches import engine_for

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


def getmoves(query: Query, client: Client) -> Annotated[list[dict[str, Any]], list_schema(MOVE.ref)]:
    """Answer `POST /api/v1/getmoves`: the legal plays, the best first."""
    body = query.json()
    position, dice = _position(body), read_pair(body, "dice", None, 1, 6)
    cubeful, scored = read_flag(body, "cubeful", False), read_flag(body, "score-moves", True)
    most = read_whole(body, "max-moves", 0, 0)
    engine = engine_for(query, cubeful=cubeful)
    candidates = engine.analyze(position, dice, max(10, min(most, 50)), stop=client.stop).candidates
    if not candidates[0].play.moves:
        return []
    return [_move(candidate, candidates[0], cubeful, scored) for candidate in candidates[: most or None]]


def _move(candidate: Candidate, best: Candidate, cubeful: bool, scored: bool) -> dict[str, Any]:
    """Return a play, with its evaluation if `scored` is true."""
    play = [
        {"from": _NAMES.get(source, str(source)), "to": _NAMES.get(target, str(target))}
        for source, target, _ in candidate.play.moves
    ]
    if not scored:
        return {"play": play}
    chances = chances_json("bgweb", candidate.probabilities)
    evaluation = {
        "info": {"cubeful": cubeful, "plies": (candidate.depth + 1) // 2},
        "eq": _rounded(candidate.equity),
        "diff": _rounded(min(candidate.equity - best.equity, 0.0)),
        "probability": {name: _rounded(chance) for name, chance in chances.items()},
    }
    return {"play": play, "evaluation": evaluation}


def _rounded(value: float) -> float:
    """Return a number rounded to three places."""
    return round(value, 3) + 0.0  # turns -0.0 into 0.0


def _position(body: Mapping[str, Any]) -> Position:
    """Return the position of a request, after a check that its game is not over."""
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
    """Return the checkers of a side by their places, numbered from that side."""
    checkers = board[side]
    if not isinstance(checkers, dict):
        raise bad(f"board.{side} {shown(checkers)}: expected an object", "board")
    for name, count in checkers.items():
        if name not in _PLACES or not is_whole(count, 0, CHECKERS):
            raise bad(
                f"board.{side} {shown(name)}: {shown(count)}: expected 1 to 24 or bar, and a "
                f"number from 0 to {CHECKERS}",
                "board",
            )
    return {_PLACES[name]: int(count) for name, count in checkers.items()}
