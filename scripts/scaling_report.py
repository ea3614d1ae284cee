"""The tables of `measure_scaling.py`: its measurements, and estimates for larger clusters.

The estimated hours of some work are

    max(processor time / cores, units * time in the process that all units pass, longest unit)

with the first start of each worker in addition. Cores are as fast as in the measurement.
"""

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from gammon_lab.report import Cell, Report, Sheet

#: The measurements, by the values of their units.
Measured = Mapping[tuple[Any, ...], Any]

#: Clusters, by their cores.
_CORES = (2, 100, 10_000)
#: Games of a unit, by the player of the noise study; see `gammon.match.match`.
_GAMES = {"depth=1": 100, "depth=3": 20, "depth=5": 2, "depth=7,filter=normal": 2}
#: The number of matches of the noise study and the standard error of their end, by player.
_STUDY = {
    "depth=1": (5, 0.010),
    "depth=3": (11, 0.010),
    "depth=5": (11, 0.015),
    "depth=7,filter=normal": (3, 0.015),
}
#: The fewest games of a match that ends at a standard error.
_LEAST = 200
#: The standard deviation of a game's result, won or lost, and its target error.
_WON, _WON_ERROR = 0.5, 0.01
#: The opening book: decisions, mean games of a rolled-out decision, and the most games.
_BOOK = 330, 241_596 // 99, 8 * 1296
_BLOCK = 36


class Job(NamedTuple):
    """Some work on a cluster.

    Attributes:
        name: the name of the work.
        units: the number of units.
        seconds: processor time of a unit.
        serial: seconds that each unit takes in the process that started the work, or in the
            scheduler, whichever is longer.
        rounds: rounds of units, each of which must be done before the next begins.
        counting: seconds for each finished unit, spent after each unit of a round.
    """

    name: str
    units: float
    seconds: float
    serial: float
    rounds: int = 1
    counting: float = 0.0

    def hours(self, cores: int) -> dict[str, float]:
        """Return the least hours that each limit allows."""
        counted = self.rounds * (self.units / self.rounds) ** 2 / 2
        return {
            "cores": self.units * self.seconds / cores / 3600,
            "client or scheduler": self.units * self.serial / 3600,
            "counting": counted * self.counting / 3600,
            "longest unit": self.rounds * self.seconds / 3600,
        }

    def most(self, cores: int) -> tuple[float, str]:
        """Return the hours that the work takes, and the limit that determines them."""
        hours = self.hours(cores)
        limit = max(hours, key=lambda name: hours[name])
        return hours[limit], limit


def report_of(measured: Measured) -> Report:
    """Return the tables of all measurements and of the estimates."""
    first, again = (measured[("first",)][name] for name in ("first", "again"))
    notes = [
        f"Counting takes {1e6 * measured[(10_000,)]['seconds']:.2f} us a game, after each unit.",
        f"A first start takes {first:.0f} s of processor time, a later one {again:.1f} s.",
        f"The machine's load was {os.getloadavg()[1]:.1f} at the end, on {os.cpu_count()} cores.",
    ]
    tables = [_units(measured), _lost(measured), _games(measured), _memory(measured)]
    return Report("Beyond one machine", [*tables, _rates(measured), _jobs(measured)], (), notes)


def _units(measured: Measured) -> Sheet:
    """Return the table of the cost of units, by the number of workers, or without a cluster."""
    rows: list[list[Cell]] = []
    for key, costs in measured.items():
        if "busy" not in costs:
            continue
        work, workers = key
        if not workers:
            rows.append([work, "none", costs["wall"], *costs["busy"], *[None] * 6])
            continue
        same = "yes" if costs["result"] == measured[work, 0]["result"] else "NO"
        rows.append([work, workers, costs["wall"], *costs["busy"], *costs["client"], costs["peak_mb"], same])
    columns = (
        "a unit", "workers", "ms by the clock", "client ms", "scheduler ms", "workers ms",
        "bytes sent", "bytes back", "a worker's peak MB", "the same results",
    )  # fmt: skip
    return Sheet("units", "A unit on a cluster of this machine", columns, rows)


def _lost(measured: Measured) -> Sheet:
    rows: list[list[Cell]] = []
    for how in ("killed", "silent"):
        loss = measured[(how,)]
        same = "yes" if loss["same"] else "NO"
        rows.append([how, loss["again"], loss["unit"], loss["seconds"], same])
    columns = ("worker", "units begun again", "s of a unit", "s until done", "the same results")
    return Sheet("lost", "A worker that is lost at work", columns, rows)


def _games(measured: Measured) -> Sheet:
    rows: list[list[Cell]] = []
    for player in (*_GAMES, "book"):
        costs = measured[(player,)]
        rows.append([player, costs["games"], costs["seconds"], costs.get("sd")])
    columns = ("games of", "games", "s a game", "sd of a game")
    return Sheet("games", "Processor time of a game", columns, rows)


def _memory(measured: Measured) -> Sheet:
    rows = [[*key, costs["mb"]] for key, costs in measured.items() if "mb" in costs]
    columns = ("of", "depth", "model", "MB")
    return Sheet("memory", "The most memory of a worker", columns, rows)


def _serial(measured: Measured, work: str) -> float:
    """Return the seconds of a unit in the busier of client and scheduler, which all units pass."""
    client, scheduler, _ = measured[work, 4]["busy"]
    return float(max(client, scheduler)) / 1e3


def _of_games(measured: Measured, games: float) -> float:
    """Return `_serial` for a unit of some games of a match, with 120 kB for 100 games."""
    idle = _serial(measured, "nothing")
    return idle + games / 100 * max(_serial(measured, "nothing, 120 kB back") - idle, 0.0)


def _rates(measured: Measured) -> Sheet:
    """Return the table of games per second, by players and cores."""
    rows: list[list[Cell]] = []
    for player, games in _GAMES.items():
        seconds = measured[(player,)]["seconds"]
        most = games / _of_games(measured, games)
        rows.append([player, seconds * games, *(min(n / seconds, most) for n in _CORES), most])
    columns = ("games", "s of a unit", *(f"{n:,} cores" for n in _CORES), "at most")
    return Sheet("rates", "Games a second", columns, rows)


def _study(measured: Measured, name: str, share: float) -> list[Job]:
    """Return the matches of the noise study, at a share of its standard errors.

    The last match measures the share of games won at depth 5.
    """
    jobs = []
    sd = measured[("depth=3",)]["sd"]  # there are too few deeper games for an estimate
    targets = [
        (player, matches, max((sd / (share * error)) ** 2, _LEAST))
        for player, (matches, error) in _STUDY.items()
    ]
    targets.append(("depth=5", 1, (_WON / (share * _WON_ERROR)) ** 2))
    for player, matches, match_games in targets:
        games = _GAMES[player]
        jobs.append(
            Job(
                f"{name}, {matches} of {player}",
                matches * match_games / games,
                games * measured[(player,)]["seconds"],
                _of_games(measured, games),
                matches,
                games * measured[(10_000,)]["seconds"],
            )
        )
    return jobs


def _jobs(measured: Measured) -> Sheet:
    """Return the table of hours, by the work and the cores."""
    decisions, games, most = _BOOK
    seconds, idle = measured[("book",)]["seconds"], _serial(measured, "nothing")
    jobs = [
        *_study(measured, "noise", 1.0),
        *_study(measured, "a tenth", 0.1),
        Job("book, a decision a unit", decisions * games / most, most * seconds, idle, 2),
        Job("book, 36 trials a unit", decisions * games / _BLOCK, _BLOCK * seconds, idle, 2),
    ]
    rows: list[list[Cell]] = [
        [
            job.name,
            round(job.units),
            job.seconds,
            job.units * job.seconds / 3600,
            *(job.most(n)[0] for n in _CORES),
            job.most(_CORES[-1])[1],
        ]
        for job in jobs
    ]
    columns = (
        "work",
        "units",
        "s of a unit",
        "core-hours",
        *(f"{n:,} cores" for n in _CORES),
        "limit at the end",
    )
    return Sheet("hours", "Hours of work", columns, rows)
