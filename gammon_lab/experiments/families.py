"""Who errs least where games seldom lead? Our own study of families of positions.

Positions are drawn from the families of `gammon.train.families`, with a roll. All plays that
some player makes are rolled out twice: by our games, and by bgsage's. Each leans to its own
engine, so both are shown.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from gammon.base.store import Unit
from gammon.eval.model_file import network_id
from gammon.formats.position_id import format_position_id, parse_position_id
from gammon.rules.board import Points
from gammon.rules.dice import N_ROLLS, PROBABILITIES, ROLLS
from gammon.train.families import FAMILIES, draw_families
from gammon_lab.experiments.asked import answers_of_all
from gammon_lab.experiments.decision import QUICK, ValuedPlay, decide, decision_unit, rollout_words
from gammon_lab.experiments.judge import SETTINGS, rating
from gammon_lab.experiments.study import Study
from gammon_lab.programs import Bgsage
from gammon_lab.reports.report import Cell, Report, Sheet
from gammon_study.library.reference import sorted_successors

_Looks = dict[str, tuple[str, ...]]
#: The players, by how far they look.
_LOOKS: _Looks = {
    "static": ("depth=1", "gnubg=0", "bgsage=1"),
    "one-turn": ("depth=3", "gnubg=1", "bgsage=2"),
    "two-turns": ("depth=5", "gnubg=2", "bgsage=3"),
}
#: Decisions of each family. More of them extend a study in its folder.
_COUNT = 16
#: How our games are played: those of the judge, fewer, as more plays have some.
_SETTINGS: Unit = SETTINGS | {
    "depth": 3,
    "rollout": SETTINGS["rollout"] | {"trials": 2592, "until_se": 0.006},
}
#: The level of bgsage that plays games; they are truncated, too.
_LEVEL = "truncated1"
#: The small version.
_QUICK_LOOKS: _Looks = {"static": ("depth=1", "depth=1,model=large"), "one-turn": ("depth=3",)}
_CHOICE_SEED = 12
#: Rows for several families.
_GROUPS: dict[str, Callable[[str], bool]] = {
    "the ten back games": lambda family: family.startswith("back game"),
    "all": lambda family: True,
}


class _Decision(NamedTuple):
    """A drawn position, a roll, and its family."""

    family: str
    points: Points
    outcome: int


class _Judged(NamedTuple):
    """A decision, and what each judge says that the players' plays give away.

    Attributes:
        family: its name.
        losses: by judge and player, in points.
    """

    family: str
    losses: dict[str, dict[str, float]]


def reproduce(study: Study) -> Report:
    """Draw decisions, ask the players, roll their plays out, and return who errs least.

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
    answers = answers_of_all(part, [each[1:] for each in decisions], players)
    made = [{each[name].after for name in players} for each in answers]
    # Where all play alike nobody gives anything away, and nothing is rolled out.
    apart = [number for number, plays in enumerate(made) if len(plays) > 1]
    split, plays = [decisions[n] for n in apart], [sorted(made[n]) for n in apart]
    total = count + len(apart) * len(judges)
    worths = {"gammon": _by_our_games(study.part(count, total), settings, split, plays)}
    if "bgsage" in judges:
        part = study.part(count + len(apart), total)
        rolled = [sorted(each) for each in worths["gammon"]]
        worths["bgsage"] = _by_games_of_bgsage(part, split, rolled)
    judged = [_Judged(each.family, {}) for each in decisions]
    for judge in judges:
        known = dict(zip(apart, worths[judge], strict=True))
        for number, each in enumerate(answers):
            worth = known.get(number, {})
            best = max(worth.values(), default=0.0)
            judged[number].losses[judge] = {
                name: best - worth.get(answer.after, best) for name, answer in each.items()
            }
    return _report(study.seed, looks, judges, settings, judged, len(apart))


def _drawn(count: int) -> list[_Decision]:
    """Return unforced decisions of all families in turn, `count` of each."""
    random = np.random.default_rng(_CHOICE_SEED)
    found: dict[str, list[_Decision]] = {family: [] for family in FAMILIES}
    rows, families = draw_families(4 * count * len(FAMILIES), _CHOICE_SEED)
    for row, number in zip(rows.tolist(), families.tolist(), strict=True):
        outcome = int(random.choice(N_ROLLS, p=PROBABILITIES))
        mine = found[FAMILIES[number]]
        if len(mine) < count and len(sorted_successors(tuple(row), outcome)) > 1:
            mine.append(_Decision(FAMILIES[number], tuple(row), outcome))
    return [each for turn in zip(*found.values(), strict=True) for each in turn]


def _by_our_games(
    study: Study, settings: Unit, decisions: Sequence[_Decision], plays: Sequence[list[Points]]
) -> list[dict[Points, float]]:
    """Return the equities of each decision's plays, and of what else is close to the best.

    They are by the position after a play, seen from the mover.
    """
    games = settings["rollout"] | {"seed": study.seed}
    known = settings | {"network": network_id(settings["model"]), "rollout": games}
    units = [
        decision_unit(each.points, ROLLS[each.outcome], mine, known)
        for each, mine in zip(decisions, plays, strict=True)
    ]
    return [
        {each.after: each.rolled for each in ValuedPlay.listed(found) if each.rolled is not None}
        for found in study.run(decide, units, "units")
    ]


def _by_games_of_bgsage(
    study: Study, decisions: Sequence[_Decision], plays: Sequence[list[Points]]
) -> list[dict[Points, float]]:
    """Return the equities of each decision's plays, as `_by_our_games` does."""
    units = [
        worths_unit(each.points, each.outcome, _LEVEL, mine)
        for each, mine in zip(decisions, plays, strict=True)
    ]
    found = study.run(worths_of_bgsage, units, "bgsage")
    return [dict(zip(mine, worths, strict=True)) for mine, worths in zip(plays, found, strict=True)]


@cache
def _bgsage() -> Bgsage:
    """Return bgsage in a process of its own, which ends with this one."""
    program = Bgsage()
    program.open()
    return program


def worths_unit(points: Points, outcome: int, level: str, plays: Sequence[Points]) -> Unit:
    """Return the unit that asks bgsage for the worth of plays, for `worths_of_bgsage`.

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
    """Return the equities of a unit's plays by bgsage's games."""
    plays = [parse_position_id(each) for each in unit["plays"]]
    roll = ROLLS[unit["outcome"]]
    return _bgsage().worths(parse_position_id(unit["position"]), roll, unit["level"], plays)


def _report(
    seed: int, looks: _Looks, judges: Sequence[str], settings: Unit, judged: Sequence[_Judged], apart: int
) -> Report:
    """Return the report: two tables for each look-ahead, one of them of the ten back games."""
    kinds = {family: (lambda name, family=family: name == family) for family in FAMILIES}
    tables = []
    for look, players in looks.items():
        rows: dict[str, list[list[Cell]]] = {"families": [], "back-games": []}
        for name, belongs in (kinds | _GROUPS).items():
            some = [each for each in judged if belongs(each.family)]
            table = "back-games" if name.startswith("back game") else "families"
            for judge in judges:
                row: list[Cell] = [name, len(some), judge]
                for player in players:
                    row += rating([each.losses[judge][player] for each in some])
                rows[table].append(row)
        columns = [name for player in players for name in (player, "s.e.")]
        head = ["family", "decisions", "judge", *columns]
        for table, body in rows.items():
            tables.append(Sheet(f"{table}-{look}", f"PR by {table}, {look}", head, body))
    notes = [
        f"{len(judged)} unforced decisions in drawn positions, for money without cube. In "
        f"{apart} of them the players do not all play alike; there all that they play is "
        f"rolled out. {rollout_words(settings)} bgsage judges the same plays at its level "
        f"{_LEVEL}, whose games are truncated, too.",
        "PR is 500 times the mean loss in points, from the best of the plays that were rolled "
        f"out. The decisions are chosen by seed {_CHOICE_SEED}, our dice by seed {seed}.",
    ]
    return Report("Families of positions", tables, [], notes)
