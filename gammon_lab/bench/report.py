"""The benchmark's figures as a report: tables, and sentences that compare them."""

from collections.abc import Mapping, Sequence
from typing import Any

from gammon_lab.reports.report import Cell, Report, Sheet

_CALIBRATE = "GNU Backgammon's calibrate"


def bench_report(found: Mapping[str, Any]) -> Report:
    """Return the report of the results of `run_bench`."""
    tables = [_speeds(found), *_decisions(found["decisions"])]
    if found["programs"]:
        tables += _programs(found["programs"])
    tables += [_arrays(found["arrays"]), _commands(found)]
    return Report("The benchmark", tables, (), [_machine(found["machine"]), *_findings(found)])


def _speeds(results: Mapping[str, Any]) -> Sheet:
    """Return the table of speeds, beside the yardstick."""
    yardstick = results["yardstick"]
    rows = [
        [name, speed / 1e6, 1000 * speed / yardstick]
        for name, speed in {"hashes (the yardstick)": yardstick, **results["per_second"]}.items()
    ]
    columns = ("in a second", "millions", "per 1000 hashes")
    return Sheet("speeds", "In a second", columns, rows)


def _times(name: str, title: str, first: str, costs: Sequence[Mapping[str, Any]]) -> Sheet:
    """Return the table of the times of decisions."""
    keys = ("name", "decisions", "median_ms", "mean_ms", "p95_ms")
    columns = (first, "number", "median ms", "mean ms", "95 % ms")
    return Sheet(name, title, columns, [[cost[key] for key in keys] for cost in costs])


def _decisions(costs: Sequence[Mapping[str, Any]]) -> list[Sheet]:
    """Return the tables of the time and of the leaves of decisions."""
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
    """Return the tables of the times of all programs, and of their ratios to gammon's."""
    ratios = [
        [cost["name"], *(cost[key] / level[0][key] for key in ("median_ms", "mean_ms"))]
        for level in levels
        for cost in level
    ]
    title = "These times, relative to gammon's search that looks equally far"
    costs = [cost for level in levels for cost in level]
    return [
        _times("programs", "All programs in turns, processor time", "player", costs),
        Sheet("ratios", title, ("player", "median", "mean"), ratios),
    ]


def _arrays(by_depth: Mapping[str, Mapping[str, float]]) -> Sheet:
    """Return the table of calls from Python per second."""
    first, *_ = by_depth.values()
    rows: list[list[Cell]] = [[name, *(speeds[name] for speeds in by_depth.values())] for name in first]
    return Sheet("arrays", "Calls from Python, in a second", ("call", *by_depth), rows)


def _commands(results: Mapping[str, Any]) -> Sheet:
    """Return the table of the seconds that whole commands take."""
    rows = list(results["start_up_seconds"].items())
    return Sheet("commands", "Whole commands", ("command", "seconds"), rows)


def _machine(machine: Mapping[str, Any]) -> str:
    """Return a sentence that describes the machine."""
    programs = "".join(f", {version}" for version in machine["programs"].values())
    load = "" if machine["load"] is None else f" The load was {machine['load']:.1f} at the start."
    return (
        f"{machine['processors']} processors, {machine['processor']}; Python {machine['python']}, "
        f"kernels {machine['kernels']}{programs}.{load}"
    )


def _findings(results: Mapping[str, Any]) -> list[str]:
    """Return sentences that compare the figures of the tables."""
    rates = results["per_second"]
    inside = rates["evaluations in search, depth 5"]
    sentences = [f"An evaluation takes {1e9 / inside:.0f} ns inside the search, all else included."]
    if _CALIBRATE in rates:
        sentences[0] += (
            f" So one core evaluates {inside / rates[_CALIBRATE]:.1f} times as many positions "
            "a second as by GNU Backgammon's `calibrate`."
        )
    costs = {cost["name"]: cost for cost in results["decisions"]}
    sentences += [
        f"{name.capitalize()}, takes {_times_as_long(cost, costs['depth 5'], 'depth 5')}."
        for name, cost in costs.items()
        if name.startswith("depth 5, ")
    ]
    for first, *others in results["programs"]:
        compared = [
            _times_as_long(first, cost, cost["name"])
            for cost in others
            if not cost["name"].startswith("depth ")
        ]
        sentences.append(f"{first['name'].capitalize()} takes {', and '.join(compared)}.")
    if results["peak_mb"] is not None:
        sentences.append(f"An analysis to depth 5 takes {results['peak_mb']:.0f} MB of memory at most.")
    return sentences


def _times_as_long(cost: Mapping[str, Any], reference: Mapping[str, Any], name: str) -> str:
    """Return in words how many times as long the decisions of one cost take."""
    median, mean = (cost[key] / reference[key] for key in ("median_ms", "mean_ms"))
    return f"{median:.2f} times as long as {name} at the median ({mean:.2f} on average)"
