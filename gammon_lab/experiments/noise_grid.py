"""A part of the noise study of one's own: all pairs of some sizes of errors and some depths.

For each size and depth there are two matches: against depth 1 with errors of the same size, and
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
from gammon_lab.experiments.noise_matches import Meeting, MeetingResults, Source
from gammon_lab.experiments.noise_report import noise_report
from gammon_lab.experiments.study import Study
from gammon_lab.reports.report import Report

#: From this depth on, matches end at twice the standard error, since their games are slow.
_DEEP = 5


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
    return noise_report(study.seed, results)


def _show_result(say: Callable[[str], None], meeting: Meeting, result: MatchResult) -> None:
    """Pass a line with the current result of a match to `say`."""
    name = f"sigma {meeting.source.size:g}, depth {meeting.depth} against depth 1"
    say(f"{name}, {meeting.against}: {result}")
