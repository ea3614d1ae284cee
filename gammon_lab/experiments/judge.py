"""Who errs least? Our own study: decisions judged by rollouts where strong players differ.

Decisions come from self-play, and every player decides in all of them. Where four strong players,
of three programs, agree, an exact search to depth 5 judges the others. Where they differ, the plays
are rolled out, because a search by one program would favour that program. The judged decisions are
written as a file for `gammon grade`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gammon.base.errors import GammonError
from gammon.base.files import write_text
from gammon.base.mean import mean_and_told_error, t_quantile
from gammon.base.store import Unit
from gammon.engine.engine import Engine
from gammon.eval.evaluators import search_networks
from gammon.formats.gnubg_id import format_position_id, parse_position_id
from gammon.rules.board import PHASES, Points, phase_of
from gammon.rules.dice import ROLLS
from gammon_lab.bench.positions import self_play_positions
from gammon_lab.experiments.decision import (
    QUICK,
    Answer,
    ValuedPlay,
    answers_of_all,
    decide,
    decision_unit,
    rollout_words,
)
from gammon_lab.experiments.study import Study
from gammon_lab.report import Cell, Figure, Report, Sheet
from gammon_study.library.judged_decisions import (
    JudgedDecision,
    rounded,
    sorted_successors,
    text_of_decisions,
)
from gammon_study.reviews.rates import RATING
from gammon_study.view.plot import INKS, Axes, draw_points, label_point, look

#: Plays are rolled out where these players differ.
_STRONG = ("depth=5", "depth=5,model=large", "gnubg=2", "bgsage=3")
#: The players that are judged in all decisions.
_PLAYERS = (
    "depth=1", "depth=1,model=large", "depth=3", "depth=3,model=large", "depth=5,filter=tiny",
    "depth=5", "depth=5,model=large", "depth=7,filter=tiny", "gnubg=0", "gnubg=1", "gnubg=2",
    "bgsage=1", "bgsage=2", "bgsage=3",
)  # fmt: skip
#: This player is slow, so it decides only where the strong players differ; elsewhere it is assumed to
#: play what they play.
_SLOW = ("depth=7",)
#: Decisions of each phase. A larger number extends a study in its folder.
_COUNTS = dict(zip(PHASES, (1430, 360, 360, 60), strict=True))
#: The search of a decision, and the rollout where players differ; see `decision_unit`.
SETTINGS: Unit = {
    "cube": False, "model": "large", "depth": 5, "top": 5, "near": 0.02, "most": 5,
    "rollout": {
        "trials": 7776, "depth": 3, "move_filter": "tiny", "truncate": 12, "until_se": 0.003,
        "until_jsd": 4.0,
    },
}  # fmt: skip
#: The names of the programs that players belong to.
_NAMES = {"gammon": "gammon", "gnubg": "GNU Backgammon", "bgsage": "bgsage"}
_PLAYED = 20_000
_CHOICE_SEED = 11


class _Panel(NamedTuple):
    """Players and decisions.

    Attributes:
        players: the players to judge.
        strong: the players among them whose differences split the decisions.
        slow: players that decide only where the strong players differ.
        base: the player that the others are compared with.
        counts: decisions of each phase.
        played: the most positions of self-play in which to look for decisions.
        settings: of `decision_unit`.
    """

    players: tuple[str, ...]
    strong: tuple[str, ...]
    slow: tuple[str, ...]
    base: str
    counts: dict[str, int]
    played: int
    settings: Unit


def _panel(quick: bool) -> _Panel:
    """Return the players and decisions of the whole study, or of the small version."""
    if not quick:
        return _Panel(_PLAYERS, _STRONG, _SLOW, "gnubg=2", _COUNTS, _PLAYED, SETTINGS)
    players = ("depth=1", "depth=1,model=large", "depth=3")
    counts = dict(zip(PHASES, (16, 4, 4, 4), strict=True))
    return _Panel(players, players[:2], (), players[0], counts, 400, SETTINGS | QUICK)


class _Judged(NamedTuple):
    """A decision, the equities of its plays, and the play of each player.

    Attributes:
        decision: the plays and their equities.
        differ: whether strong players differ.
        answers: the players' answers, by player.
        error: the largest standard error of the rollout; 0 without a rollout.
    """

    decision: JudgedDecision
    differ: bool
    answers: dict[str, Answer]
    error: float

    def loss(self, player: str) -> float:
        """Return how much the play of a player gives away, in points."""
        return self.decision.loss(self.answers[player].after)


def reproduce(study: Study) -> Report:
    """Choose decisions, ask the players, judge their plays, and report who errs least.

    Raises:
        GammonError: the folder cannot be written, or another program does not start.
    """
    panel = _panel(study.quick)
    decisions = _chosen(study, panel)
    count, players = len(decisions), panel.players
    total = count * (len(players) + 1)
    answers = answers_of_all(study.part(0, total), decisions, players)
    differ = [len({by_player[name].after for name in panel.strong}) > 1 for by_player in answers]
    split = [number for number in range(count) if differ[number]]
    total += len(split) * len(panel.slow)
    part = study.part(count * len(players), total)
    choices = _decided(part, panel, decisions, answers, differ)
    part = study.part(count * (len(players) + 1), total)
    late = dict(zip(split, answers_of_all(part, [decisions[n] for n in split], panel.slow), strict=True))
    for number, by_player in enumerate(answers):
        as_strong = by_player[panel.strong[0]]._replace(seconds=float("nan"))
        by_player.update(late.get(number, dict.fromkeys(panel.slow, as_strong)))
    judged = [
        _Judged(_judged(*decision, plays), apart, by_player, max(play.error for play in plays))
        for decision, plays, apart, by_player in zip(decisions, choices, differ, answers, strict=True)
    ]
    write_text(study.out / "judged_decisions.csv", text_of_decisions(each.decision for each in judged))
    return _report(study.seed, panel, judged)


def _chosen(study: Study, panel: _Panel) -> list[tuple[Points, int]]:
    """Return unforced decisions from games at depth 1, the phases mixed evenly."""
    unit = {
        "counts": panel.counts,
        "played": panel.played,
        "seed": _CHOICE_SEED,
        "networks": search_networks("leaf"),
    }
    silent = replace(study, on_done=lambda done, total: None)
    (chosen,) = silent.run(_choose, [unit], "units", names=("position", "outcome"))
    return [(parse_position_id(position), outcome) for position, outcome in chosen]


def _choose(unit: Unit) -> list[list[str | int]]:
    """Return decisions for a unit's counts, each a Position ID and a roll, 0..20."""
    wanted: dict[str, int] = unit["counts"]
    chosen: dict[str, list[list[str | int]]] = {phase: [] for phase in wanted}
    engine = Engine(depth=1, cubeless=True)
    for points, outcome in self_play_positions(engine, unit["played"], unit["seed"]):
        phase = phase_of(points)
        forced = len(sorted_successors(points, outcome)) == 1
        if not forced and len(chosen[phase]) < wanted[phase]:
            chosen[phase].append([format_position_id(points), outcome])
    if any(len(chosen[phase]) < count for phase, count in wanted.items()):
        raise GammonError(f"{unit['played']} positions are too few: expected {wanted} of them")
    turns = [
        (number / len(rows), phase, row) for phase, rows in chosen.items() for number, row in enumerate(rows)
    ]
    return [row for _, _, row in sorted(turns, key=lambda turn: turn[:2])]


def _decided(
    study: Study,
    panel: _Panel,
    decisions: Sequence[tuple[Points, int]],
    answers: Sequence[dict[str, Answer]],
    differ: Sequence[bool],
) -> list[list[ValuedPlay]]:
    """Return the choices of each decision: searched, or rolled out where players differ."""
    games = panel.settings["rollout"] | {"seed": study.seed}
    known = panel.settings | {"networks": search_networks(panel.settings["model"])}
    units = []
    for (points, outcome), by_player, apart in zip(decisions, answers, differ, strict=True):
        plays = {by_player[name].after for name in panel.strong} if apart else set()
        chosen = known | {"rollout": games if apart else None}
        units.append(decision_unit(points, ROLLS[outcome], sorted(plays), chosen))
    return [ValuedPlay.listed(result) for result in study.run(decide, units, "units")]


def _judged(points: Points, outcome: int, choices: Sequence[ValuedPlay]) -> JudgedDecision:
    """Return a judged decision, with equities as in the file for `gammon grade`.

    A play that was not rolled out keeps its distance to the best play of the search, which is
    among the plays that were rolled out.
    """
    best = choices[0]
    shift = 0.0 if best.rolled is None else best.rolled - best.equity
    worth = {
        choice.after: rounded(choice.equity + shift if choice.rolled is None else choice.rolled)
        for choice in choices
    }
    return JudgedDecision(points, outcome, phase_of(points), worth, best.trials)


def rating(losses: Sequence[float]) -> list[Cell]:
    """Return the performance rating and its standard error, or None where they are unknown."""
    if not losses:
        return [None, None]
    mean, error = mean_and_told_error(losses)
    return [RATING * mean, None if error is None else RATING * error]


def _row(panel: _Panel, judged: Sequence[_Judged], player: str) -> list[Cell]:
    """Return the row of a player."""
    losses = [decision.loss(player) for decision in judged]
    less = [decision.loss(player) - decision.loss(panel.base) for decision in judged]
    apart = rating([decision.loss(player) for decision in judged if decision.differ])
    best = 100 * float(np.mean([loss <= 0.0 for loss in losses]))
    milliseconds = 1e3 * _seconds(judged, player)
    return [player, *rating(losses), *rating(less), best, *apart, milliseconds]


def _seconds(judged: Sequence[_Judged], player: str) -> float:
    """Return the mean time of a player's answers."""
    return float(np.nanmean([decision.answers[player].seconds for decision in judged]))


def _report(seed: int, panel: _Panel, judged: Sequence[_Judged]) -> Report:
    """Return the report of all decisions, the fastest players first."""
    players = sorted((*panel.players, *panel.slow), key=lambda player: _seconds(judged, player))
    rows = [_row(panel, judged, player) for player in players]
    phases = [phase for phase, count in panel.counts.items() if count]
    by_phase: list[list[Cell]] = [[row[0]] for row in rows]
    for row in by_phase:
        for phase in phases:
            some = [each for each in judged if each.decision.phase == phase]
            row.extend(rating([decision.loss(str(row[0])) for decision in some]))
    columns = (
        "player", "PR", "s.e.", f"more than {panel.base}", "s.e.", "best play %", "where they differ", "s.e.",
        "ms a decision",
    )  # fmt: skip
    by_phase_columns = ["player", *(name for phase in phases for name in (phase, "s.e."))]
    tables = [
        Sheet("judge", "Points that plays give away", columns, rows),
        Sheet("judge-phases", "By the phase of the game", by_phase_columns, by_phase),
    ]
    figure = Figure("judge", lambda axes: _draw(axes, rows, len(judged)))
    return Report("The judge", tables, [figure], _notes(seed, panel, judged))


def _notes(seed: int, panel: _Panel, judged: Sequence[_Judged]) -> list[str]:
    """Return sentences that explain how the figures of the tables were made."""
    errors = [decision.error for decision in judged if decision.differ]
    games = sum(each.decision.trials for each in judged)
    near, depth = panel.settings["near"], panel.settings["depth"]
    notes = [
        f"{len(judged)} unforced decisions of self-play at depth 1, for money without cube. "
        f"{', '.join(panel.strong)} do not all play alike in {len(errors)} of them. There "
        f"all their plays are rolled out, and all plays within {near} of the best play by the "
        f"search, with the same dice, the luck taken out. {rollout_words(panel.settings)} The "
        f"other decisions are searched to depth {depth}, exactly.",
        "PR is 500 times the mean loss in points. The decisions are chosen by seed "
        f"{_CHOICE_SEED}, the dice by seed {seed}.",
        "Times are processor time of all threads; each player has a process of its own, or shares gammon's.",
    ]
    if errors:
        notes.append(
            f"The rollouts took {games:,} games of each play in all. The largest standard "
            f"error in a decision is {np.mean(errors):.4f} on average, and at most "
            f"{max(errors):.4f}."
        )
    return notes


def _draw(axes: Axes, rows: Sequence[Sequence[Cell]], decisions: int) -> None:
    """Draw the ratings by time, and a line through the players that nobody beats in both."""
    dots = [_Dot(str(row[0]), *(float(str(row[n] or 0.0)) for n in (8, 1, 2))) for row in rows]
    for place, program in enumerate(dict.fromkeys(dot.program for dot in dots)):
        mine = [dot[1:] for dot in dots if dot.program == program]
        times, ratings, errors = np.array(mine).T
        reach = t_quantile(decisions - 1) * errors
        draw_points(axes, _NAMES[program], times, ratings, reach, look(program, place))
    for dot in dots:
        label_point(axes, _short(dot.player), dot.time, dot.rating)
    corners: list[_Dot] = []
    for dot in sorted(dots, key=lambda dot: (dot.time, dot.rating)):
        if not corners or dot.rating < corners[-1].rating:
            corners.append(dot)
    axes.step(
        [dot.time for dot in corners],
        [dot.rating for dot in corners],
        where="post",
        color=INKS[0],
        alpha=0.6,
        linewidth=1.0,
        zorder=1.0,
    )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.margins(x=0.1)
    axes.set_xlabel("processor time of a decision, ms")
    axes.set_ylabel("PR: 500 times the mean loss in points (95 % intervals)")


def _short(player: str) -> str:
    """Return a player's name without its program, which the colour shows."""
    name, *settings = player.split(",")
    program, _, number = name.partition("=")
    words = {"gnubg": f"{number}-ply", "bgsage": f"level {number}"}.get(program, f"depth {number}")
    return " ".join([words, *(setting.partition("=")[2] for setting in settings)])


class _Dot(NamedTuple):
    """A player's place in the plot: milliseconds a decision, rating and its error."""

    player: str
    time: float
    rating: float
    error: float

    @property
    def program(self) -> str:
        """The program that plays."""
        name = self.player.partition("=")[0]
        return name if name in _NAMES else "gammon"
