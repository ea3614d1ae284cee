"""wildbg's HTTP API, so that its clients work unchanged.

`GET /move` and `GET /eval` of wildbg 0.3 (https://github.com/carsten-wenderdel/wildbg). Points `p0`
to `p25` are gammon's points by index. As extensions, `depth` sets the depth of the search, and
`x_away`, `o_away` and `crawford` may be any score.
"""

from typing import Annotated, Any

from gammon.engine.cube import CubeAction, CubeAnswer
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from gammon_web.foreign import Named, chances_json, chances_schema, entries_schema, list_schema, placed
from gammon_web.parameters import AWAY, CRAWFORD, DICE, FLAG, NUMBER, POINTS, WHOLE, Parameter
from gammon_web.query import Client, Query
from gammon_web.refusal import bad
from gammon_web.searches import engine_for

PROBABILITIES = Named("WildbgProbabilities", entries_schema(chances_schema("wildbg")))
_MOVES = {"type": "array", "maxItems": 4, "items": entries_schema({"from": WHOLE, "to": WHOLE})}
_PLAY = entries_schema({"play": _MOVES, "probabilities": PROBABILITIES.ref})
MOVES = Named("WildbgMoves", entries_schema({"moves": list_schema(_PLAY)}))
_EQUITIES = "cubelessEquity", "equityCubeless", "equityNoDouble", "equityDoubleTake"
_CUBE = entries_schema({"double": FLAG, "accept": FLAG, **dict.fromkeys(_EQUITIES, NUMBER)}, *_EQUITIES)
EVALUATION = Named("WildbgEvaluation", entries_schema({"cube": _CUBE, "probabilities": PROBABILITIES.ref}))


def move(query: Query, client: Client) -> Annotated[dict[str, Any], MOVES]:
    """Answer `GET /move`: all plays, the best first."""
    dice = _die(query, DICE[0]), _die(query, DICE[1])
    position = _position(query)
    analysis = engine_for(query).analyze(position, dice, stop=client.stop)
    return {
        "moves": [
            {
                "play": [{"from": step.source, "to": step.target} for step in candidate.play.moves],
                "probabilities": chances_json("wildbg", candidate.probabilities),
            }
            for candidate in analysis.candidates
        ]
    }


def evaluate(query: Query, client: Client) -> Annotated[dict[str, Any], EVALUATION]:
    """Answer `GET /eval`: the chances before the roll, and the decisions about the cube."""
    decision = engine_for(query).cube(_position(query), client.stop)
    taken = decision.double_take
    cube = {
        "double": decision.action is CubeAction.DOUBLE,
        "accept": decision.answer is not CubeAnswer.PASS,
        "cubelessEquity": decision.probabilities.equity,
        "equityCubeless": decision.probabilities.equity,
        "equityNoDouble": decision.no_double.equity,
    }
    if taken is not None:
        cube["equityDoubleTake"] = taken.equity
    return {"cube": cube, "probabilities": chances_json("wildbg", decision.probabilities)}


def _die(query: Query, parameter: Parameter) -> int:
    """Return a die."""
    if not query.has(parameter):
        raise bad(f"no {parameter.name}: expected a number from 1 to 6", parameter.name)
    return int(query.value(parameter))


def _position(query: Query) -> Position:
    """Return the position of the parameters, after a check that its game is not over."""
    points = [query.value(parameter) for parameter in POINTS]
    away = query.value(AWAY[0]), query.value(AWAY[1])
    for parameter, points_away in zip(AWAY, away, strict=True):
        if any(away) and not points_away:
            name = parameter.name
            raise bad(f"no {name}: expected the points that each side needs", name)
    crawford = query.value(CRAWFORD)
    if crawford and not any(away):
        raise bad("crawford without a score: expected x_away and o_away", "crawford")
    terms = Terms(max(away), away, crawford) if any(away) else None
    return placed(points, terms, (None, "x_away"))
