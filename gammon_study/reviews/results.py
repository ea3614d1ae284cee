"""The choices of a match and the luck of its rolls, from the results of units."""

from collections.abc import Iterable, Iterator
from typing import Any

from gammon.eval.equity import Probabilities
from gammon.formats.context import doubling_words
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon_study.match_files.transcript import ActionKind, Transcript
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
from gammon_study.reviews.task import items_of


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
