"""The engine as a player: it doubles, takes, plays, and answers resignations."""

from gammon.engine.bot import Bot
from gammon.engine.cube import CubeAnswer, decision_terms
from gammon.formats.position import Position
from gammon.rules.terms import HIGHEST_CUBE, Terms
from gammon_web import answers
from gammon_web.client import Client
from gammon_web.parameters import RESIGNED_POINTS
from gammon_web.position import position_json, won_by
from gammon_web.query import Query
from gammon_web.refusal import bad
from gammon_web.searches import engine_for


def turn(query: Query, client: Client) -> answers.Turn:
    """Answer `GET /turn`: the action of the engine in a position."""
    position = query.decision()
    terms = decision_terms(position)
    if position.dice is not None:
        return _play(query, position, client)
    if position.context.offer:
        return _answer(query, position, terms, client)
    if not Bot(engine_for(query)).doubles(position, client.stop):
        return {"action": "roll"}
    return {"action": "double", "position": position_json(position.with_offer(True))}


def _answer(query: Query, position: Position, terms: Terms, client: Client) -> answers.Turn:
    """Return the answer to a double. A double that cannot gain is taken."""
    if 2 * terms.cube > HIGHEST_CUBE:
        raise bad(f"a double beyond a cube of {HIGHEST_CUBE}", "id")
    answer = Bot(engine_for(query)).answer(position, client.stop)
    if answer is CubeAnswer.PASS:
        return {"action": "pass"}
    after = terms.doubled()
    if answer is CubeAnswer.BEAVER:
        if 4 * terms.cube <= HIGHEST_CUBE:
            after = after._replace(cube=4 * terms.cube)
        else:
            answer = CubeAnswer.TAKE
    beaver = answer is CubeAnswer.BEAVER
    position_entries = position_json(position.with_terms(after))
    return {"action": "beaver" if beaver else "take", "position": position_entries}


def _play(query: Query, position: Position, client: Client) -> answers.Turn:
    """Return the play of a roll."""
    assert position.dice is not None, "the position has a roll"
    play = Bot(engine_for(query)).play(position, position.dice, client.stop)
    return {
        "action": "play",
        "notation": play.notation,
        "steps": [(move.source, move.target) for move in play.moves],
        "xgid": play.position.xgid,
        "position": position_json(play.position),
    }


def resign(query: Query, client: Client) -> answers.Resigned:
    """Answer `GET /resign`: whether the engine accepts a resignation of the player on roll."""
    position, points = query.decision(), query.value(RESIGNED_POINTS)
    terms, engine = decision_terms(position), engine_for(query)
    accept = Bot(engine).accepts(position, points, client.stop)
    return {"accept": accept, "won": won_by(-position.context.on_roll, points, terms)}
