"""Positions for the page: the board, what is at stake, and the plays of a roll.

The steps of a roll are a graph of all legal plays, so that the page needs no rules.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from gammon.base.checks import is_whole
from gammon.base.errors import GammonError
from gammon.base.settings import Flag, OneOf
from gammon.formats.context import BOTTOM, Context
from gammon.formats.play import legal_plays
from gammon.formats.position import Position
from gammon.rules.board import Points, legal_moves
from gammon.rules.terms import HIGHEST_CUBE, Terms
from gammon.view.json_parts import terms_json
from gammon_web import answers
from gammon_web.query import Client, Query, read_dice, read_entry, read_flag, read_position
from gammon_web.refusal import Refusal, bad, refusal_of, shown


class Step(NamedTuple):
    """The move of one checker by one die.

    Attributes:
        source: the point of the checker; 25 is the bar.
        target: the point that it moves to; 0 is off.
        die: the die that is used.
        node: the node that the step leads to.
    """

    source: int
    target: int
    die: int
    node: int


class Steps(NamedTuple):
    """The graph of a roll.

    Attributes:
        nodes: the steps from each node; node 0 is before the first step. A node without steps is
            the end of a complete play.
        ends: the points at the nodes without steps, seen from the player who rolled.
    """

    nodes: list[list[Step]]
    ends: dict[int, Points]


#: A board, and the remaining dice.
_Place = tuple[Points, tuple[int, ...]]
#: A move by a die: source, target, die, and the place that it leads to.
_Move = tuple[int, int, int, _Place]


def steps_of(points: Points, dice: tuple[int, int]) -> Steps:
    """Return the graph of the steps of all legal plays.

    Args:
        points: 26 counts, seen from the player who rolled; the game is not over.
        dice: the roll, in any order.
    """

    @cache
    def moves(place: _Place) -> list[_Move]:
        board, left = place
        return [
            (move.source, move.target, die, (after, _without(left, die)))
            for die in dict.fromkeys(left)
            for move, after in legal_moves(board, die)
        ]

    @cache
    def longest(place: _Place) -> int:
        """Return how many dice can be played from a place."""
        return max((1 + longest(after) for *_, after in moves(place)), default=0)

    def full(place: _Place) -> list[_Move]:
        """Return the moves that begin a play of as many dice as possible."""
        legal = [move for move in moves(place) if longest(move[3]) == longest(place) - 1]
        if (
            place == first and longest(place) == 1
        ):  # if only one of two dice can be played, then the higher one if possible
            legal = [move for move in legal if move[2] == high] or legal
        return legal

    low, high = sorted(dice)
    first: _Place = points, (low,) * 4 if low == high else (low, high)
    nodes, places, numbers = [], [first], {first: 0}
    for place in places:  # the loop appends to the list
        node = []
        for source, target, die, after in full(place):
            if after not in numbers:
                numbers[after] = len(places)
                places.append(after)
            node.append(Step(source, target, die, numbers[after]))
        nodes.append(node)
    return Steps(nodes, {at: places[at][0] for at, node in enumerate(nodes) if not node})


def _without(left: tuple[int, ...], die: int) -> tuple[int, ...]:
    """Return the dice without one of them."""
    at = left.index(die)
    return left[:at] + left[at + 1 :]


def get(query: Query, client: Client) -> answers.Position:
    """Answer `GET /position`."""
    return position_json(query.position())


def post(query: Query, client: Client) -> answers.Position:
    """Answer `POST /position` for a pasted text, or for points, dice and terms."""
    body = query.json()
    for name in ("points", "terms", "turn", "doubled"):
        if "text" in body and name in body:
            raise bad(f"{name} with text: expected dice alone beside it", name)
    position = read_position(body["text"], "text") if "text" in body else _set_up(body)
    dice = read_dice(body.get("dice"))
    if dice is not None and body.get("doubled"):
        raise bad("dice with doubled: expected one of them", "dice")
    return position_json(position if dice is None else position.with_dice(dice))


def position_json(position: Position) -> answers.Position:
    """Return the JSON of a position: see docs/server.md.

    Raises:
        Refusal: no game has such terms.
    """
    try:
        terms = position.context.terms()
    except GammonError as error:
        refusal = refusal_of(error, "id")
        raise Refusal(refusal.status, "invalid_position", refusal.message, "id") from None
    dice, may = position.dice, _may_double(position, terms)
    taken, passed = _answered(position, terms)
    plays, steps, ends = _plays(position)
    return {
        "points": position.points,
        "dice": None if dice is None else f"{dice[0]}{dice[1]}",
        "xgid": position.xgid,
        "ogid": position.ogid,
        "position_id": position.position_id,
        "match_id": position.match_id,
        "terms": terms_json(terms),
        "pips": position.pips,
        "doubled": position.context.offer == "D",
        "turn": _seat(position.context.on_roll),
        "over": _over(position, terms),
        "may_double": may,
        "after_double": position.with_offer(True).xgid if may else None,
        "after_take": taken,
        "after_pass": passed,
        "plays": plays,
        "steps": steps,
        "ends": ends,
    }


def _over(position: Position, terms: Terms) -> answers.GameEnd | None:
    """Return the winner and the points; None if the game goes on."""
    if not position.is_over:
        return None
    import numpy as np

    from gammon.rules.outcome import points_of  # loads the kernels

    result = points_of(np.array(position.points, np.int8))
    seat = position.context.on_roll if result > 0 else -position.context.on_roll
    return won_by(seat, abs(result), terms)


def won_by(seat: int, points: int, terms: Terms) -> answers.GameEnd:
    """Return the end of a game that a seat wins by so many points, without the cube."""
    counted = terms.counted(points)
    return {"winner": _seat(seat), "points": counted, "scored": counted * terms.cube}


def _seat(seat: int) -> answers.Seat:
    return 1 if seat == BOTTOM else -1


def _may_double(position: Position, terms: Terms) -> bool:
    """Return whether the player on roll may double now."""
    started = position.dice or position.context.offer or position.is_over
    return terms.may_offer and not started


def _answered(position: Position, terms: Terms) -> tuple[str | None, answers.GameEnd | None]:
    """Return the XGID after a take, and the end of the game by a pass.

    Both are None if no double is on offer, or if it is one that cannot be.
    """
    if position.context.offer != "D" or terms.cube >= HIGHEST_CUBE or terms.crawford or terms.owner < 0:
        return None, None
    taken = position.with_terms(terms.doubled()).xgid
    return taken, won_by(position.context.on_roll, 1, terms)


def _plays(
    position: Position,
) -> tuple[list[answers.LegalPlay], list[list[Step]], dict[int, int]] | tuple[None, None, None]:
    """Return the plays of the position's roll, the steps to them, and the play at each last node."""
    dice = position.dice
    if dice is None or position.is_over:
        return None, None, None
    plays, steps = legal_plays(position, dice), steps_of(position.points, dice)
    number = {play.points: place for place, play in enumerate(plays)}
    legal: list[answers.LegalPlay] = [
        {"notation": play.notation, "points": play.points, "xgid": play.position.xgid} for play in plays
    ]
    return legal, steps.nodes, {node: number[points] for node, points in steps.ends.items()}


def _set_up(body: Mapping[str, Any]) -> Position:
    """Return a position that was set up by hand.

    Raises:
        Refusal: the points or the terms are invalid.
    """
    points, terms = body.get("points"), body.get("terms")
    turn, doubled = read_entry(body, "turn", OneOf((1, -1)), 1), read_flag(body, "doubled")
    if not isinstance(points, list) or not all(map(is_whole, points)):
        raise bad(f"points {shown(points)}: expected a list of 26 counts", "points")
    try:
        position = Position(tuple(points), Context(on_roll=turn))
    except GammonError as error:
        raise refusal_of(error, "points") from None
    try:
        position = position.with_terms(Terms() if terms is None else _terms(terms))
    except GammonError as error:
        raise refusal_of(error, "terms") from None
    return position.with_offer(True) if doubled else position


def _terms(terms: object) -> Terms:
    """Return the terms of an object of the schema Terms.

    Raises:
        Refusal, SettingError: no game has such terms.
    """
    names = Terms._fields[:-2]
    if not isinstance(terms, dict):
        raise bad(f"terms {shown(terms)}: expected an object", "terms")
    unknown = [name for name in terms if name not in names]
    if unknown:
        raise bad(f"terms {shown(unknown[0])}: expected {', '.join(names)}", "terms")
    values = {name: value for name, value in terms.items() if value is not None}
    if isinstance(values.get("away"), list):
        values["away"] = tuple(values["away"])
    for name in ("crawford", "jacoby", "beavers"):
        Flag().checked(name, values.get(name, False))
    return Terms(**values).checked()
