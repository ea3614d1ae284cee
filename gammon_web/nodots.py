"""Nodots' engine protocol, version 1.

`/v1/move`, `/v1/double`, `/v1/take`, `/v1/resign` and `/v1/health`
(https://github.com/nodots/backgammon-engine-protocol).
"""

from collections.abc import Mapping
from typing import Annotated, Any

import gammon
from gammon.base.errors import GammonError
from gammon.base.settings import OneOf
from gammon.engine.analysis import Candidate
from gammon.engine.bot import certain_loss
from gammon.engine.cube import CubeAction, CubeAnswer, CubeDecision
from gammon.formats.gnubg_id import parse_position_id
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.rules.board import OFF, OWN_BAR, flipped
from gammon.rules.terms import HIGHEST_CUBE, LONGEST_MATCH, Terms
from gammon_web.foreign import Named, chances_json, chances_schema, entries_schema, list_schema, placed
from gammon_web.parameters import FLAG, NUMBER, TEXT, WHOLE, Schema
from gammon_web.query import Client, Query, read_entry, read_flag, read_pair, read_whole
from gammon_web.refusal import Refusal, bad, shown
from gammon_web.searches import engine_for

_COLOURS = ("white", "black")
_ORDERS = ("opponent-first", "on-roll-first")
_RESIGNATIONS = ("none", "single", "gammon", "backgammon")
_STEP: dict[str, Schema] = {
    "from": WHOLE,
    "to": WHOLE,
    "moveKind": {"enum": ["reenter", "bear-off", "point-to-point"]},
    "isHit": FLAG,
    "player": {"enum": [*_COLOURS]},
    "fromContainer": {"enum": ["bar", "point"]},
    "toContainer": {"enum": ["off", "point"]},
}
STEPS = Named("NodotsSteps", list_schema(entries_schema(_STEP)))
_EVALUATION = {**chances_schema("nodots"), "equity": NUMBER, "cubefulEquity": NUMBER}
_HINT = entries_schema(
    {
        "moves": STEPS.ref,
        "equity": NUMBER,
        "rank": WHOLE,
        "difference": NUMBER,
        "evaluation": entries_schema(_EVALUATION, "cubefulEquity"),
    }
)
MOVE = Named(
    "NodotsMove", entries_schema({"moves": STEPS.ref, "equity": NUMBER, "candidates": list_schema(_HINT)})
)
_OK, _PROTOCOL = {"enum": ["ok"]}, {"enum": ["1"]}
HEALTH = entries_schema(
    {"status": _OK, "engineName": TEXT, "engineVersion": TEXT, "protocolVersion": _PROTOCOL}
)


def _action_schema(*actions: str) -> Schema:
    return entries_schema({"action": {"enum": [*actions]}, "equity": NUMBER})


DOUBLE = _action_schema("double", "no-double", "too-good", "redouble")
_EQUITIES = "takeEquity", "dropEquity"
TAKE = entries_schema(
    {"action": {"enum": ["take", "drop", "beaver"]}, **dict.fromkeys(_EQUITIES, NUMBER)}, *_EQUITIES
)
RESIGN = _action_schema(*_RESIGNATIONS)


def health(query: Query, client: Client) -> Annotated[dict[str, str], HEALTH]:
    """Answer `GET /v1/health`."""
    return {
        "status": "ok",
        "engineName": "gammon",
        "engineVersion": gammon.__version__,
        "protocolVersion": "1",
    }


def move(query: Query, client: Client) -> Annotated[dict[str, Any], MOVE]:
    """Answer `POST /v1/move`: the best play, and all candidates."""
    body = query.json()
    dice = read_pair(body, "dice", None, 1, 6)
    position, colour = _position(body), _colour(body)
    candidates = engine_for(query).analyze(position, dice, stop=client.stop).candidates
    return {
        "moves": _steps(candidates[0].play, colour),
        "equity": candidates[0].equity,
        "candidates": [_hint(candidate, rank, colour) for rank, candidate in enumerate(candidates, 1)],
    }


def double(query: Query, client: Client) -> Annotated[dict[str, Any], DOUBLE]:
    """Answer `POST /v1/double`: whether the player on roll doubles."""
    decision = engine_for(query).cube(_position(query.json()), client.stop)
    action = {CubeAction.NO_DOUBLE: "no-double", CubeAction.TOO_GOOD: "too-good"}
    redouble = "redouble" if decision.terms.owner > 0 else "double"
    return {"action": action.get(decision.action, redouble), "equity": decision.equity}


def take(query: Query, client: Client) -> Annotated[dict[str, Any], TAKE]:
    """Answer `POST /v1/take`: whether the player on decision takes a double."""
    taker = _position(query.json())
    terms = taker.context.terms().for_opponent()
    doubler = taker.flipped().with_terms(terms).with_offer(True)
    decision: CubeDecision = engine_for(query).cube(doubler, client.stop)
    words = {CubeAnswer.PASS: "drop", CubeAnswer.BEAVER: "beaver"}
    answer = decision.answer
    decided: dict[str, Any] = {"action": "take" if answer is None else words.get(answer, "take")}
    if decision.double_take is not None and decision.double_pass is not None:
        decided["takeEquity"] = -decision.double_take.equity
        decided["dropEquity"] = -decision.double_pass.equity
    return decided


def resign(query: Query, client: Client) -> Annotated[dict[str, Any], RESIGN]:
    """Answer `POST /v1/resign`: resign only what is certainly lost."""
    decision = engine_for(query).cube(_position(query.json()), client.stop)
    action = _RESIGNATIONS[certain_loss(decision.probabilities)]
    return {"action": action, "equity": decision.equity}


def _steps(play: Play, colour: str) -> list[dict[str, Any]]:
    """Return the steps of a play; the bar and off are both 0, and their names distinguish them."""
    steps = []
    for source, target, hit in play.moves:
        enters, leaves = source == OWN_BAR, target == OFF
        steps.append(
            {
                "from": 0 if enters else source,
                "to": target,
                "moveKind": ("reenter" if enters else "bear-off" if leaves else "point-to-point"),
                "isHit": hit,
                "player": colour,
                "fromContainer": "bar" if enters else "point",
                "toContainer": "off" if leaves else "point",
            }
        )
    return steps


def _hint(candidate: Candidate, rank: int, colour: str) -> dict[str, Any]:
    """Return a play with its rank and its chances."""
    equities = {"equity": candidate.probabilities.equity, "cubefulEquity": candidate.equity}
    return {
        "moves": _steps(candidate.play, colour),
        "equity": candidate.equity,
        "rank": rank,
        "difference": 0.0 - candidate.loss,
        "evaluation": chances_json("nodots", candidate.probabilities) | equities,
    }


def _colour(body: Mapping[str, Any]) -> str:
    """Return the colour of the player on decision."""
    return str(read_entry(body, "activePlayerColor", OneOf(_COLOURS), _COLOURS[0]))


def _position(body: Mapping[str, Any]) -> Position:
    """Return the position of a request, seen from the player on decision; its game is not over."""
    text = body.get("positionId")
    order = read_entry(body, "positionIdConvention", OneOf(_ORDERS), _ORDERS[0])
    if not isinstance(text, str):
        raise bad(f"positionId {shown(text)}: expected a Position ID", "positionId")
    try:
        points = parse_position_id(text)
    except GammonError as error:
        raise bad(str(error), "positionId", "invalid_position_id") from None
    points = points if order == _ORDERS[0] else flipped(points)
    return placed(points, _terms(body), ("positionId", "matchScore"))


def _terms(body: Mapping[str, Any]) -> Terms:
    """Return what is at stake for the player on decision. A length of 0 or 1 means money."""
    colour = _colour(body)
    length, cube = read_whole(body, "matchLength", 0, 0), read_whole(body, "cubeValue", 1, 1)
    if length > LONGEST_MATCH:
        raise Refusal(501, "unsupported", "a match beyond 64", "matchLength")
    if cube > HIGHEST_CUBE:
        raise Refusal(501, "unsupported", "a cube beyond 64", "cubeValue")
    if cube.bit_count() != 1:
        raise bad(f"cubeValue {cube}: expected a power of 2", "cubeValue")
    owner = body.get("cubeOwner")
    if owner not in ((None, *_COLOURS) if cube == 1 else _COLOURS):
        centred = ", or null for a cube of 1"
        raise bad(f"cubeOwner {shown(owner)}: expected white or black{centred}", "cubeOwner")
    terms = Terms(cube=cube, owner=0 if owner is None else 1 if owner == colour else -1)
    if length <= 1:
        jacoby, beavers = read_flag(body, "jacoby"), read_flag(body, "beavers")
        return terms._replace(jacoby=jacoby, beavers=beavers)
    white, black = (length - points for points in read_pair(body, "matchScore", [0, 0], 0))
    away = (white, black) if colour == "white" else (black, white)
    return terms._replace(length=length, away=away, crawford=read_flag(body, "crawford"))
