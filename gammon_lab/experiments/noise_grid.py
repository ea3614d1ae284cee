"""Does depth matter? Players with noisy evaluators, deeper ones against depth 1.

A lecture on the work of Hauk, Buro and Schaeffer reports that in backgammon depth gains little with
a good evaluator, and much with some noise. Here the leaf values of each player have an error that is
a fixed function of the position and the player's seed, which changes with each game. For each
standard deviation and depth there are two matches: against depth 1 with errors of the same size, and
against depth 1 without errors. `noise` is the whole study.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gammon.base.errors import SettingError
from gammon.base.folder import run_folder
from gammon.eval.erring import Errors
from gammon.eval.model_file import network_id
from gammon.match.match import MatchSettings, check_match
from gammon.match.player import Player, parse_player
from gammon.match.result import MatchResult
from gammon_lab.experiments.noise_matches import Meeting, MeetingResults, Source, with_error
from gammon_lab.experiments.study import Study
from gammon_lab.reports.report import Cell, Figure, Report, Sheet

#: From this depth on, matches end at twice the standard error, since their games are slow.
_DEEP = 5
_KEY = ("sigma", "depth", "against")
_COLUMNS = (*_KEY, "games", "points", "s.e.", "low", "high", "won %", "s.e. %")
_RAW_COLUMNS = (*_KEY, "points", "s.e.", "gammons %", "lost %", "turns")


class NoiseGrid(NamedTuple):
    """The matches of a grid of errors and depths.

    Attributes:
        sigmas: standard deviations of the errors, in points of equity.
        depths: depths of the players that are compared with depth 1.
        games: the most games of a match.
        until_se: the standard error, in points a game, at which a match ends; twice as much
            from depth 5 on. None: a match plays all its games.
        model: the network of all players, which also evaluates the luck of the dice.
        errors: the kind of errors, see `gammon.eval.erring`.
    """

    sigmas: Sequence[float]
    depths: Sequence[int]
    games: int
    until_se: float | None
    model: str
    errors: str


def _player(grid: NoiseGrid, depth: int, sigma: float) -> Player:
    """Return the player of a depth with errors of size `sigma`; without errors it has no kind."""
    kind = f",errors={grid.errors}" if sigma else ""
    return parse_player(f"depth={depth},noise={sigma!r},model={grid.model}{kind}")


def _matches(study: Study, grid: NoiseGrid) -> dict[Meeting, MatchSettings]:
    """Return the matches, each with a folder of its own below the study's folder."""
    if "," in grid.model:  # a comma separates the settings of a player
        raise SettingError(f"model {grid.model!r}: expected a path without a comma")
    matches = {}
    for sigma in grid.sigmas:
        if not sigma >= 0.0:
            raise SettingError(f"sigma {sigma}: expected a standard deviation, 0 or more")
        Errors.named(sigma, grid.errors)  # reports a wrong kind even where the errors are 0
        for depth in grid.depths:
            player, error = _player(grid, depth, sigma), grid.until_se
            if error is not None and depth >= _DEEP:
                error *= 2.0
            for clean in (False, True):
                if (sigma == 0 and clean) or (depth == 1 and not clean):
                    continue  # a duplicate of another match, or equal players
                folder = f"sigma-{sigma:.15g}-depth-{depth}-{'clean' if clean else 'same'}"
                matches[Meeting(Source(grid.errors, sigma), depth, clean)] = MatchSettings(
                    player,
                    _player(grid, 1, 0.0 if clean else sigma),
                    grid.games,
                    Path(folder),
                    study.seed,
                    luck=grid.model,
                    until_se=error,
                )
    if not matches:
        raise SettingError("noise: depth 1 without errors alone, expected a match to play")
    return matches


def grid_folder(study: Study, grid: NoiseGrid) -> AbstractContextManager[None]:
    """Return a context manager that reserves the folder of a grid, see `gammon.base.folder`.

    A resumed grid may have more games and another standard error.
    Raises:
        SettingError, ModelError: a setting is out of range.
    """
    for match in _matches(study, grid).values():  # bad settings must not reserve a folder
        check_match(match)
    sigmas = ", ".join(f"{sigma:g}" for sigma in grid.sigmas)
    depths = ", ".join(map(str, grid.depths))
    facts = {
        "sigmas": grid.sigmas,
        "depths": grid.depths,
        "seed": study.seed,
        "model": grid.model,
        "network": network_id(grid.model),
        "errors": grid.errors,
    }
    title = f"a noise study of sigma {sigmas} and depth {depths}, seed {study.seed}"
    return run_folder(study.out, title, facts)


def play_grid(study: Study, grid: NoiseGrid, say: Callable[[str], None] = lambda line: None) -> Report:
    """Play the matches and return their table and plots.

    Args:
        study: the folder, seed and processes; its `on_done` counts games.
        grid: the matches.
        say: called with a line about the current match.

    Raises:
        SettingError: a setting is out of range.
        GammonError: the folder cannot be written.
    """
    matches, results = _matches(study, grid), MeetingResults()
    total = grid.games * len(matches)
    for number, (meeting, match) in enumerate(matches.items()):
        reported = replace(match, on_result=partial(_show_result, say, meeting))
        results[meeting] = study.part(number * grid.games, total).play(reported)
    return _report(study.seed, grid, results)


def _show_result(say: Callable[[str], None], meeting: Meeting, result: MatchResult) -> None:
    """Pass a line with the current result of a match to `say`."""
    name = f"sigma {meeting.source.size:g}, depth {meeting.depth} against depth 1"
    say(f"{name}, {meeting.against}: {result}")


def _report(seed: int, grid: NoiseGrid, results: MeetingResults) -> Report:
    """Return the report of all matches."""
    kind = grid.errors
    tables = [
        Sheet("noise", "Deeper players against depth 1, luck taken out", _COLUMNS,
              [_row(*item) for item in results.items()]),
        Sheet("noise-raw", "The same games as they were played", _RAW_COLUMNS,
              [_raw_row(*item) for item in results.items()]),
    ]  # fmt: skip
    figures = [
        Figure(name, partial(results.draw_points, kind, clean))
        for name, clean in (("noise-points", False), ("noise-clean", True))
        if results.by_depth(kind, clean)
    ]
    if results.by_depth(kind, False):
        wins = partial(results.draw_wins, kind, lambda result: result.fair_wins)
        figures.append(Figure("noise-wins", wins))
    where = f"of the equity, in points ({kind})"
    if kind == "outputs":
        where = "on each of the five outputs, in chances"
    notes = [
        f"Single games for money without the cube, in pairs with the same dice and swapped "
        f"seats; at most {grid.games:,} games a match, seed {seed}, model "
        f"{grid.model}. Errors are normal, {where}: a fixed function of position and "
        "seed, independent between the players, another seed in each game.",
        "Points are the deeper player's against depth 1, a game, with the luck of the "
        "dice taken out by the network without errors; `low` and `high` are the ends of the "
        "95 % interval; `lost %` are gammons too.",
        *(_finding(*item) for item in results.by_depth(kind, False).items()),
    ]
    return Report("Noise and depth", tables, figures, notes)


def _row(meeting: Meeting, result: MatchResult) -> list[Cell]:
    """Return the row of a match, with the luck taken out."""
    mean, _, low, high = result.adjusted
    key = meeting.source.size, meeting.depth, meeting.against
    points = [mean, result.adjusted.told_error, low, high]
    return [*key, result.games, *points, *with_error(result.fair_wins, 100.0)]


def _raw_row(meeting: Meeting, result: MatchResult) -> list[Cell]:
    """Return the row of a match as played."""
    gammons = [100 * share for share in result.gammons]
    key = meeting.source.size, meeting.depth, meeting.against
    return [*key, *with_error(result.points), *gammons, result.turns]


def _finding(depth: int, results: dict[float, MatchResult]) -> str:
    """Return a sentence about the sizes of errors at which a depth gains by more than chance."""
    points = {sigma: result.adjusted for sigma, result in results.items()}
    gains = [f"{sigma:g}" for sigma, mean in points.items() if mean.low > 0]
    best = max(points, key=lambda sigma: points[sigma].mean)
    return (
        f"Depth {depth} gains against depth 1 with the same errors, by more than chance, "
        f"at a sigma of {', '.join(gains) or 'none of these'}; most at {best:g}: "
        f"{points[best]} points a game."
    )
