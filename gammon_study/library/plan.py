"""The study plan: themes by the chances that a player could win back, biases, and progress.

All figures have 95 % confidence intervals from their variation between matches.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import hypot
from typing import Any, NamedTuple

from gammon.base.errors import SettingError
from gammon.base.mean import Interval, ratio_interval
from gammon_study.library.decks import OF_LIBRARY
from gammon_study.library.library import Library, Row
from gammon_study.library.selection import WITH_SIDES, Selection, check_day
from gammon_study.library.stats import ERRORS_OF
from gammon_study.reviews.names import BIASES, KINDS_BY_PART, RULES
from gammon_study.reviews.rates import RATING, pr_interval

#: The least errors of a theme, decisions of a bias, and decisions on each side of a drill.
LEAST_ERRORS, LEAST_LEANING, LEAST_AROUND = 5, 20, 30


class PlannedTheme(NamedTuple):
    """A theme of a plan, or the doubles, or the takes.

    Attributes:
        name: the name of the theme; `doubles` or `takes`.
        decisions: how many decisions count.
        errors: how many decisions lost 0.001 or more.
        recoverable: the avoidable losses per match, as chances to win the match or for money in
            points; None with fewer than 5 errors or 3 matches.
    """

    name: str
    decisions: int
    errors: int
    recoverable: Interval | None


class Bias(NamedTuple):
    """A side to which a player's decisions may lean.

    Attributes:
        name: one of `names.BIASES`.
        decisions: how many decisions could lean.
        lean: the mean signed loss (`difficulty.Lean`) minus what a player without a bias would have
            who loses as much in all, in equity per decision; None with fewer than 20 decisions or 3
            matches.
        verdict: the player's habit in words, if the interval of the lean is all on one side of 0;
            else "no clear bias", or "not enough yet".
    """

    name: str
    decisions: int
    lean: Interval | None
    verdict: str


class Plan(NamedTuple):
    """The study plan of a player.

    Attributes:
        player: the player.
        matches: how many matches there are.
        unit: "match" or "money": which of them count, and whose units the themes have. Sessions for
            money are left out if there are matches.
        themes: first the themes whose intervals are above 0, then the others, then those with too few
            errors; each time the one with the most to win back first. A decision can have several themes.
        biases: the biases.
    """

    player: str
    matches: int
    unit: str
    themes: list[PlannedTheme]
    biases: list[Bias]


class Period(NamedTuple):
    """A player's decisions of a selection in some matches.

    Attributes:
        matches: how many matches have such decisions.
        decisions: how many decisions count.
        pr: the PR; None with fewer than 30 decisions or 3 matches.
    """

    matches: int
    decisions: int
    pr: Interval | None


class DrillProgress(NamedTuple):
    """A player before and after the day on which a theme was first drilled.

    Attributes:
        player: the player.
        name: the theme, phase or kind of the decisions.
        day: the first day that counts as after.
        before: the matches before that day; matches without a day are in neither.
        after: the matches from that day on.
        change: the change of the avoidable loss in units of PR, negative if the player became better;
            None if a side has too few decisions.
        elsewhere: the same change in all other decisions: what the theme's change is to be compared
            with.
    """

    player: str
    name: str
    day: str
    before: Period
    after: Period
    change: Interval | None
    elsewhere: Interval | None


def plan_of(library: Library, selection: Selection) -> Plan:
    """Return the plan of a player.

    Args:
        library: an open library.
        selection: the selection of matches, with a player.

    Raises:
        SettingError: the selection is malformed, has no player, or has a theme, a phase or a kind; or
            some figures are of an earlier gammon.
    """
    player, where, values = _asked(library, selection)
    if selection.part() != ("all", "all"):
        raise SettingError("plan: expected no theme, phase or kind")
    lengths = library.ask(
        f"SELECT match.id AS id, length FROM side JOIN match ON match.id = match WHERE {where}", values
    )
    money = not any(row["length"] for row in lengths)
    matches = {row["id"] for row in lengths if money or row["length"]}
    leans: dict[str, list[Row]] = defaultdict(list)
    for row in library.ask(f"SELECT bias.* FROM bias {WITH_SIDES} WHERE {where}", values):
        leans[row["name"]].append(row)
    return Plan(
        player,
        len(matches),
        "money" if money else "match",
        _planned(library, where, values, matches),
        [_bias(name, leans[name]) for name in BIASES],
    )


def _asked(library: Library, selection: Selection) -> tuple[str, str, dict[str, Any]]:
    """Return the player of a selection, the SQL conditions on its matches, and their parameters.

    A damaged match has figures of an earlier gammon, and is left out.

    Raises:
        SettingError: there is no player, or other matches have figures of an earlier gammon.
    """
    where, values = selection.of_matches()
    if selection.player is None:
        raise SettingError("player: expected a name (--player NAME, or once `gammon study me NAME`)")
    if library.ask("SELECT 1 FROM match WHERE ABS(rules) != ? LIMIT 1", [RULES]):
        raise SettingError(
            "some figures are of an earlier gammon: `gammon study list` brings them up to date"
        )
    return selection.player, f"{where} AND match.rules > 0", values


def _planned(library: Library, where: str, values: dict[str, Any], matches: set[int]) -> list[PlannedTheme]:
    """Return the themes of a plan, from the rows of these matches."""
    named = {kind: name for name, kinds in KINDS_BY_PART.items() if name != "plays" for kind in kinds}
    sums: dict[str, dict[int, float]] = defaultdict(lambda: dict.fromkeys(matches, 0.0))
    decisions: dict[str, int] = defaultdict(int)
    errors: dict[str, int] = defaultdict(int)
    for row in library.ask(
        f"""
        SELECT sums.name AS theme, match, counted, wrong, cost - expected AS avoidable
        FROM sums {WITH_SIDES} WHERE part IN ('theme', 'kind') AND {where}
        """,
        values,
    ):
        theme: str = row["theme"]
        name = named.get(theme, theme)
        if row["match"] in matches and name not in (*ERRORS_OF, "play"):
            sums[name][row["match"]] += row["avoidable"]
            decisions[name] += row["counted"]
            errors[name] += row["wrong"]
    themes = []
    for name, avoidable in sums.items():
        enough = errors[name] >= LEAST_ERRORS
        interval = ratio_interval([*avoidable.values()], [1] * len(matches)) if enough else None
        themes.append(PlannedTheme(name, decisions[name], errors[name], interval))
    return sorted(themes, key=_urgency)


def _urgency(theme: PlannedTheme) -> tuple[int, float]:
    """Return the key by which themes are sorted: first those with an interval above 0."""
    if theme.recoverable is None:
        return 2, 0.0
    return int(theme.recoverable.low <= 0.0), -theme.recoverable.value


def _bias(name: str, rows: Sequence[Row]) -> Bias:
    decisions, lean = sum(row["counted"] for row in rows), None
    lost, hard, expected = (sum(row[key] for row in rows) for key in ("error", "difficulty", "expected_lean"))
    if decisions >= LEAST_LEANING and hard > 0.0:
        # The reference player, with losses scaled to the player's level, leans to no side. The last
        # term has the sum 0: the interval allows for the error of that scale by it.
        scale, slope = lost / hard, expected / hard
        sides = [
            row["lean"] - scale * row["expected_lean"] - slope * (row["error"] - scale * row["difficulty"])
            for row in rows
        ]
        lean = ratio_interval(sides, [row["counted"] for row in rows])
    if lean is None:
        return Bias(name, decisions, None, "not enough yet")
    more, less = BIASES[name]
    return Bias(name, decisions, lean, more if lean.low > 0 else less if lean.high < 0 else "no clear bias")


def progress_of(library: Library, selection: Selection, day: str | None = None) -> DrillProgress:
    """Return a player's decisions of a theme, phase or kind before and after they were drilled.

    Args:
        library: an open library.
        selection: the selection of matches, with a player and with a theme, a phase or a kind.
        day: the first day that counts as after, such as 2026-11-22; None: the day on which a card with
            such an error was first answered.

    Raises:
        SettingError: the selection is malformed, lacks the player or the decisions, the day is
            malformed, no such card was answered, or some figures are of an earlier gammon.
    """
    (player, where, values), (part, name) = _asked(library, selection), selection.part()
    if name == "all" or name in ERRORS_OF:
        raise SettingError("progress: expected a theme with all its decisions, a phase or a kind")
    check_day("day", day)
    day = day or _first_drill(library, selection)
    all_rows: dict[str, list[Mapping[str, float]]] = {"before": [], "after": []}
    for row in library.ask(
        f"""
        SELECT played < :day AS earlier, part.match IS NOT NULL AS occurs,
            COALESCE(part.error, 0) AS error, COALESCE(part.counted, 0) AS counted,
            COALESCE(part.error - part.difficulty, 0) AS avoidable,
            total.counted - COALESCE(part.counted, 0) AS others,
            total.error - total.difficulty - COALESCE(part.error - part.difficulty, 0) AS elsewhere
        FROM side JOIN match ON match.id = side.match
        JOIN sums AS total ON (total.part, total.name, total.match, total.side)
            = ('all', 'all', match.id, side.side)
        LEFT JOIN sums AS part ON (part.part, part.name, part.match, part.side)
            = (:part, :name, match.id, side.side)
        WHERE played IS NOT NULL AND {where}
        """,
        values | {"day": day, "part": part, "name": name},
    ):
        all_rows["before" if row["earlier"] else "after"].append(row)
    periods = [[row for row in rows if row["occurs"]] for rows in all_rows.values()]
    before, after = map(_period, periods)
    change = _change(periods, "avoidable", "counted")
    elsewhere = _change(all_rows.values(), "elsewhere", "others")
    return DrillProgress(player, name, day, before, after, change, elsewhere)


def _first_drill(library: Library, selection: Selection) -> str:
    where, values = selection.of_errors()
    (row,) = library.ask(
        f"""
        SELECT MIN(began) AS began FROM card WHERE deck IN {OF_LIBRARY} AND xgid IN (
            SELECT xgid FROM error {WITH_SIDES} WHERE {where}
        )
        """,
        values,
    )
    if row["began"] is None:
        raise SettingError("day: expected one, as no card with such an error was answered yet")
    return str(row["began"])


def _period(rows: Sequence[Mapping[str, float]]) -> Period:
    errors, counts = ([row[name] for row in rows] for name in ("error", "counted"))
    decisions = int(sum(counts))
    return Period(len(rows), decisions, pr_interval(errors, counts) if decisions >= LEAST_AROUND else None)


def _change(periods: Iterable[Sequence[Mapping[str, float]]], sums: str, counts: str) -> Interval | None:
    """Return the later ratio minus the earlier one; the margins of both are combined as independent."""
    intervals = []
    for rows in periods:
        interval = ratio_interval([row[sums] for row in rows], [row[counts] for row in rows], RATING)
        if interval is None or sum(row[counts] for row in rows) < LEAST_AROUND:
            return None
        intervals.append(interval)
    earlier, later = intervals
    value = later.value - earlier.value
    low = hypot(later.value - later.low, earlier.high - earlier.value)
    high = hypot(later.high - later.value, earlier.value - earlier.low)
    return Interval(value, value - low, value + high)
