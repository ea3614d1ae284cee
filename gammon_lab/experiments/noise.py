"""Does depth matter in backgammon? Networks with errors, at several depths.

A lecture on the work of Hauk, Buro and Schaeffer reports that depth gains little with a good
evaluator, and much with some noise; its plots have no numbers. This study asks which errors search
averages out: errors of the equity or of the network's outputs, independent or correlated between
similar positions, and the errors of networks that are themselves weak.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gammon.base.errors import SettingError
from gammon.base.extras import extra
from gammon.base.folder import run_folder
from gammon.base.store import Unit
from gammon.eval.erring import Errors
from gammon.eval.evaluators import search_networks
from gammon.match.match import MatchSettings, check_match
from gammon.match.player import Player, parse_player
from gammon.match.result import MatchResult
from gammon_lab.experiments.noise_errors import (
    DEPTHS,
    ERROR_NAMES,
    error_units,
    is_measured,
    measure,
    spread_of,
)
from gammon_lab.experiments.noise_matches import EQUITY, NETWORKS, Meeting, MeetingResults, Source
from gammon_lab.experiments.noise_report import FILTERED, noise_report
from gammon_lab.experiments.study import Study
from gammon_lab.report import Report

#: The network of all players with noise. It also evaluates the luck of the dice.
_BEST = "leaf"
#: The networks to train for the study, each by the recipe of its name.
_TRAINED, _SMALL = NETWORKS[:2], NETWORKS[2]
#: Sizes of errors, by their kind; see `gammon.eval.erring`.
_SIZES: dict[str, tuple[float, ...]] = {
    EQUITY: (0.0, 0.01, 0.02, 0.03, 0.05, 0.1),
    "outputs": (0.01, 0.02, 0.03, 0.05),
    "alike-8": (0.03, 0.06, 0.1),
    "alike-3": (0.04, 0.08, 0.15),
    "alike-1": (0.05, 0.1, 0.2),
}
_QUICK_SIZES = {EQUITY: (0.0, 0.1), "outputs": (0.05,), "alike-3": (0.15,)}
#: The filter of the players that search only a part of each tree.
_FILTER = "normal"
#: Further errors for players of depth 5, beside errors of the equity and the networks' own, and the
#: sizes of equity errors for depth 7.
_DEEP = (Source("outputs", 0.03), Source("alike-3", 0.08))
_DEEPEST = (0.0, 0.03, 0.1)
#: The same size as an error of the equity and of each output: at depth 5 the share of games won is
#: measured to one per cent, which takes this many games.
_PRECISE, _PRECISE_GAMES = ((EQUITY, 0.03), ("outputs", 0.03)), 600
#: Other matches end at a standard error, in points a game, or after this many games. Matches of
#: depth 7 are too slow for more than a few games.
_UNTIL = {1: 0.007, 3: 0.007, 5: 0.015}
_MOST_GAMES = {1: 10_000, 3: 10_000, 5: 4_000, FILTERED: 60}
_QUICK_GAMES = 12
#: The size of measured errors by their kind, and the number of decisions to measure.
_MEASURED = {EQUITY: 0.05, "outputs": 0.03, "alike-8": 0.06, "alike-3": 0.08, "alike-1": 0.1}
_QUICK_MEASURED = {kind: sizes[-1] for kind, sizes in _QUICK_SIZES.items()}
_DECISIONS, _QUICK_DECISIONS = 1000, 10


def meetings(quick: bool) -> list[Meeting]:
    """Return all matches, the long ones last."""
    matches = []
    sizes, networks = (_QUICK_SIZES, (_SMALL,)) if quick else (_SIZES, NETWORKS)
    noises = [Source(kind, size) for kind, some in sizes.items() for size in some]
    for source in [*noises, *map(Source, networks)]:
        if source.errs:
            matches.append(Meeting(source, 1, True))
            if source.name == EQUITY:
                matches.append(Meeting(source, 3, True))
        matches.append(Meeting(source, 3))
    if not quick:
        equity = [Source(EQUITY, size) for size in _SIZES[EQUITY]]
        matches += [Meeting(source, 5) for source in (*equity, *_DEEP, *map(Source, networks))]
        matches += [Meeting(source, 5, True) for source in equity if source.size]
        matches += [Meeting(Source(EQUITY, size), FILTERED) for size in _DEEPEST]
    return matches


def player_of(source: Source, models: Mapping[str, str]) -> Player:
    """Return the player of depth 1 with these errors.

    Args:
        source: the source of the errors.
        models: the networks by name, as in a player's settings.
    """
    if source.is_network:
        return Player(model=models[source.name])
    return Player(model=_BEST, noise=source.size, errors=source.name)


def match_of(meeting: Meeting, models: Mapping[str, str], quick: bool) -> MatchSettings:
    """Return the settings of a match, with a folder of its own; see `player_of`."""
    shallow = player_of(meeting.source, models)
    chosen = _FILTER if meeting.depth == FILTERED else ""
    deep = shallow._replace(depth=meeting.depth, filter=chosen)
    games, until = _MOST_GAMES[meeting.depth], _UNTIL.get(meeting.depth)
    if quick:
        games, until = _QUICK_GAMES, None
    elif meeting.source in _PRECISE and meeting.depth == 5 and not meeting.clean:
        games, until = _PRECISE_GAMES, None
    against = "clean" if meeting.clean else "same"
    folder = f"{meeting.source}-depth-{meeting.depth}-{against}".replace(" ", "-")
    return MatchSettings(
        deep,
        Player(model=_BEST) if meeting.clean else shallow,
        games,
        Path(folder),
        luck=_BEST,
        until_se=until,
    )


def reproduce(study: Study) -> Report:
    """Train the weak networks, play the matches, and measure the errors.

    Raises:
        SettingError: PyTorch, which trains the networks, is missing.
        GammonError: the folder cannot be written, or a worker was killed.
    """
    models = _models(study)
    matches = {meeting: match_of(meeting, models, study.quick) for meeting in meetings(study.quick)}
    measured = _QUICK_MEASURED if study.quick else _MEASURED
    sources = [Source(*item) for item in measured.items()]
    sources += [Source(name) for name in NETWORKS if name in models]
    decisions = _QUICK_DECISIONS if study.quick else _DECISIONS
    errors = {source: _errors_of(source, models, decisions, study.seed) for source in sources}
    total = sum(match.games for match in matches.values()) + sum(map(len, errors.values()))
    results, spreads, done = MeetingResults(), {}, 0
    for meeting, match in matches.items():
        result = study.part(done, total).play(match)
        results[meeting] = result
        done += match.games
    for source, units in errors.items():
        rows = study.part(done, total).run(measure, units, f"errors-{source.name}", is_measured, ERROR_NAMES)
        measured_units = list(zip(units, rows, strict=True))
        spreads[source] = [
            spread_of([row for unit, some in measured_units if unit["depth"] == depth for row in some])
            for depth in DEPTHS
        ]
        done += len(units)
    return noise_report(study.seed, results, spreads, decisions)


def _models(study: Study) -> Mapping[str, str]:
    """Return the networks by name, as in players' settings; train the networks of the study."""
    models = {_SMALL: _SMALL}
    if study.quick:
        return models
    with extra("train", "gammon reproduce noise"):
        from gammon_lab.train.recipe import Recipe, TrainingStage
        from gammon_lab.train.training import Training, training_folder
    stages = {
        "early": [TrainingStage(target="sampled", positions=4_000_000, rate=(2e-3, 2e-4))],
        "middle": [
            TrainingStage(target="sampled", positions=4_000_000, trace=0.7, rate=(1e-3, 1e-3), batch=128),
            TrainingStage(
                target="exact",
                positions=1_000_000,
                trace=0.9,
                passes=10,
                memory=1_000_000,
                optimizer="muon",
                rate=(1e-2, 0.0),
                batch=1024,
                average=1000,
            ),
        ],
    }
    for name in _TRAINED:
        recipe = Recipe(seed=1, hidden1=256, hidden2=32, tactics=name != "early", stages=tuple(stages[name]))
        folder = study.out / name
        with training_folder(recipe, folder):
            cores = min(os.cpu_count() or 1, study.pool.workers)
            run = Training(recipe, folder, cores, "cpu")
            for _ in run.steps(float("inf")):
                pass
            models[name] = str(run.export())
    return models


def _errors_of(source: Source, models: Mapping[str, str], decisions: int, seed: int) -> list[Unit]:
    """Return the units that measure a source's errors."""
    player = player_of(source, models)
    return error_units(player, search_networks(_BEST, _SMALL, player.model), decisions, seed)


# A part of the study of one's own: all pairs of some sizes of errors and some depths.

#: From this depth on, matches end at twice the standard error, since their games are slow.
_SLOW = 5


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


def _grid_player(grid: NoiseGrid, depth: int, sigma: float) -> Player:
    """Return the player of a depth with errors of size `sigma`; without errors it has no kind."""
    kind = f",errors={grid.errors}" if sigma else ""
    return parse_player(f"depth={depth},noise={sigma!r},model={grid.model}{kind}")


def _grid_matches(study: Study, grid: NoiseGrid) -> dict[Meeting, MatchSettings]:
    """Return the matches, each with a folder of its own below the study's folder."""
    if "," in grid.model:  # a comma separates the settings of a player
        raise SettingError(f"model {grid.model!r}: expected a path without a comma")
    matches = {}
    for sigma in grid.sigmas:
        if not sigma >= 0.0:
            raise SettingError(f"sigma {sigma}: expected a standard deviation, 0 or more")
        Errors.named(sigma, grid.errors)  # reports a wrong kind even where the errors are 0
        for depth in grid.depths:
            player, error = _grid_player(grid, depth, sigma), grid.until_se
            if error is not None and depth >= _SLOW:
                error *= 2.0
            for clean in (False, True):
                if (sigma == 0 and clean) or (depth == 1 and not clean):
                    continue  # a duplicate of another match, or equal players
                folder = f"sigma-{sigma:.15g}-depth-{depth}-{'clean' if clean else 'same'}"
                matches[Meeting(Source(grid.errors, sigma), depth, clean)] = MatchSettings(
                    player,
                    _grid_player(grid, 1, 0.0 if clean else sigma),
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
    for match in _grid_matches(study, grid).values():  # bad settings must not reserve a folder
        check_match(match)
    sigmas = ", ".join(f"{sigma:g}" for sigma in grid.sigmas)
    depths = ", ".join(map(str, grid.depths))
    facts = {
        "sigmas": grid.sigmas,
        "depths": grid.depths,
        "seed": study.seed,
        "model": grid.model,
        "networks": search_networks(grid.model),
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
    matches, results = _grid_matches(study, grid), MeetingResults()
    total = grid.games * len(matches)
    for number, (meeting, match) in enumerate(matches.items()):
        reported = replace(match, on_result=partial(_show_result, say, meeting))
        results[meeting] = study.part(number * grid.games, total).play(reported)
    return noise_report(study.seed, results)


def _show_result(say: Callable[[str], None], meeting: Meeting, result: MatchResult) -> None:
    """Pass a line with the current result of a match to `say`."""
    name = f"sigma {meeting.source.size:g}, depth {meeting.depth} against depth 1"
    say(f"{name}, {meeting.against}: {result}")
