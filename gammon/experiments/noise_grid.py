"""Does depth matter? Players with noisy evaluators, deeper ones against depth 1.

A lecture on the work of Hauk, Buro and Schaeffer says that with a good evaluator depth gains
little in backgammon, and with some noise a lot. Here every player's leaves carry an error that
is a fixed function of the position and of its own seed, another one in each game. For each
standard deviation and depth there are two matches: against depth 1 with errors of the same
size, and against depth 1 without errors. `noise` is the whole study.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from gammon.base.errors import SettingError
from gammon.eval.erring import Errors
from gammon.eval.model_file import network_id
from gammon.experiments.noise_matches import Meeting, Results, Source
from gammon.match.match import MatchSettings, check_match, run_match
from gammon.match.player import Player, parse_player
from gammon.match.result import MatchResult
from gammon.reports.report import Cell, Figure, Report, Sheet
from gammon.runs.folder import run_folder
from gammon.runs.parallel import HERE, Pool

#: Matches of this depth and more end at twice the standard error: their games take long.
_DEEP = 5
_KEY = ("sigma", "depth", "against")
_COLUMNS = (*_KEY, "games", "points", "s.e.", "low", "high", "won %", "s.e. %")
_RAW_COLUMNS = (*_KEY, "points", "s.e.", "gammons %", "lost %", "turns")


@dataclass(frozen=True)
class NoiseGrid:
    """The matches of a grid of errors and depths.

    Attributes:
        out: the folder for the results, with one below it for each match; an interrupted
            run resumes from it.
        sigmas: standard deviations of the errors, in points of equity.
        depths: of the players that are compared with depth 1.
        games: of each match, at most.
        seed: of dice and errors.
        pool: the processes that do the work.
        until_se: a match ends at this standard error, of points a game; from depth 5 on
            at twice that. None: it plays all its games.
        model: the network of all players, which also judges rolls.
        errors: their kind, see `gammon.eval.erring`.
        on_done: called with the games of all matches, played and to be played at most, and
            a line about the match under way.
    """

    out: Path
    sigmas: Sequence[float] = (0.0, 0.01, 0.02, 0.03, 0.05, 0.1)
    depths: Sequence[int] = (1, 3, 5)
    games: int = 5000
    seed: int = 1
    pool: Pool = HERE
    until_se: float | None = None
    model: str = "leaf"
    errors: str = "equity"
    on_done: Callable[[int, int, str], None] = lambda done, total, text: None


def _player(settings: NoiseGrid, depth: int, sigma: float) -> Player:
    """Return the player of a depth whose errors have a size; those of 0 are of no kind."""
    kind = f",errors={settings.errors}" if sigma else ""
    return parse_player(f"depth={depth},noise={sigma!r},model={settings.model}{kind}")


def _matches(settings: NoiseGrid) -> dict[Meeting, MatchSettings]:
    """Return the matches, each in a folder of its own."""
    found = {}
    for sigma in settings.sigmas:
        if not sigma >= 0.0:
            raise SettingError(f"sigma {sigma}: expected a standard deviation, 0 or more")
        Errors.named(sigma, settings.errors)  # a wrong kind is told where errors are 0 too
        for depth in settings.depths:
            player = _player(settings, depth, sigma)
            error = settings.until_se
            if error is not None and depth >= _DEEP:
                error *= 2.0
            for clean in (False, True):
                if (sigma == 0 and clean) or (depth == 1 and not clean):
                    continue  # the same match as another one, or equal players
                folder = f"sigma-{sigma:.15g}-depth-{depth}-{'clean' if clean else 'same'}"
                found[Meeting(Source(settings.errors, sigma), depth, clean)] = MatchSettings(
                    player, _player(settings, 1, 0.0 if clean else sigma), settings.games,
                    settings.out / folder, settings.seed, settings.pool, settings.model, error,
                )  # fmt: skip
    if not found:
        raise SettingError("noise: depth 1 without errors alone, expected a match to play")
    return found


def grid_folder(settings: NoiseGrid) -> AbstractContextManager[None]:
    """Return what holds the folder of a grid, see `gammon.runs.folder`.

    One that goes on may have more games and another standard error.

    Raises:
        SettingError, ModelError: a setting is out of range.
    """
    for match in _matches(settings).values():  # a folder is not taken for what cannot be
        check_match(match)
    sigmas = ", ".join(f"{sigma:g}" for sigma in settings.sigmas)
    depths = ", ".join(map(str, settings.depths))
    facts = {
        "sigmas": settings.sigmas, "depths": settings.depths, "seed": settings.seed,
        "model": settings.model, "network": network_id(settings.model),
        "errors": settings.errors,
    }  # fmt: skip
    title = f"a noise study of sigma {sigmas} and depth {depths}, seed {settings.seed}"
    return run_folder(settings.out, title, facts)


def play_grid(settings: NoiseGrid) -> Report:
    """Play the matches and return their table and plots.

    Raises:
        SettingError: a setting is out of range.
        GammonError: the folder cannot be written.
    """
    matches = _matches(settings)
    total = settings.games * len(matches)
    results = Results()
    for number, (meeting, match) in enumerate(matches.items()):
        name = f"sigma {meeting.source.size:g}, depth {meeting.depth} against depth 1"

        def on_result(
            result: MatchResult,
            played: int = number * settings.games,
            name: str = f"{name}, {meeting.against}",
        ) -> None:
            settings.on_done(played + result.matches, total, f"{name}: {result}")

        result, _ = run_match(replace(match, on_result=on_result))
        results[meeting] = result
    return _report(settings, results)


def _report(settings: NoiseGrid, results: Results) -> Report:
    """Return the report of all matches."""
    kind = settings.errors
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
        f"seats; at most {settings.games:,} games a match, seed {settings.seed}, model "
        f"{settings.model}. Errors are normal, {where}: a fixed function of position and "
        "seed, independent between the players, another seed in each game.",
        "Points are those of the deeper player against depth 1, a game, with the luck of the "
        "dice taken out by the network without errors; `low` and `high` are the ends of the "
        "95 % interval; `lost %` are gammons too.",
        *(_finding(*each) for each in results.by_depth(kind, False).items()),
    ]
    return Report("Noise and depth", tables, figures, notes)


def _row(meeting: Meeting, result: MatchResult) -> list[Cell]:
    """Return the row of a match, less luck."""
    won = [100 * result.fair_wins.mean, 100 * result.fair_wins.error]
    key = meeting.source.size, meeting.depth, meeting.against
    return [*key, result.games, *result.adjusted, *won]


def _raw_row(meeting: Meeting, result: MatchResult) -> list[Cell]:
    """Return the row of a match as it was played."""
    gammons = [100 * share for share in result.gammons]
    key = meeting.source.size, meeting.depth, meeting.against
    return [*key, result.points.mean, result.points.error, *gammons, result.turns]


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
