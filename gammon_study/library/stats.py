"""Statistics of a library: what groups of decisions cost, and the errors among them."""

from collections import defaultdict
from typing import Any, NamedTuple

from gammon.base.checks import one_of, whole
from gammon.base.errors import SettingError
from gammon.base.mean import ratio_margin
from gammon.formats.characters import folded
from gammon_study.library.library import Library, Row
from gammon_study.library.selection import OF_DECISIONS, Selection
from gammon_study.reviews.names import GROUPS, KINDS_BY_PART
from gammon_study.reviews.rates import RATING, ErrorSums, performance_rating

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
        counted: how many count as decisions.
        wrong: how many lost 0.001 or more.
        bad: how many lost 0.06 or more.
        error: the sum of the lost equities.
        margin: half the width of the PR's 95 % confidence interval, from its variation between
            matches; None with fewer than three matches.
    """

    counted: int
    wrong: int
    bad: int
    error: float
    margin: float | None = None

    @property
    def pr(self) -> float | None:
        """The performance rating; None without decisions."""
        return performance_rating(self.error, self.counted)


class Group(NamedTuple):
    """The decisions of a group.

    Attributes:
        name: the name of the group.
        matches: how many matches there are.
        sums: the sums of the decisions.
        luck: the luck of the player's rolls, as equities; None if the group has only a part of the
            decisions, decisions of both sides, or an analysis without luck.
        won: how many matches the player won, or money sessions with a gain; None if no match was
            finished, or the group has only a part of the decisions, or decisions of both sides.
        decisions: if the group has only errors, such as wrong doubles, the number of decisions of that
            kind; else None.
        plays: the plays; None if the group has only a part of the decisions.
        doubles: the decisions to double or not.
        takes: the decisions to take or to pass.
        margin: half the width of the PR's 95 % confidence interval, from its variation between
            matches; None with fewer than three matches, or if the group has only errors.
    """

    name: str
    matches: int
    sums: ErrorSums
    luck: float | None
    won: int | None
    decisions: int | None = None
    plays: GroupPart | None = None
    doubles: GroupPart | None = None
    takes: GroupPart | None = None
    margin: float | None = None

    @property
    def pr(self) -> float | None:
        """The performance rating; None without decisions, or if the group has only errors."""
        return self.sums.pr if self.decisions is None else None

    @property
    def pr_class(self) -> str | None:
        """XG's class of the PR, or None."""
        return self.sums.pr_class if self.decisions is None else None

    @property
    def bad(self) -> int:
        """The number of errors that lost 0.06 or more."""
        return self.sums.marks[1]


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
    if by in OF_DECISIONS and (part, name) != ("all", "all"):
        # The library has sums for each theme, phase and kind, but not for two of them at once.
        raise SettingError(f"by {by!r}: expected no theme, phase or kind with it")
    column = "sums.name" if by in OF_DECISIONS else _OF_MATCHES[by]
    if by in OF_DECISIONS:
        chosen = "sums.part = :part"
        values["part"] = by
    else:
        chosen = "sums.part = :part AND sums.name = :of"
        values |= {"part": part, "of": name}
    rows = library.ask(
        f"""
        SELECT label, SUM(choices) AS choices, SUM(counted) AS counted, SUM(active) AS active,
            SUM(wrong) AS wrong, SUM(error) AS error, SUM(cost) AS cost, SUM(bad) AS bad,
            CASE WHEN COUNT(luck) = COUNT(*) THEN SUM(luck) END AS luck, SUM(won) AS won, {_MARGIN}
        FROM (
            SELECT {column} AS label, SUM(choices) AS choices, SUM(counted) AS counted,
                SUM(active) AS active, SUM(wrong) AS wrong, SUM(sums.error) AS error,
                SUM(cost) AS cost, SUM(bad) AS bad, SUM(result > 0) AS won,
                CASE WHEN COUNT(luck) = COUNT(*) THEN SUM(luck) END AS luck
            FROM sums JOIN side USING (match, side) JOIN match ON match.id = match
            WHERE {chosen} AND {where} GROUP BY 1, match.id
        ) GROUP BY label COLLATE any_case
        """,
        values,
    )
    kinds = _parts_of(library, "''" if by in OF_DECISIONS else column, "name", where, values)
    one_side = selection.player is not None or by in ("player", "opponent")
    whole = by in _OF_MATCHES and (part, name) == ("all", "all") and one_side
    groups = [
        Group(
            _name_of(row),
            row["units"],
            ErrorSums(
                row["choices"],
                row["counted"],
                row["active"],
                row["wrong"],
                row["error"],
                row["cost"],
                (0, row["bad"], 0),
            ),
            row["luck"] if whole else None,
            row["won"] if whole else None,
            margin=_margin(row),
        )
        for row in rows
    ]
    if by in OF_DECISIONS:
        (all_,) = kinds.values() or [{}]
        groups = [
            group._replace(decisions=all_[ERRORS_OF[group.name]].counted, margin=None)
            if by == "theme" and group.name in ERRORS_OF
            else group
            for group in groups
        ]
    elif name in ERRORS_OF:
        kind = ERRORS_OF[name]
        groups = [
            group._replace(decisions=kinds[folded(group.name)][kind].counted, margin=None) for group in groups
        ]
    elif (part, name) == ("all", "all"):
        parts = _parts_of(library, column, _PART, where, values)
        groups = [_with_parts(group, parts.get(folded(group.name), {})) for group in groups]
    if by in _IN_ORDER:
        return groups  # SQLite has sorted them
    return sorted(groups, key=lambda group: -group.sums.error)


def _name_of(row: Row) -> str:
    return "unknown" if row["label"] is None else str(row["label"])


def _with_parts(group: Group, parts: dict[str, GroupPart]) -> Group:
    """Return a group with its plays, doubles and takes; a missing part has no decisions."""
    plays, doubles, takes = (parts.get(part, GroupPart(0, 0, 0, 0.0)) for part in KINDS_BY_PART)
    return group._replace(plays=plays, doubles=doubles, takes=takes)


def _parts_of(
    library: Library, column: str, part: str, where: str, values: dict[str, Any]
) -> dict[str, dict[str, GroupPart]]:
    """Return some decisions of each group, by the folded name of the group and by the part.

    Args:
        library: an open library.
        column: the SQL expression to group by.
        part: the SQL expression for the part of a kind in the column `name`: `name` or `_PART`.
        where: the SQL conditions on matches.
        values: the parameters of the conditions.
    """
    groups: dict[str, dict[str, GroupPart]] = defaultdict(dict)
    for row in library.ask(
        f"""
        SELECT label, part, SUM(counted) AS counted, SUM(wrong) AS wrong, SUM(bad) AS bad,
            SUM(error) AS error, {_MARGIN}
        FROM (
            SELECT {column} AS label, {part.replace("name", "sums.name")} AS part, SUM(counted) AS counted,
                SUM(wrong) AS wrong, SUM(bad) AS bad, SUM(sums.error) AS error
            FROM sums JOIN side USING (match, side) JOIN match ON match.id = match
            WHERE sums.part = 'kind' AND {where} GROUP BY 1, 2, match.id
        ) GROUP BY label COLLATE any_case, part
        """,
        values,
    ):
        numbers = row["counted"], row["wrong"], row["bad"], row["error"], _margin(row)
        groups[folded(_name_of(row))][row["part"]] = GroupPart(*numbers)
    return groups


#: The SQL expression for the part of `KINDS_BY_PART` that a kind in the column `name` is in.
_PART = "CASE name {} END".format(
    " ".join(f"WHEN {kind!r} THEN {part!r}" for part, kinds in KINDS_BY_PART.items() for kind in kinds)
)
#: The SQL expressions for what `_margin` needs, over rows of a match each: the number of matches, and
#: sums of products. Both sides of a match are one row, as their errors are not independent.
_MARGIN = """COUNT(*) AS units, SUM(error * error) AS squares,
    SUM(error * counted) AS products, SUM(counted * counted) AS counts"""


def _margin(row: Row) -> float | None:
    """Return the margin of the PR of a row with `_MARGIN`."""
    moments = (row[name] for name in ("error", "counted", "squares", "products", "counts"))
    margin = ratio_margin(row["units"], *moments)
    return None if margin is None else RATING * margin


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
        FROM sums JOIN side USING (match, side) JOIN match ON match.id = match
        WHERE sums.part = :part AND sums.name = :of AND {where}
        GROUP BY match.id ORDER BY played, match.id
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
    tables = f"""
        FROM error JOIN side USING (match, side) JOIN match ON match.id = match WHERE {where}
    """
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
