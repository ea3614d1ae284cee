"""wildbg's HTTP API, so that its clients work unchanged.

`GET /move` and `GET /eval`, as wildbg 0.3 has them (https://github.com/carsten-wenderdel/wildbg).
Points `p0` to `p25` are gammon's points by index. Beyond wildbg, `depth` says how deep, and
`x_away`, `o_away` and `crawford` may be any score.
"""

from typing import Any

from gammon.engine.cube import CubeAction, CubeAnswer
from gammon.formats.position import Position
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.terms import LONGEST_MATCH, Terms
from gammon_web.asked import Asked
from gammon_web.client import Client
from gammon_web.engines import engine_for
from gammon_web.foreign import chances_json, placed
from gammon_web.refusal import bad


def move(asked: Asked, client: Client) -> dict[str, Any]:
    """Answer `GET /move`: all plays, the best one first."""
    dice = _die(asked, "die1"), _die(asked, "die2")
    position = _position(asked)
    found = engine_for(asked).analyze(position, dice, stop=client.stop)
    return {
        "moves": [
            {
                "play": [{"from": each.source, "to": each.target} for each in one.play.moves],
                "probabilities": chances_json("wildbg", one.probabilities),
            }
            for one in found.candidates
        ]
    }


def evaluate(asked: Asked, client: Client) -> dict[str, Any]:
    """Answer `GET /eval`: the chances before the roll, and the decisions about the cube."""
    decision = engine_for(asked).cube(_position(asked), client.stop)
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


def _die(asked: Asked, name: str) -> int:
    """Return a die."""
    if asked.text(name) is None:
        raise bad(f"no {name}: expected a number from 1 to 6", name)
    return asked.whole(name, 0, 1, 6)


def _position(asked: Asked) -> Position:
    """Return the position of the parameters, which is in play."""
    points = [asked.whole(f"p{at}", 0, -CHECKERS, CHECKERS) for at in range(SIZE)]
    away = (
        asked.whole("x_away", 0, 0, LONGEST_MATCH),
        asked.whole("o_away", 0, 0, LONGEST_MATCH),
    )
    for name, points_away in zip(("x_away", "o_away"), away, strict=True):
        if any(away) and not points_away:
            raise bad(f"no {name}: expected the points that each side needs", name)
    crawford = asked.flag("crawford")
    if crawford and not any(away):
        raise bad("crawford without a score: expected x_away and o_away", "crawford")
    terms = Terms(max(away), away, crawford) if any(away) else None
    return placed(points, terms, (None, "x_away"))
