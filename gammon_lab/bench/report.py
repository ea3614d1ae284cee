"""The benchmark's figures as a report: tables, and sentences that compare them."""

from collections.abc import Mapping, Sequence
from typing import Any

from gammon_lab.reports.report import Cell, Report, Sheet

_CALIBRATE = "GNU Backgammon's calibrate"


def bench_report(found: Mapping[str, Any]) -> Report:
    """Return the report of what `run_bench` found."""
    tables = [_speeds(found), *_decisions(found["decisions"])]
    if found["programs"]:
        tables += _programs(found["programs"])
    tables += [_arrays(found["arrays"]), _commands(found)]
    return Report("The benchmark", tables, (), [_machine(found["machine"]), *_findings(found)])


def _speeds(found: Mapping[str, Any]) -> Sheet:
    """Return what is done in a second, beside the yardstick."""
    yardstick = found["yardstick"]
    rows = [
        [name, speed / 1e6, 1000 * speed / yardstick]
        for name, speed in {"hashes (the yardstick)": yardstick, **found["per_second"]}.items()
    ]
    columns = ("in a second", "millions", "per 1000 hashes")
    return Sheet("speeds", "In a second", columns, rows)


def _times(name: str, title: str, first: str, costs: Sequence[Mapping[str, Any]]) -> Sheet:
    """Return the table of the times of decisions."""
    keys = ("name", "decisions", "median_ms", "mean_ms", "p95_ms")
    columns = (first, "number", "median ms", "mean ms", "95 % ms")
    return Sheet(name, title, columns, [[cost[key] for key in keys] for cost in costs])


def _decisions(costs: Sequence[Mapping[str, Any]]) -> list[Sheet]:
    """Return what decisions cost: time, and leaves."""
    work = [
        [
            cost["name"],
            cost["leaves"],
            *(100 * cost[key] if cost[key] else None for key in ("share", "probes_cut")),
        ]
        for cost in costs
    ]
    columns = ("a decision", "leaves", "of the full trees %", "probes cut %")
    return [
        _times("decisions", "Time of a decision by the clock", "a decision", costs),
        Sheet("work", "Work of these decisions in all", columns, work),
    ]


def _programs(levels: Sequence[Sequence[Mapping[str, Any]]]) -> list[Sheet]:
    """Return the times of all programs, also in parts of ours."""
    ratios = [
        [cost["name"], *(cost[key] / level[0][key] for key in ("median_ms", "mean_ms"))]
        for level in levels
        for cost in level
    ]
    title = "These times by those of gammon's exact search that looks equally far"
    costs = [cost for level in levels for cost in level]
    return [
        _times("programs", "All programs in turns, processor time", "player", costs),
        Sheet("ratios", title, ("player", "median", "mean"), ratios),
    ]


def _arrays(found: Mapping[str, Mapping[str, float]]) -> Sheet:
    """Return how often Python calls in a second."""
    first, *_ = found.values()
    rows: list[list[Cell]] = [[name, *(each[name] for each in found.values())] for name in first]
    return Sheet("arrays", "Calls from Python, in a second", ("call", *found), rows)


def _commands(found: Mapping[str, Any]) -> Sheet:
    """Return the seconds of whole commands."""
    rows = list(found["start_up_seconds"].items())
    return Sheet("commands", "Whole commands", ("command", "seconds"), rows)


def _machine(found: Mapping[str, Any]) -> str:
    """Return the machine in words."""
    programs = "".join(f", {version}" for version in found["programs"].values())
    load = "" if found["load"] is None else f" The load was {found['load']:.1f} at the start."
    return (
        f"{found['processors']} processors, {found['processor']}; Python {found['python']}, "
        f"kernels {found['kernels']}{programs}.{load}"
    )


def _findings(found: Mapping[str, Any]) -> list[str]:
    """Return sentences about the figures that the tables have."""
    rates = found["per_second"]
    inside = rates["evaluations in search, depth 5"]
    said = [f"An evaluation takes {1e9 / inside:.0f} ns inside the search, all else included."]
    if _CALIBRATE in rates:
        said[0] += (
            f" So one core evaluates {inside / rates[_CALIBRATE]:.1f} times as many positions "
            "a second as by GNU Backgammon's `calibrate`."
        )
    costs = {cost["name"]: cost for cost in found["decisions"]}
    said += [
        f"{name.capitalize()}, takes {_times_as_long(cost, costs['depth 5'], 'one thread')}."
        for name, cost in costs.items()
        if name.startswith("depth 5, ")
    ]
    for first, *others in found["programs"]:
        compared = [
            _times_as_long(first, each, each["name"])
            for each in others
            if not each["name"].startswith("depth ")
        ]
        said.append(f"{first['name'].capitalize()} takes {', and '.join(compared)}.")
    if found["peak_mb"] is not None:
        said.append(f"An analysis to depth 5 takes {found['peak_mb']:.0f} MB of memory at most.")
    return said


def _times_as_long(one: Mapping[str, Any], other: Mapping[str, Any], name: str) -> str:
    """Return how much longer one takes than another, in words."""
    median, mean = (one[key] / other[key] for key in ("median_ms", "mean_ms"))
    return f"{median:.2f} times as long as {name} at the median ({mean:.2f} on average)"
