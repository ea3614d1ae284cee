"""The tables of `measure_scaling.py`: what it measured, and what follows for larger clusters.

Hours of work are

    max(processor time / cores, units * time in the process that all units pass, longest unit)

and the first start of each worker beside it. Cores are those of the measurement.
"""

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from gammon_lab.reports.report import Cell, Report, Sheet

#: The measurements by the values of their units.
Found = Mapping[tuple[Any, ...], Any]

#: Clusters, by their cores.
_CORES = (2, 100, 10_000)
#: Games of a unit by the player of the noise study; see `gammon.match.match`.
_GAMES = {"depth=1": 100, "depth=3": 20, "depth=5": 2, "depth=7,filter=normal": 2}
#: The matches of the noise study by player, and the standard errors that they end at.
_STUDY = {
    "depth=1": (5, 0.010),
    "depth=3": (11, 0.010),
    "depth=5": (11, 0.015),
    "depth=7,filter=normal": (3, 0.015),
}
#: The fewest games of a match that ends at a standard error.
_LEAST = 200
#: The standard deviation of a game's result, won or lost, and the error that is wanted of it.
_WON, _WON_ERROR = 0.5, 0.01
#: The opening book: decisions, games of each that is rolled out, the most games of one.
_BOOK = 330, 241_596 // 99, 8 * 1296
_BLOCK = 36


class Job(NamedTuple):
    """Some work on a cluster.

    Attributes:
        name: what it is.
        units: how many.
        seconds: processor time of a unit.
        serial: seconds that each unit takes of the process that started the work, or of the
            scheduler: the one that takes longer.
        rounds: times that all units of a round must be done before others begin.
        counting: seconds for each unit that is done, after each unit of a round.
    """

    name: str
    units: float
    seconds: float
    serial: float
    rounds: int = 1
    counting: float = 0.0

    def hours(self, cores: int) -> dict[str, float]:
        """Return the least hours that each of its limits leaves."""
        counted = self.rounds * (self.units / self.rounds) ** 2 / 2
        return {
            "cores": self.units * self.seconds / cores / 3600,
            "client or scheduler": self.units * self.serial / 3600,
            "counting": counted * self.counting / 3600,
            "longest unit": self.rounds * self.seconds / 3600,
        }

    def most(self, cores: int) -> tuple[float, str]:
        """Return the hours that it takes, and the limit that they are due to."""
        hours = self.hours(cores)
        limit = max(hours, key=lambda name: hours[name])
        return hours[limit], limit


def report_of(found: Found) -> Report:
    """Return the tables of all measurements, and of what follows from them."""
    first, again = (found[("first",)][name] for name in ("first", "again"))
    notes = [
        f"Counting takes {1e6 * found[(10_000,)]['seconds']:.2f} us a game, after each unit.",
        f"A first start takes {first:.0f} s of processor time, a later one {again:.1f} s.",
        f"The machine's load was {os.getloadavg()[1]:.1f} at the end, on {os.cpu_count()} cores.",
    ]
    tables = [_units(found), _lost(found), _games(found), _memory(found)]
    return Report("Beyond one machine", [*tables, _rates(found), _jobs(found)], (), notes)


def _units(found: Found) -> Sheet:
    """Return the cost of units by the workers of a cluster, or by none."""
    rows: list[list[Cell]] = []
    for key, each in found.items():
        if "busy" not in each:
            continue
        work, workers = key
        if not workers:
            rows.append([work, "none", each["wall"], *each["busy"], *[None] * 6])
            continue
        same = "yes" if each["result"] == found[work, 0]["result"] else "NO"
        rows.append([work, workers, each["wall"], *each["busy"], *each["client"], each["peak_mb"], same])
    columns = (
        "a unit", "workers", "ms by the clock", "client ms", "scheduler ms", "workers ms",
        "bytes sent", "bytes back", "a worker's peak MB", "the same results",
    )  # fmt: skip
    return Sheet("units", "A unit on a cluster of this machine", columns, rows)


def _lost(found: Found) -> Sheet:
    rows: list[list[Cell]] = []
    for how in ("killed", "silent"):
        each = found[(how,)]
        same = "yes" if each["same"] else "NO"
        rows.append([how, each["again"], each["unit"], each["seconds"], same])
    columns = ("worker", "units begun again", "s of a unit", "s until done", "the same results")
    return Sheet("lost", "A worker that is lost at work", columns, rows)


def _games(found: Found) -> Sheet:
    rows: list[list[Cell]] = []
    for player in (*_GAMES, "book"):
        each = found[(player,)]
        rows.append([player, each["games"], each["seconds"], each.get("sd")])
    columns = ("games of", "games", "s a game", "sd of a game")
    return Sheet("games", "Processor time of a game", columns, rows)


def _memory(found: Found) -> Sheet:
    rows = [[*key, each["mb"]] for key, each in found.items() if "mb" in each]
    columns = ("of", "depth", "model", "MB")
    return Sheet("memory", "The most memory of a worker", columns, rows)


def _serial(found: Found, work: str) -> float:
    """Return the seconds of a unit in the busier of the two processes that all units pass."""
    client, scheduler, _ = found[work, 4]["busy"]
    return float(max(client, scheduler)) / 1e3


def _of_games(found: Found, games: float) -> float:
    """Return the same for a unit of some games of a match: 120 kB for 100 games."""
    idle = _serial(found, "nothing")
    return idle + games / 100 * max(_serial(found, "nothing, 120 kB back") - idle, 0.0)


def _rates(found: Found) -> Sheet:
    """Return games a second by players and cores."""
    rows: list[list[Cell]] = []
    for player, games in _GAMES.items():
        seconds = found[(player,)]["seconds"]
        most = games / _of_games(found, games)
        rows.append([player, seconds * games, *(min(n / seconds, most) for n in _CORES), most])
    columns = ("games", "s of a unit", *(f"{n:,} cores" for n in _CORES), "at most")
    return Sheet("rates", "Games a second", columns, rows)


def _study(found: Found, name: str, share: float) -> list[Job]:
    """Return the matches of the noise study, at a share of its standard errors.

    The last match is of the games that are won, at depth 5.
    """
    jobs = []
    sd = found[("depth=3",)]["sd"]  # deeper games are too few to tell
    wanted = [
        (player, matches, max((sd / (share * error)) ** 2, _LEAST))
        for player, (matches, error) in _STUDY.items()
    ]
    wanted.append(("depth=5", 1, (_WON / (share * _WON_ERROR)) ** 2))
    for player, matches, each in wanted:
        games = _GAMES[player]
        jobs.append(
            Job(
                f"{name}, {matches} of {player}",
                matches * each / games,
                games * found[(player,)]["seconds"],
                _of_games(found, games),
                matches,
                games * found[(10_000,)]["seconds"],
            )
        )
    return jobs


def _jobs(found: Found) -> Sheet:
    """Return hours by the work and the cores."""
    decisions, games, most = _BOOK
    seconds, idle = found[("book",)]["seconds"], _serial(found, "nothing")
    jobs = [
        *_study(found, "noise", 1.0),
        *_study(found, "a tenth", 0.1),
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
