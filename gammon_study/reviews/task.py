"""Units of a review: some turns of a game, and what the engine says of them.

A unit is plain JSON values, and so is its result. An *item* is a decision about a double, or a
roll with its play, at a position given by its XGID.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gammon.base.store import Unit, are_numbers
from gammon.engine.cube import decision_terms
from gammon.engine.engine import Engine
from gammon.engine.luck import initiative_at, luck_at
from gammon.engine.question import Question
from gammon.eval.evaluators import load_evaluator
from gammon.eval.model_file import network_id
from gammon.formats.met_file import met_entry, met_of_entry
from gammon.formats.notation import format_play
from gammon.formats.position import Position
from gammon.rules.dice import outcome_of
from gammon.rules.match_equity import MatchEquityTable
from gammon.search import Stop
from gammon_study.match_files.transcript import ActionKind, GameTranscript

#: Items of a unit by the depth, so that a unit takes a second or so.
_ITEMS = {1: 200, 3: 40, 5: 4, 7: 1}
#: The best plays of a roll that get exact values, beside the one that was made.
_TOP = 5
#: Equities that differ by less are equal.
_ROUNDING = 1e-9
#: The network that says how lucky a roll was.
_LUCKS = "leaf"


def items_of(game: GameTranscript) -> Iterator[dict[str, Any]]:
    """Yield the items of a game, each with the number of its action.

    Raises:
        FormatError: an action is against the rules.
        SettingError: the score or the cube is beyond what the engine plays.
    """
    before: ActionKind | None = None
    for number, (action, position, first) in enumerate(game.moments()):
        if action.kind is ActionKind.DOUBLE:
            yield {"action": number, "cube": position.xgid}
        elif action.kind is ActionKind.ROLL:
            undecided = before is not ActionKind.TAKE and not first
            terms = decision_terms(position)
            if undecided and terms.may_offer:
                yield {"action": number, "cube": position.with_dice(None).xgid}
            yield {"action": number, "roll": position.xgid, "play": format_play(action.moves), "first": first}
        before = action.kind


def review_facts(
    depth: int, model: str, met: MatchEquityTable, level: str | int | None = None, seed: int = 1
) -> dict[str, Any]:
    """Return what all results of a review depend on, as `units_of` takes it.

    Raises:
        SettingError: there is no such depth, level or seed.
        ModelError: there is no such network.
    """
    asked = Question(depth=depth, level=level, seed=seed)
    games = {"level": asked.level, "seed": asked.seed} if asked.level else {}
    networks = {name: network_id(name) for name in sorted({model, "leaf", "probe"})}
    known = {"model": model, "networks": networks, "met": met_entry(met)}
    return {"depth": asked.depth, **games, **known}


def units_of(games: Sequence[GameTranscript], facts: dict[str, Any]) -> list[Unit]:
    """Return the units of a review.

    Args:
        games: of the match.
        facts: what all results depend on.
    """
    units: list[Unit] = []
    size = 1 if "level" in facts else _ITEMS[facts["depth"]]
    for number, game in enumerate(games):
        items = list(items_of(game))
        for begin in range(0, len(items), size):
            units.append({**facts, "game": number, "items": items[begin : begin + size]})
    return units


class _Judge:
    """What judges the items of a unit.

    Args:
        unit: of `units_of`.
        stop: ends the work when it is set.
    """

    def __init__(self, unit: Unit, stop: Stop | None) -> None:
        self.depth, self.met, self.stop = unit["depth"], met_of_entry(unit["met"]), stop
        self.engine, self.static = (
            Engine(model=unit["model"], met=self.met, level=level, seed=unit.get("seed", 1))
            for level in (unit.get("level", self.depth), 1)
        )
        self.lucks = load_evaluator(_LUCKS)

    def found(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return what the engine says of an item."""
        if self.stop is not None:
            self.stop.check()
        return self._cube(item["cube"]) if "cube" in item else self._play(item)

    def _cube(self, xgid: str) -> dict[str, Any]:
        """Return the equities of the actions with the cube.

        A player who cannot gain by a double may double all the same; its value is then that of
        the position with the cube turned.
        """
        position = Position.parse(xgid)
        decision = self.engine.cube(position, self.stop)
        if decision.double_take:
            taken = decision.double_take.equity
        else:
            turned = position.with_terms(decision.terms.doubled())
            value = self.engine.evaluate(turned, self.stop)
            taken = 2.0 * value.equity
            if value.mwc is not None:
                taken = self.met.emg(value.mwc, decision.terms)
        return {
            "values": [decision.no_double.equity, taken, 1.0],
            "best": decision.action.value,
            "depth": decision.depth,
            "chances": list(decision.probabilities),
        }

    def _play(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return the best plays and the one that was made, how many there are, and its loss."""
        position = Position.parse(item["roll"])
        assert position.dice is not None, "a roll has dice"
        terms, made = position.context.terms(), item["play"]
        static = self.static.values_of_plays([position.points], [position.dice], terms)
        count = len(static.equities)
        if count == 1:
            only = [made, float(static.equities[0]), static.chances[0].tolist()]
            return {
                "count": 1,
                "plays": [only],
                "best": made,
                "loss": 0.0,
                "spread": 0.0,
                "depth": self.depth,
            }
        analysis = self.engine.analyze(position, position.dice, _TOP, plays=[made], stop=self.stop)
        loss = next(each.loss for each in analysis.candidates if each.named)
        loss = loss if loss > _ROUNDING else 0.0
        # The mean of games is compared with no other value.
        alike = analysis.candidates[0].games is None
        shown = [
            each
            for n, each in enumerate(analysis.candidates)
            if (n < _TOP or each.named) and (each.games is None) == alike
        ]
        return {
            "count": count,
            "plays": [[each.play.notation, each.equity, list(each.probabilities)] for each in shown],
            "best": analysis.candidates[0].play.notation if loss else made,
            "loss": loss,
            "spread": float(np.ptp(static.equities)),
            "depth": analysis.depth,
        }

    def luck(self, items: Sequence[dict[str, Any]]) -> list[float]:
        """Return the luck of rolls, as chances to win the match or in points.

        That of a game's first roll includes who begins.
        """
        positions = [Position.parse(item["roll"]) for item in items]
        terms = [position.context.terms() for position in positions]
        found = luck_at(
            self.lucks,
            np.array([position.points for position in positions], np.int8),
            np.array([outcome_of(each.dice or (0, 0)) for each in positions], np.int64),
            terms,
            np.array([item["first"] for item in items], np.bool_),
            self.met,
        )
        return [
            float(luck) + (initiative_at(self.lucks, at, self.met) if item["first"] else 0.0)
            for luck, at, item in zip(found, terms, items, strict=True)
        ]


def review_unit(unit: Unit, stop: Stop | None = None) -> list[dict[str, Any]]:
    """Return what the engine says of each item of a unit; for worker processes.

    Args:
        unit: of `units_of`.
        stop: ends the work when it is set.

    Raises:
        UnfinishedError: the stop was set.
    """
    judge = _Judge(unit, stop)
    found = [judge.found(item) for item in unit["items"]]
    rolls = [place for place, item in enumerate(unit["items"]) if "roll" in item]
    if rolls:
        lucks = judge.luck([unit["items"][place] for place in rolls])
        for place, luck in zip(rolls, lucks, strict=True):
            found[place]["luck"] = luck
    return found


def fits(unit: Unit, result: Any) -> bool:
    """Tell whether what a file says of a unit can be its result."""
    if not isinstance(result, list) or len(result) != len(unit["items"]):
        return False
    return all(map(_item_fits, unit["items"], result))


def _item_fits(item: dict[str, Any], found: Any) -> bool:
    wanted, lists = {"values", "best", "depth", "chances"}, {"values": 3, "chances": 5}
    if "roll" in item:
        wanted = {"count", "plays", "best", "loss", "spread", "depth", "luck"}
        lists = {}
    if not isinstance(found, dict) or found.keys() != wanted or type(found["best"]) is not str:
        return False
    numbers = [found[name] for name in wanted - {"best", "plays", *lists}]
    return (
        are_numbers(numbers, len(numbers))
        and all(are_numbers(found[name], count) for name, count in lists.items())
        and ("roll" not in item or _plays_fit(item["play"], found["plays"]))
    )


def _plays_fit(made: str, plays: Any) -> bool:
    """Tell whether these can be plays, with the one that was made."""
    return (
        type(plays) is list
        and all(type(each) is list and len(each) == 3 for each in plays)
        and all(type(each[0]) is str and are_numbers(each[1]) for each in plays)
        and all(are_numbers(each[2], 5) for each in plays)
        and made in [each[0] for each in plays]
    )
