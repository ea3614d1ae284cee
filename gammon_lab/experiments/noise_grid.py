"""Does depth matter? Players with noisy evaluators, deeper ones against depth 1.

A lecture on the work of Hauk, Buro and Schaeffer says that with a good evaluator depth gains
little in backgammon, and with some noise a lot. Here every player's leaves carry an error that
is a fixed function of the position and of its own seed, another one in each game. For each
standard deviation and depth there are two matches: against depth 1 with errors of the same
size, and against depth 1 without errors. `noise` is the whole study.
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
from gammon_lab.experiments.noise_matches import Meeting, Results, Source, with_error
from gammon_lab.experiments.study import Study
from gammon_lab.reports.report import Cell, Figure, Report, Sheet

#: Matches of this depth and more end at twice the standard error: their games take long.
_DEEP = 5
_KEY = ("sigma", "depth", "against")
_COLUMNS = (*_KEY, "games", "points", "s.e.", "low", "high", "won %", "s.e. %")
_RAW_COLUMNS = (*_KEY, "points", "s.e.", "gammons %", "lost %", "turns")


class NoiseGrid(NamedTuple):
    """The matches of a grid of errors and depths.

    Attributes:
        sigmas: standard deviations of the errors, in points of equity.
        depths: of the players that are compared with depth 1.
        games: of each match, at most.
        until_se: a match ends at this standard error, of points a game; from depth 5 on
            at twice that. None: it plays all its games.
        model: the network of all players, which also judges rolls.
        errors: their kind, see `gammon.eval.erring`.
    """

    sigmas: Sequence[float]
    depths: Sequence[int]
    games: int
    until_se: float | None
    model: str
    errors: str


def _player(grid: NoiseGrid, depth: int, sigma: float) -> Player:
    """Return the player of a depth whose errors have a size; those of 0 are of no kind."""
    kind = f",errors={grid.errors}" if sigma else ""
    return parse_player(f"depth={depth},noise={sigma!r},model={grid.model}{kind}")


def _matches(study: Study, grid: NoiseGrid) -> dict[Meeting, MatchSettings]:
    """Return the matches, each in a folder of its own below the study's."""
    if "," in grid.model:  # which parts the settings of a player
        raise SettingError(f"model {grid.model!r}: expected a path without a comma")
    found = {}
    for sigma in grid.sigmas:
        if not sigma >= 0.0:
            raise SettingError(f"sigma {sigma}: expected a standard deviation, 0 or more")
        Errors.named(sigma, grid.errors)  # a wrong kind is told where errors are 0 too
        for depth in grid.depths:
            player, error = _player(grid, depth, sigma), grid.until_se
            if error is not None and depth >= _DEEP:
                error *= 2.0
            for clean in (False, True):
                if (sigma == 0 and clean) or (depth == 1 and not clean):
                    continue  # the same match as another one, or equal players
                folder = f"sigma-{sigma:.15g}-depth-{depth}-{'clean' if clean else 'same'}"
                found[Meeting(Source(grid.errors, sigma), depth, clean)] = MatchSettings(
                    player,
                    _player(grid, 1, 0.0 if clean else sigma),
                    grid.games,
                    Path(folder),
                    study.seed,
                    luck=grid.model,
                    until_se=error,
                )
    if not found:
        raise SettingError("noise: depth 1 without errors alone, expected a match to play")
    return found


def grid_folder(study: Study, grid: NoiseGrid) -> AbstractContextManager[None]:
    """Return what holds the folder of a grid, see `gammon.base.folder`.

    One that goes on may have more games and another standard error.

    Raises:
        SettingError, ModelError: a setting is out of range.
    """
    for match in _matches(study, grid).values():  # a folder is not taken for what cannot be
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
        study: its folder, seed and processes; it tells of games.
        grid: the matches.
        say: called with a line about the match under way.

    Raises:
        SettingError: a setting is out of range.
        GammonError: the folder cannot be written.
    """
    matches, results = _matches(study, grid), Results()
    total = grid.games * len(matches)
    for number, (meeting, match) in enumerate(matches.items()):
        told = replace(match, on_result=partial(_tell, say, meeting))
        results[meeting] = study.part(number * grid.games, total).play(told)
    return _report(study.seed, grid, results)


def _tell(say: Callable[[str], None], meeting: Meeting, result: MatchResult) -> None:
    """Say how a match stands."""
    name = f"sigma {meeting.source.size:g}, depth {meeting.depth} against depth 1"
    say(f"{name}, {meeting.against}: {result}")


def _report(seed: int, grid: NoiseGrid, results: Results) -> Report:
    """Return the report of all matches."""
    kind = grid.errors
    tables = [
        Sheet("noise", "Deeper players against depth 1, luck taken out", _COLUMNS,
              [_row(*each) for each in results.items()]),
        Sheet("noise-raw", "The same games as they were played", _RAW_COLUMNS,
              [_raw_row(*each) for each in results.items()]),
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
        "Points are those of the deeper player against depth 1, a game, with the luck of the "
        "dice taken out by the network without errors; `low` and `high` are the ends of the "
        "95 % interval; `lost %` are gammons too.",
        *(_finding(*each) for each in results.by_depth(kind, False).items()),
    ]
    return Report("Noise and depth", tables, figures, notes)


def _row(meeting: Meeting, result: MatchResult) -> list[Cell]:
    """Return the row of a match, less luck."""
    mean, _, low, high = result.adjusted
    key = meeting.source.size, meeting.depth, meeting.against
    points = [mean, result.adjusted.told_error, low, high]
    return [*key, result.games, *points, *with_error(result.fair_wins, 100.0)]


def _raw_row(meeting: Meeting, result: MatchResult) -> list[Cell]:
    """Return the row of a match as it was played."""
    gammons = [100 * share for share in result.gammons]
    key = meeting.source.size, meeting.depth, meeting.against
    return [*key, *with_error(result.points), *gammons, result.turns]


def _finding(depth: int, found: dict[float, MatchResult]) -> str:
    """Return where a depth gains, beyond doubt."""
    points = {sigma: result.adjusted for sigma, result in found.items()}
    gains = [f"{sigma:g}" for sigma, mean in points.items() if mean.low > 0]
    best = max(points, key=lambda sigma: points[sigma].mean)
    return (
        f"Depth {depth} gains against depth 1 with the same errors, by more than chance, "
        f"at a sigma of {', '.join(gains) or 'none of these'}; most at {best:g}: "
        f"{points[best]} points a game."
    )
