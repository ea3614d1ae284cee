"""Statistics of a library: what groups of decisions cost, and the errors among them."""

import json
from typing import Any, NamedTuple

from gammon.base.checks import one_of, whole
from gammon.base.errors import SettingError
from gammon.base.mean import Interval
from gammon.formats.characters import folded
from gammon_study.library.library import Library, Row
from gammon_study.library.selection import OF_DECISIONS, WITH_SIDES, Selection
from gammon_study.reviews.names import GROUPS, KINDS_BY_PART
from gammon_study.reviews.rates import class_of, performance_rating, pr_interval

#: Groups of matches, and the SQL expressions for their names.
_OF_MATCHES = {
    "all": "''",
    "player": "side.name COLLATE any_case",
    "opponent": "side.opponent COLLATE any_case",
    "day": "match.played",
    "month": "substr(match.played, 1, 7)",
    "year": "substr(match.played, 1, 4)",
    "length": "match.length",
    "analysis": "match.analysis",
    "match": "match.id",
}
#: Groupings that are sorted by name; in the others the group that lost the most comes first.
_IN_ORDER = "day", "month", "year", "length", "match"
#: The SQL expression for the part of `KINDS_BY_PART` that a decision is in, by its kind.
_PART = "CASE sums.name {} END".format(
    " ".join(f"WHEN {kind!r} THEN {part!r}" for part, kinds in KINDS_BY_PART.items() for kind in kinds)
)
#: The number of matches in the moving average of a trend.
_TOGETHER = 10
#: Themes that only errors have, and the kinds of these errors.
ERRORS_OF = {
    "missed double": "no double",
    "wrong double": "double",
    "wrong take": "take",
    "wrong pass": "pass",
}


class GroupPart(NamedTuple):
    """The plays, the doubles or the takes of a group.

    Attributes:
        pr: the performance rating; None without decisions.
        interval: the PR with its 95 % confidence interval, from its variation between matches; None
            with fewer than three matches.
        counted: how many count as decisions.
        wrong: how many lost 0.001 or more.
        bad: how many lost 0.06 or more.
        error: the sum of the lost equities.
    """

    pr: float | None
    interval: Interval | None
    counted: int
    wrong: int
    bad: int
    error: float


class Group(NamedTuple):
    """The decisions of a group.

    Attributes:
        name: the name of the group.
        matches: how many matches there are.
        pr: the performance rating; None without decisions, or if the group has only errors.
        interval: the PR with its 95 % confidence interval, from its variation between matches; None
            with fewer than three matches, or if the group has only errors.
        pr_class: XG's class of the PR, or None.
        choices: how many choices there are, forced and clear ones included.
        counted: how many are decisions by XG's rule.
        active: how many are decisions by GNU Backgammon's rule.
        wrong: how many lost 0.001 or more.
        bad: how many lost 0.06 or more.
        error: the sum of the lost equities.
        cost: the loss as chances to win the match, or for money in points.
        luck: the luck of the player's rolls, as equities; None if the group has only a part of the
            decisions, decisions of both sides, or an analysis without luck.
        won: how many matches the player won, or money sessions with a gain; None if no match was
            finished, or the group has only a part of the decisions, or decisions of both sides.
        decisions: if the group has only errors, such as wrong doubles, the number of decisions of that
            kind; else None.
        plays: the plays; None if the group has only a part of the decisions.
        doubles: the decisions to double or not.
        takes: the decisions to take or to pass.
    """

    name: str
    matches: int
    pr: float | None
    interval: Interval | None
    pr_class: str | None
    choices: int
    counted: int
    active: int
    wrong: int
    bad: int
    error: float
    cost: float
    luck: float | None = None
    won: int | None = None
    decisions: int | None = None
    plays: GroupPart | None = None
    doubles: GroupPart | None = None
    takes: GroupPart | None = None


class Statistics(NamedTuple):
    """The decisions of a library in groups.

    Attributes:
        by: the kind of groups.
        groups: the figures of the groups.
        analyses: the same matches, grouped by who analyzed them.
    """

    by: str
    groups: list[Group]
    analyses: list[Group]


class Trend(NamedTuple):
    """The PR of a match, and of the last ten matches up to it.

    Attributes:
        match: the number of the match in the library.
        played: the day, or None.
        pr: the PR of this match; None if no decision counts.
        mean: the PR of the last ten matches.
    """

    match: int
    played: str | None
    pr: float | None
    mean: float | None


def statistics(library: Library, selection: Selection, by: str) -> Statistics:
    """Return the decisions of a selection in groups; takes the arguments of `groups_of`."""
    analyses = groups_of(library, selection, "analysis")
    return Statistics(by, groups_of(library, selection, by), analyses)


def groups_of(library: Library, selection: Selection, by: str = "all") -> list[Group]:
    """Return the figures of each group.

    Args:
        library: an open library.
        selection: the selection of matches, and of a part of their decisions.
        by: one of `GROUPS`.

    Raises:
        SettingError: the selection is malformed, `by` is unknown, or both ask for a theme, a phase
            or a kind.
    """
    by = one_of("by", by, GROUPS)
    (where, values), (part, name) = selection.of_matches(), selection.part()
    of_decisions, every = by in OF_DECISIONS, (part, name) == ("all", "all")
    if of_decisions and not every:
        # The library has sums for each theme, phase and kind, but not for two of them at once.
        raise SettingError(f"by {by!r}: expected no theme, phase or kind with it")
    label = "sums.name" if of_decisions else _OF_MATCHES[by]
    chosen = "sums.part = :part" if of_decisions else _CHOSEN
    values |= {"part": by if of_decisions else part, "of": name}
    of_errors, whole = by == "theme" or name in ERRORS_OF, every and not of_decisions
    one_side = selection.player is not None or by in ("player", "opponent")
    kinds_of = "''" if by == "theme" else label
    kinds = _sums(library, kinds_of, "sums.name", _OF_KINDS, where, values) if of_errors else {}
    parts = _sums(library, label, _PART, _OF_KINDS, where, values) if whole else {}
    groups = []
    for (key, _), row in _sums(library, label, "''", chosen, where, values).items():
        group = _group(row)
        if kind := ERRORS_OF.get(group.name if by == "theme" else name):
            decisions = kinds["" if by == "theme" else key, kind]["counted"]
            group = group._replace(pr=None, interval=None, pr_class=None, decisions=decisions)
        if whole:
            plays, doubles, takes = (_part(parts.get((key, part))) for part in KINDS_BY_PART)
            group = group._replace(plays=plays, doubles=doubles, takes=takes)
        if whole and one_side:
            group = group._replace(luck=row["luck"], won=row["won"])
        groups.append(group)
    if by in _IN_ORDER:
        return groups  # SQLite has sorted them
    return sorted(groups, key=lambda group: -group.error)


#: The SQL conditions on sums: of a part and a name, and of the kinds of decisions.
_CHOSEN = "sums.part = :part AND sums.name = :of"
_OF_KINDS = "sums.part = 'kind'"


def _sums(
    library: Library, label: str, part: str, chosen: str, where: str, values: dict[str, Any]
) -> dict[tuple[str, str], Row]:
    """Return the sums of decisions by group and part: by the group's folded name and the part.

    A row also has the sums of each match, which is one unit of an interval: the errors of its two sides
    are not independent.

    Args:
        library: an open library.
        label: the SQL expression for the name of the group.
        part: the SQL expression for the part.
        chosen: the SQL condition on `sums`.
        where: the SQL conditions on matches.
        values: the parameters of the conditions.
    """
    rows = library.ask(
        f"""
        SELECT label, part, COUNT(*) AS matches, SUM(choices) AS choices, SUM(counted) AS counted,
            SUM(active) AS active, SUM(wrong) AS wrong, SUM(bad) AS bad, SUM(error) AS error,
            SUM(cost) AS cost, CASE WHEN COUNT(luck) = COUNT(*) THEN SUM(luck) END AS luck,
            SUM(won) AS won, json_group_array(error) AS errors, json_group_array(counted) AS counts
        FROM (
            SELECT {label} AS label, {part} AS part, SUM(choices) AS choices, SUM(counted) AS counted,
                SUM(active) AS active, SUM(wrong) AS wrong, SUM(bad) AS bad, SUM(sums.error) AS error,
                SUM(cost) AS cost, CASE WHEN COUNT(luck) = COUNT(*) THEN SUM(luck) END AS luck,
                SUM(result > 0) AS won
            FROM sums {WITH_SIDES}
            WHERE {chosen} AND {where} GROUP BY 1, 2, match.id
        ) GROUP BY label COLLATE any_case, part
        """,
        values,
    )
    for row in rows:
        row["label"] = "unknown" if row["label"] is None else str(row["label"])
    return {(folded(row["label"]), row["part"]): row for row in rows}


def _rating(row: Row) -> tuple[float | None, Interval | None]:
    """Return the PR of a row of `_sums`, and its interval."""
    interval = pr_interval(json.loads(row["errors"]), json.loads(row["counts"]))
    return performance_rating(row["error"], row["counted"]), interval


def _group(row: Row) -> Group:
    pr, interval = _rating(row)
    sums = [row[name] for name in ("choices", "counted", "active", "wrong", "bad", "error", "cost")]
    return Group(row["label"], row["matches"], pr, interval, class_of(pr, row["counted"]), *sums)


def _part(row: Row | None) -> GroupPart:
    """Return a part of a group from its row; without a row it has no decisions."""
    if row is None:
        return GroupPart(None, None, 0, 0, 0, 0.0)
    return GroupPart(*_rating(row), row["counted"], row["wrong"], row["bad"], row["error"])


def trend_of(library: Library, selection: Selection) -> list[Trend]:
    """Return the PR of each match of a selection, in the order of the days.

    Matches without a day come first, in the order in which they were added.

    Raises:
        SettingError: the selection is malformed, or its theme has only errors.
    """
    (where, values), (part, name) = selection.of_matches(), selection.part()
    if name in ERRORS_OF:
        raise SettingError(f"theme {name!r}: it has only errors, so there is no PR to draw")
    rows = library.ask(
        f"""
        SELECT match.id AS id, played, SUM(sums.error) AS error, SUM(counted) AS counted
        FROM sums {WITH_SIDES}
        WHERE {_CHOSEN} AND {where} GROUP BY match.id ORDER BY played, match.id
        """,
        values | {"part": part, "of": name},
    )
    trend: list[Trend] = []
    for number, row in enumerate(rows):
        last = rows[max(number + 1 - _TOGETHER, 0) : number + 1]
        error, counted = (sum(past[key] for past in last) for key in ("error", "counted"))
        single = performance_rating(row["error"], row["counted"])
        mean = performance_rating(error, counted)
        trend.append(Trend(row["id"], row["played"], single, mean))
    return trend


class Error(NamedTuple):
    """A decision that lost something.

    Attributes:
        match: the number of the match in the library.
        file: the file that the match came from.
        played: the day, or None.
        player: the player who decided.
        opponent: the opponent.
        length: points of the match, 0 for money.
        game: the number of the game, from 1 on.
        kind: the kind of the decision.
        phase: the phase of the game.
        themes: what the decision was about.
        xgid: the position.
        made: the choice that was made.
        best: the best choice.
        error: the lost equity.
        cost: the loss as a chance to win the match, or for money in points.
        explanation: what the choice gave away.
        level: the program and its level, if the file's own analysis was taken.
        remark: the mark and the comment in the match file.
    """

    match: int
    file: str
    played: str | None
    player: str
    opponent: str
    length: int
    game: int
    kind: str
    phase: str
    themes: tuple[str, ...]
    xgid: str
    made: str
    best: str
    error: float
    cost: float
    explanation: str
    level: str = ""
    remark: str = ""


class LargestErrors(NamedTuple):
    """Errors of a library.

    Attributes:
        errors: the largest errors, the largest first.
        number: how many errors the selection has.
        total_error: the equity that all these errors lost.
    """

    errors: list[Error]
    number: int
    total_error: float


def largest_errors(library: Library, selection: Selection, most: int | None = None) -> LargestErrors:
    """Return the errors of a selection.

    Args:
        library: an open library.
        selection: the selection.
        most: how many errors to return; None: all.

    Raises:
        SettingError: the selection is malformed.
    """
    if most is not None:
        whole("most", most, 0)
    where, values = selection.of_errors()
    tables = f"FROM error {WITH_SIDES} WHERE {where}"
    (all_,) = library.ask(f"SELECT COUNT(*) AS count, SUM(error.error) AS total {tables}", values)
    rows = library.ask(
        f"""
        SELECT match.id AS match, file, played, side.name AS player, opponent, length,
            error.game + 1 AS game, kind, phase, error.themes, error.xgid, made, best, error.error, cost,
            why AS explanation, level, COALESCE((SELECT text FROM remark
                WHERE (match, game, action) = (error.match, error.game, error.action)), '') AS remark
        {tables} ORDER BY error.error DESC, match.id, game, action LIMIT :limit
        """,
        values | {"limit": -1 if most is None else most},
    )
    for row in rows:
        row["themes"] = tuple(filter(None, row["themes"].split(",")))
    return LargestErrors([Error(**row) for row in rows], all_["count"], all_["total"] or 0.0)
