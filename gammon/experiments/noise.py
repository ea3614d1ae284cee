"""Does depth matter in backgammon? Networks that err, at several depths.

A lecture on the work of Hauk, Buro and Schaeffer says that with a good evaluator depth gains
little, and with some noise a lot; its plots have no numbers. This study asks which errors
search averages out: errors of the equity or of the network's outputs, independent ones or such
as are alike in neighbouring positions, and those of networks that are weak by themselves.
"""

import os
from collections.abc import Mapping
from dataclasses import replace

from gammon.base.extras import extra
from gammon.eval.model_file import network_id
from gammon.experiments.noise_design import (
    BEST,
    MEASURED,
    RECIPES,
    SMALL,
    Meeting,
    Source,
    decisions_of,
    games_of,
    meetings,
    networks_of,
    player_of,
    players_of,
    sizes_of,
)
from gammon.experiments.noise_errors import (
    DEPTHS,
    Spread,
    error_units,
    is_measured,
    measure,
    spread_of,
)
from gammon.experiments.noise_report import noise_report
from gammon.experiments.report import Report, ReproductionSettings
from gammon.match.match import MatchSettings, run_match
from gammon.match.result import MatchResult
from gammon.runs.parallel import run_units

__all__ = ["reproduce"]


def reproduce(settings: ReproductionSettings) -> Report:
    """Train the weak networks, play the matches, and measure the errors.

    Raises:
        SettingError: PyTorch is missing, which trains the networks.
        GammonError: the folder cannot be written, or a worker was killed.
    """
    models = _models(settings)
    played = meetings(settings.quick)
    decisions = decisions_of(settings.quick)
    most = [games_of(meeting, settings.quick)[0] for meeting in played]
    sources = [
        Source(kind, MEASURED[kind] if not settings.quick else sizes[-1])
        for kind, sizes in sizes_of(settings.quick).items()
    ] + [Source(name) for name in networks_of(settings.quick)]
    total = sum(most) + len(sources) * len(DEPTHS) * decisions
    results: dict[Meeting, MatchResult] = {}
    for number, meeting in enumerate(played):

        def on_result(result: MatchResult, before: int = sum(most[:number])) -> None:
            settings.on_done(before + result.matches, total)

        match = _match_of(settings, meeting, models)
        result, _ = run_match(replace(match, on_result=on_result))
        results[meeting] = result
    done = sum(most)
    spreads: dict[Source, list[Spread]] = {}
    for source in sources:
        spreads[source] = _spreads(settings, source, models, decisions, done, total)
        done += len(DEPTHS) * decisions
    return noise_report(settings.seed, results, spreads, decisions)


def _models(settings: ReproductionSettings) -> Mapping[str, str]:
    """Return the networks by name, as players name them; train those that are to be trained."""
    models = {BEST: BEST, SMALL: SMALL}
    if settings.quick:
        return models
    with extra("train", "gammon reproduce noise"):
        from gammon.train.recipe import find_recipe, read_recipe
        from gammon.train.training import Training, training_folder
    for name in RECIPES:
        recipe, folder = read_recipe(find_recipe(name)), settings.out / name
        with training_folder(recipe, folder):
            run = Training(
                recipe, folder, min(os.cpu_count() or 1, settings.pool.workers), "cpu"
            )
            for _ in run.steps(float("inf")):
                pass
            models[name] = str(run.export())
    return models


def _match_of(
    settings: ReproductionSettings, meeting: Meeting, models: Mapping[str, str]
) -> MatchSettings:
    """Return a match in a folder of its own. All have the same dice."""
    games, until = games_of(meeting, settings.quick)
    return MatchSettings(
        *players_of(meeting, models), games, settings.out / meeting.folder, settings.seed,
        settings.pool, BEST, until,
    )  # fmt: skip


def _spreads(
    settings: ReproductionSettings, source: Source, models: Mapping[str, str], decisions: int,
    done: int, total: int,
) -> list[Spread]:  # fmt: skip
    """Return the spreads of a source's errors at each of `DEPTHS`."""
    player = player_of(source, models)
    ids = [network_id(name) for name in (BEST, SMALL, player.model)]
    units = error_units(player, ids, decisions, settings.seed)
    share = len(DEPTHS) * decisions / len(units)
    rows = run_units(
        measure, units, settings.out / f"errors-{source.name}.jsonl", settings.pool,
        lambda n, _: settings.on_done(done + int(n * share), total), fits=is_measured,
    )  # fmt: skip
    return [
        spread_of(
            [
                row
                for unit, found in zip(units, rows, strict=True)
                if unit["depth"] == depth
                for row in found
            ]
        )
        for depth in DEPTHS
    ]
