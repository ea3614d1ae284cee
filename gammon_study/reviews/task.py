"""Units of a review: some turns of a game, to be analyzed in a worker process.

A unit and its result are plain JSON values. An *item* is a decision about a double, or a roll with
its play, at a position given by its XGID. The choices of a match and the luck of its rolls follow
from the results of its units.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from gammon.base.store import Unit, are_numbers
from gammon.engine.cube import decision_terms
from gammon.engine.engine import Engine
from gammon.engine.luck import initiative_at, luck_at
from gammon.engine.question import Question
from gammon.eval.equity import Probabilities
from gammon.eval.evaluators import load_evaluator, search_networks
from gammon.formats.context import doubling_words
from gammon.formats.met_file import met_entry, met_of_entry
from gammon.formats.notation import format_play
from gammon.formats.position import Position
from gammon.rules.dice import outcome_of
from gammon.rules.match_equity import MatchEquityTable
from gammon.search import Stop
from gammon_study.match_files.transcript import ActionKind, GameTranscript, Transcript
from gammon_study.reviews.choice import (
    ALIKE,
    PLAYS_ALIKE,
    Choice,
    ChoiceKind,
    CubeValues,
    Luck,
    ReviewedPlay,
    counts_for_gnu,
    counts_without_double,
    cube_error,
    unit_cost,
)

#: Items of a unit by the depth of the search. A unit takes about a second, or one item takes longer.
_ITEMS = {1: 200, 3: 40, 5: 4, 7: 1, 9: 1}
#: The number of best plays of a roll with values of the full depth, beside the play that was made.
_TOP = 5
#: Equities that differ by less are equal.
_ROUNDING = 1e-9
#: The network that measures the luck of rolls.
_LUCKS = "leaf"


def items_of(game: GameTranscript) -> Iterator[dict[str, Any]]:
    """Yield the items of a game, each with the number of its action.

    Raises:
        FormatError: an action is against the rules.
        SettingError: the score or the cube is beyond the engine's limits.
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
    """Return the settings that all results of a review depend on, for `units_of`.

    Raises:
        SettingError: there is no such depth, level or seed.
        ModelError: there is no such network.
    """
    question = Question(depth=depth, level=level, seed=seed)
    games = {"level": question.level, "seed": question.seed} if question.level else {}
    known = {"model": model, "networks": search_networks(model, "leaf"), "met": met_entry(met)}
    return {"depth": question.depth, **games, **known}


def units_of(
    games: Sequence[GameTranscript], facts: dict[str, Any], known: Sequence[object] = ()
) -> list[Unit]:
    """Return the units of a review.

    Args:
        games: the games of the match.
        facts: the settings that all results depend on, from `review_facts`.
        known: for the items of all games, the results that are known, which need no unit; else None.
    """
    units: list[Unit] = []
    results = iter(known)
    size = 1 if "level" in facts else _ITEMS[facts["depth"]]
    for number, game in enumerate(games):
        items = [item for item in items_of(game) if next(results, None) is None]
        for begin in range(0, len(items), size):
            units.append({**facts, "game": number, "items": items[begin : begin + size]})
    return units


class _Judge:
    """The engines that judge the items of a unit.

    Args:
        unit: a unit of `units_of`.
        stop: ends the work when it is set.
    """

    def __init__(self, unit: Unit, stop: Stop | None) -> None:
        self.depth, self.met, self.stop = unit["depth"], met_of_entry(unit["met"]), stop
        self.engine, self.static = (
            Engine(model=unit["model"], met=self.met, level=level, seed=unit.get("seed", 1))
            for level in (unit.get("level", self.depth), 1)
        )
        self.lucks = load_evaluator(_LUCKS)

    def result(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return the result of an item."""
        if self.stop is not None:
            self.stop.check()
        return self._cube(item["cube"]) if "cube" in item else self._play(item)

    def _cube(self, xgid: str) -> dict[str, Any]:
        """Return the equities of the cube actions.

        A player who cannot gain by a double may double all the same; the value of the double is
        then the value of the position with the cube turned.
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
        """Return the best plays, the play that was made, its loss, and the number of legal plays."""
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
        loss = next(candidate.loss for candidate in analysis.candidates if candidate.named)
        loss = loss if loss > _ROUNDING else 0.0
        # A rollout's mean is comparable only with other rollouts' means.
        alike = analysis.candidates[0].rollout is None
        shown = [
            candidate
            for n, candidate in enumerate(analysis.candidates)
            if (n < _TOP or candidate.named) and (candidate.rollout is None) == alike
        ]
        return {
            "count": count,
            "plays": [
                [candidate.play.notation, candidate.equity, list(candidate.probabilities)]
                for candidate in shown
            ],
            "best": analysis.candidates[0].play.notation if loss else made,
            "loss": loss,
            "spread": float(np.ptp(static.equities)),
            "depth": analysis.depth,
        }

    def luck(self, items: Sequence[dict[str, Any]]) -> list[float]:
        """Return the luck of rolls, as chances to win the match or in points.

        The luck of a game's first roll includes who begins.
        """
        positions = [Position.parse(item["roll"]) for item in items]
        terms = [position.context.terms() for position in positions]
        lucks = luck_at(
            self.lucks,
            np.array([position.points for position in positions], np.int8),
            np.array([outcome_of(position.dice or (0, 0)) for position in positions], np.int64),
            terms,
            np.array([item["first"] for item in items], np.bool_),
            self.met,
        )
        return [
            float(luck) + (initiative_at(self.lucks, at, self.met) if item["first"] else 0.0)
            for luck, at, item in zip(lucks, terms, items, strict=True)
        ]


def review_unit(unit: Unit, stop: Stop | None = None) -> list[dict[str, Any]]:
    """Return the result of each item of a unit; for worker processes.

    Args:
        unit: a unit of `units_of`.
        stop: ends the work when it is set.

    Raises:
        UnfinishedError: the stop was set.
    """
    judge = _Judge(unit, stop)
    results = [judge.result(item) for item in unit["items"]]
    rolls = [place for place, item in enumerate(unit["items"]) if "roll" in item]
    if rolls:
        lucks = judge.luck([unit["items"][place] for place in rolls])
        for place, luck in zip(rolls, lucks, strict=True):
            results[place]["luck"] = luck
    return results


def fits(unit: Unit, result: Any) -> bool:
    """Return whether a result from a file can belong to a unit."""
    if not isinstance(result, list) or len(result) != len(unit["items"]):
        return False
    return all(map(_item_fits, unit["items"], result))


def _item_fits(item: dict[str, Any], result: Any) -> bool:
    wanted, lists = {"values", "best", "depth", "chances"}, {"values": 3, "chances": 5}
    if "roll" in item:
        wanted = {"count", "plays", "best", "loss", "spread", "depth", "luck"}
        lists = {}
    if not isinstance(result, dict) or result.keys() != wanted or type(result["best"]) is not str:
        return False
    numbers = [result[name] for name in wanted - {"best", "plays", *lists}]
    return (
        are_numbers(numbers, len(numbers))
        and all(are_numbers(result[name], count) for name, count in lists.items())
        and ("roll" not in item or _plays_fit(item["play"], result["plays"]))
    )


def _plays_fit(made: str, plays: Any) -> bool:
    """Return whether a list can be the plays of a result, including the play that was made."""
    return (
        type(plays) is list
        and all(type(play) is list and len(play) == 3 for play in plays)
        and all(type(play[0]) is str and are_numbers(play[1]) for play in plays)
        and all(are_numbers(play[2], 5) for play in plays)
        and made in [play[0] for play in plays]
    )


def made_of(
    transcript: Transcript, met: MatchEquityTable, results: Iterable[dict[str, Any] | None]
) -> tuple[tuple[Choice, ...], tuple[Luck, ...]]:
    """Return the choices and the luck from results, in order.

    Args:
        transcript: the match.
        met: the match equity table.
        results: the result of each item of all games (`items_of`), in order; None for an item that
            is not analyzed.

    Raises:
        ValueError: there are more or fewer results than items.
    """
    choices: list[Choice] = []
    lucks: list[Luck] = []
    items = [(n, item) for n, game in enumerate(transcript.games) for item in items_of(game)]
    for (game, item), result in zip(items, results, strict=True):
        if result is None:
            continue
        if "cube" in item:
            choices += _cube_choices(transcript, met, game, item, result)
        else:
            choice, luck = _play_choice(transcript, met, game, item, result)
            choices.append(choice)
            lucks.append(luck)
    return tuple(choices), tuple(lucks)


def cube_choice(
    kind: ChoiceKind, item: dict[str, Any], result: dict[str, Any], met: MatchEquityTable
) -> Choice:
    """Return a choice about the cube; its game and player are 0, for the caller to replace.

    Args:
        kind: the kind of the choice.
        item: an item of `items_of`; for an answer, the item of the double.
        result: the result of the item.
        met: the match equity table.
    """
    values, position = CubeValues(*result["values"]), Position.parse(item["cube"])
    taken, passed = values.double_take, values.double_pass
    xgid, best, counted, active = item["cube"], result["best"], True, True
    if kind is ChoiceKind.NO_DOUBLE:
        counted, active = counts_without_double(values), counts_for_gnu(values)
    elif kind is not ChoiceKind.DOUBLE:
        best = ChoiceKind.PASS.value if taken >= passed else ChoiceKind.TAKE.value
        counted = abs(taken - passed) >= ALIKE
        xgid = position.with_offer(True).xgid
    error, terms = cube_error(kind, values), position.context.terms()
    cost = error * unit_cost(terms, met)
    made_words, best = (doubling_words(action, terms.owner) for action in (kind.value, best))
    return Choice(
        0, item["action"], 0, kind, xgid, made_words, best, error, cost, counted, active,
        result["depth"], values, Probabilities(*result["chances"]), level=result.get("level", ""),
    )  # fmt: skip


def _cube_choices(
    transcript: Transcript, met: MatchEquityTable, game: int, item: dict[str, Any], result: dict[str, Any]
) -> Iterator[Choice]:
    """Yield the choice not to double, or the double and the answer."""
    number = item["action"]
    actions = transcript.games[game].actions
    side = actions[number].side
    if actions[number].kind is not ActionKind.DOUBLE:
        yield cube_choice(ChoiceKind.NO_DOUBLE, item, result, met)._replace(game=game, player=side)
        return
    yield cube_choice(ChoiceKind.DOUBLE, item, result, met)._replace(game=game, player=side)
    answer = actions[number + 1].kind if number + 1 < len(actions) else None
    kinds = {ActionKind.TAKE: ChoiceKind.TAKE, ActionKind.PASS: ChoiceKind.PASS}
    if answer in kinds:
        yield cube_choice(kinds[answer], item, result, met)._replace(
            game=game, action=number + 1, player=1 - side
        )


def play_choice(item: dict[str, Any], result: dict[str, Any], met: MatchEquityTable) -> Choice:
    """Return the choice of a play; its game and player are 0, for the caller to replace.

    Args:
        item: an item of `items_of`.
        result: the result of the item.
        met: the match equity table.
    """
    xgid, error = item["roll"], result["loss"]
    cost = error * unit_cost(Position.parse(xgid).context.terms(), met)
    plays = tuple(
        ReviewedPlay(play, value, Probabilities(*chances), *level)
        for play, value, chances, *level in result["plays"]
    )
    return Choice(
        0, item["action"], 0, ChoiceKind.PLAY, xgid, item["play"], result["best"], error, cost,
        max(error, result["spread"]) >= PLAYS_ALIKE, result["count"] > 1, result["depth"],
        plays=plays, level=next((play.level for play in plays if play.play == item["play"]), ""),
    )  # fmt: skip


def _play_choice(
    transcript: Transcript, met: MatchEquityTable, game: int, item: dict[str, Any], result: dict[str, Any]
) -> tuple[Choice, Luck]:
    """Return the choice of a play, and the luck of its roll."""
    number = item["action"]
    player = transcript.games[game].actions[number].side
    unit = unit_cost(Position.parse(item["roll"]).context.terms(), met)
    choice = play_choice(item, result, met)._replace(game=game, player=player)
    equity = result["luck"] / unit if unit else 0.0
    return choice, Luck(game, number, player, equity, result["luck"])
