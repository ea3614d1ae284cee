"""Who errs least in positions that games seldom reach? Our own study of families of positions.

Positions are drawn from the families of `gammon_lab.train.starts`, each with a roll. All plays of all
players are rolled out twice: by our games, and by bgsage's. Each rollout favours its own engine, so
the report shows both.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from gammon.base.store import Unit
from gammon.eval.evaluators import search_networks
from gammon.formats.gnubg_id import format_position_id, parse_position_id
from gammon.rules.board import Points
from gammon.rules.dice import N_ROLLS, PROBABILITIES, ROLLS
from gammon_lab.experiments.decision import (
    QUICK,
    ValuedPlay,
    answers_of_all,
    decide,
    decision_unit,
    rollout_words,
)
from gammon_lab.experiments.judge import SETTINGS, rating
from gammon_lab.experiments.study import Study
from gammon_lab.programs import Bgsage
from gammon_lab.report import Cell, Report, Sheet
from gammon_lab.train.starts import FAMILIES, draw_families
from gammon_study.library.judged_decisions import sorted_successors

_Looks = dict[str, tuple[str, ...]]
#: The players, by how far they look ahead.
_LOOKS: _Looks = {
    "static": ("depth=1", "gnubg=0", "bgsage=1"),
    "one-turn": ("depth=3", "gnubg=1", "bgsage=2"),
    "two-turns": ("depth=5", "gnubg=2", "bgsage=3"),
}
#: Decisions of each family. A larger number extends a study in its folder.
_COUNT = 16
#: The settings of our rollouts: the judge's, with fewer games, since more plays are rolled out.
_SETTINGS: Unit = SETTINGS | {
    "depth": 3,
    "rollout": SETTINGS["rollout"] | {"trials": 2592, "until_se": 0.006},
}
#: The level of bgsage for its rollouts, which are truncated, too.
_LEVEL = "truncated1"
#: The small version.
_QUICK_LOOKS: _Looks = {"static": ("depth=1", "depth=1,model=large"), "one-turn": ("depth=3",)}
_CHOICE_SEED = 12
#: The families of each row of the tables.
_ROWS: dict[str, set[str]] = {
    **{family: {family} for family in FAMILIES},
    "the ten back games": {family for family in FAMILIES if family.startswith("back game")},
    "all": {*FAMILIES},
}


class _Decision(NamedTuple):
    """A drawn position, a roll, and its family."""

    family: str
    points: Points
    outcome: int


class _Judged(NamedTuple):
    """A decision, and how much the players' plays give away by each judge.

    Attributes:
        family: its name.
        losses: by judge and player, in points.
    """

    family: str
    losses: dict[str, dict[str, float]]


def reproduce(study: Study) -> Report:
    """Draw decisions, ask the players, roll out their plays, and report who errs least.

    Raises:
        GammonError: the folder cannot be written, or another program does not start.
    """
    looks = _QUICK_LOOKS if study.quick else _LOOKS
    settings = _SETTINGS | QUICK if study.quick else _SETTINGS
    judges = ("gammon",) if study.quick else ("gammon", "bgsage")
    players = [name for names in looks.values() for name in names]
    decisions = _drawn(2 if study.quick else _COUNT)
    count = len(decisions) * len(players)
    part = study.part(0, count + len(decisions) * len(judges))
    answers = answers_of_all(part, [decision[1:] for decision in decisions], players)
    played = [{by_player[name].after for name in players} for by_player in answers]
    # If all players choose the same play, there is no loss, and nothing to roll out.
    apart = [number for number, plays in enumerate(played) if len(plays) > 1]
    split, plays = [decisions[n] for n in apart], [sorted(played[n]) for n in apart]
    total = count + len(apart) * len(judges)
    worths = {"gammon": _by_our_games(study.part(count, total), settings, split, plays)}
    if "bgsage" in judges:
        part = study.part(count + len(apart), total)
        rolled = [sorted(equities) for equities in worths["gammon"]]
        worths["bgsage"] = _by_games_of_bgsage(part, split, rolled)
    judged = [_Judged(decision.family, {}) for decision in decisions]
    for judge in judges:
        known = dict(zip(apart, worths[judge], strict=True))
        for number, by_player in enumerate(answers):
            worth = known.get(number, {})
            best = max(worth.values(), default=0.0)
            judged[number].losses[judge] = {
                name: best - worth.get(answer.after, best) for name, answer in by_player.items()
            }
    return _report(study.seed, looks, judges, settings, judged, len(apart))


def _drawn(count: int) -> list[_Decision]:
    """Return unforced decisions, `count` of each family, the families in turn."""
    random = np.random.default_rng(_CHOICE_SEED)
    drawn: dict[str, list[_Decision]] = {family: [] for family in FAMILIES}
    rows, families = draw_families(4 * count * len(FAMILIES), _CHOICE_SEED)
    for row, number in zip(rows.tolist(), families.tolist(), strict=True):
        outcome = int(random.choice(N_ROLLS, p=PROBABILITIES))
        mine = drawn[FAMILIES[number]]
        if len(mine) < count and len(sorted_successors(tuple(row), outcome)) > 1:
            mine.append(_Decision(FAMILIES[number], tuple(row), outcome))
    return [decision for turn in zip(*drawn.values(), strict=True) for decision in turn]


def _by_our_games(
    study: Study, settings: Unit, decisions: Sequence[_Decision], plays: Sequence[list[Points]]
) -> list[dict[Points, float]]:
    """Return by our rollouts the equities of each decision's plays, and of other close plays.

    The keys are the positions after a play, seen from the mover.
    """
    games = settings["rollout"] | {"seed": study.seed}
    known = settings | {"networks": search_networks(settings["model"]), "rollout": games}
    units = [
        decision_unit(decision.points, ROLLS[decision.outcome], mine, known)
        for decision, mine in zip(decisions, plays, strict=True)
    ]
    return [
        {play.after: play.rolled for play in ValuedPlay.listed(result) if play.rolled is not None}
        for result in study.run(decide, units, "units")
    ]


def _by_games_of_bgsage(
    study: Study, decisions: Sequence[_Decision], plays: Sequence[list[Points]]
) -> list[dict[Points, float]]:
    """Return by bgsage's rollouts the equities of each decision's plays, as `_by_our_games` does."""
    units = [
        worths_unit(decision.points, decision.outcome, _LEVEL, mine)
        for decision, mine in zip(decisions, plays, strict=True)
    ]
    results = study.run(worths_of_bgsage, units, "bgsage")
    return [dict(zip(mine, worths, strict=True)) for mine, worths in zip(plays, results, strict=True)]


@cache
def _bgsage() -> Bgsage:
    """Return bgsage in a process of its own, which ends with this one."""
    program = Bgsage()
    program.open()
    return program


def worths_unit(points: Points, outcome: int, level: str, plays: Sequence[Points]) -> Unit:
    """Return a unit for `worths_of_bgsage`, which asks bgsage for the equities of plays.

    Args:
        points: 26 counts, seen from the player on roll.
        outcome: the roll, 0..20.
        level: as for `Bgsage.worths`.
        plays: positions after legal plays, seen from the mover.
    """
    return {
        "position": format_position_id(points),
        "outcome": outcome,
        "level": level,
        "plays": [*map(format_position_id, plays)],
    }


def worths_of_bgsage(unit: Unit) -> list[float]:
    """Return the equities of a unit's plays by bgsage's rollouts."""
    plays = [parse_position_id(text) for text in unit["plays"]]
    roll = ROLLS[unit["outcome"]]
    return _bgsage().worths(parse_position_id(unit["position"]), roll, unit["level"], plays)


def _report(
    seed: int, looks: _Looks, judges: Sequence[str], settings: Unit, judged: Sequence[_Judged], apart: int
) -> Report:
    """Return the report: two tables for each look-ahead, one of families and one of the ten back games."""
    tables = []
    for look, players in looks.items():
        rows: dict[str, list[list[Cell]]] = {"families": [], "back-games": []}
        for name, families in _ROWS.items():
            some = [decision for decision in judged if decision.family in families]
            table = "back-games" if name.startswith("back game") else "families"
            for judge in judges:
                row: list[Cell] = [name, len(some), judge]
                for player in players:
                    row += rating([decision.losses[judge][player] for decision in some])
                rows[table].append(row)
        columns = [name for player in players for name in (player, "s.e.")]
        head = ["family", "decisions", "judge", *columns]
        for table, body in rows.items():
            tables.append(Sheet(f"{table}-{look}", f"PR by {table}, {look}", head, body))
    both = f" bgsage judges the same plays at its level {_LEVEL}, whose games are truncated, too."
    notes = [
        f"{len(judged)} unforced decisions in drawn positions, for money without cube. In "
        f"{apart} of them the players do not all play alike; there all that they play is "
        f"rolled out. {rollout_words(settings)}{both if 'bgsage' in judges else ''}",
        "PR is 500 times the mean loss in points, from the best of the plays that were rolled "
        f"out. The decisions are chosen by seed {_CHOICE_SEED}, our dice by seed {seed}.",
    ]
    return Report("Families of positions", tables, [], notes)
