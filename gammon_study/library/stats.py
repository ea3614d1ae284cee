"""Statistics of a library: what the decisions of its matches cost, in groups."""

from collections import defaultdict
from typing import Any, NamedTuple

from gammon.base.checks import one_of
from gammon.base.errors import SettingError
from gammon.formats.characters import folded
from gammon_study.library.ask import OF_DECISIONS, Selection
from gammon_study.library.library import Library, Row
from gammon_study.reviews.names import GROUPS
from gammon_study.reviews.totals import ErrorSums, performance_rating

#: Groups of matches, as SQL has them.
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
#: Groups in the order of their names; others begin with the one that lost the most.
_IN_ORDER = "day", "month", "year", "length", "match"
#: Matches of which each point of a trend is the mean.
_TOGETHER = 10


#: Themes that errors alone have, and of which kind these are.
_ERRORS_OF = {
    "missed double": "no double",
    "wrong double": "double",
    "wrong take": "take",
    "wrong pass": "pass",
}
#: The kinds of plays, of doubles and of takes.
_PARTS = ("play",), ("no double", "double"), ("take", "pass")


class Part(NamedTuple):
    """The plays, the doubles or the takes of a group.

    Attributes:
        counted: those that are decisions.
        wrong: those that lost .001 or more.
        bad: those that lost .06 or more.
        error: the sum of the equities that were lost.
    """

    counted: int
    wrong: int
    bad: int
    error: float

    @property
    def pr(self) -> float | None:
        """The performance rating, None without decisions."""
        return performance_rating(self.error, self.counted)


class Group(NamedTuple):
    """The decisions of a group.

    Attributes:
        name: of the group.
        matches: how many there are.
        sums: of the decisions.
        luck: of the player's rolls, as equities; None where the group has a part of the
            decisions, those of both sides, or an analysis without luck.
        won: matches that brought something; None where no match came to an end, or the group
            has a part of the decisions, or those of both sides.
        of: where the group has errors alone, such as wrong doubles: how many decisions of that
            kind there are; else None.
        plays: the plays; None where the group has a part of the decisions.
        doubles: the decisions to double or not.
        takes: the decisions to take or to pass.
    """

    name: str
    matches: int
    sums: ErrorSums
    luck: float | None
    won: int | None
    of: int | None = None
    plays: Part | None = None
    doubles: Part | None = None
    takes: Part | None = None

    @property
    def pr(self) -> float | None:
        """The performance rating; None without decisions, or where all of them are errors."""
        return self.sums.pr if self.of is None else None

    @property
    def pr_class(self) -> str | None:
        """XG's class of the PR, or None."""
        return self.sums.pr_class if self.of is None else None

    @property
    def bad(self) -> int:
        """The errors that lost .06 or more."""
        return self.sums.marks[1]


class Statistics(NamedTuple):
    """The decisions of a library in groups.

    Attributes:
        by: what they are groups of.
        groups: the figures of each.
        analyses: the same matches by who analyzed them.
    """

    by: str
    groups: list[Group]
    analyses: list[Group]


class Trend(NamedTuple):
    """The PR of a match, and of the last ones up to it.

    Attributes:
        match: its number in the library.
        played: the day, or None.
        pr: of this match; None where no decision counts.
        mean: of the last ten.
    """

    match: int
    played: str | None
    pr: float | None
    mean: float | None


def statistics(library: Library, asked: Selection, by: str) -> Statistics:
    """Return the decisions of a question in groups; the arguments are those of `groups_of`."""
    analyses = groups_of(library, asked, "analysis")
    return Statistics(by, groups_of(library, asked, by), analyses)


def groups_of(library: Library, asked: Selection, by: str = "all") -> list[Group]:
    """Return the figures of each group.

    Args:
        library: an open one.
        asked: which matches, and which part of their decisions.
        by: one of `GROUPS`.

    Raises:
        SettingError: a part of the question is not one, there is no such group, or it groups a
            part of the decisions by what they are.
    """
    by = one_of("by", by, GROUPS)
    (where, values), (part, name) = asked.of_matches(), asked.part()
    if by in OF_DECISIONS and (part, name) != ("all", "all"):
        # The library has sums of each theme, phase and kind, but not of two of them at once.
        raise SettingError(f"by {by!r}: expected no theme, phase or kind with it")
    group = "sums.name" if by in OF_DECISIONS else _OF_MATCHES[by]
    if by in OF_DECISIONS:
        chosen = "sums.part = :part"
        values["part"] = by
    else:
        chosen = "sums.part = :part AND sums.name = :of"
        values |= {"part": part, "of": name}
    rows = library.ask(
        f"""
        SELECT {group} AS label, COUNT(DISTINCT match.id) AS matches,
            SUM(choices) AS choices, SUM(counted) AS counted, SUM(active) AS active,
            SUM(wrong) AS wrong, SUM(sums.error) AS error, SUM(cost) AS cost, SUM(bad) AS bad,
            CASE WHEN COUNT(luck) = COUNT(*) THEN SUM(luck) END AS luck,
            SUM(result > 0) AS won
        FROM sums JOIN side USING (match, side) JOIN match ON match.id = match
        WHERE {chosen} AND {where} GROUP BY 1
        """,
        values,
    )
    kinds = _kinds_of(library, "''" if by in OF_DECISIONS else group, where, values)
    one_side = asked.player is not None or by in ("player", "opponent")
    whole = by in _OF_MATCHES and (part, name) == ("all", "all") and one_side
    groups = [
        Group(
            _name_of(row),
            row["matches"],
            ErrorSums(
                row["choices"],
                row["counted"],
                row["active"],
                row["wrong"],
                row["error"],
                row["cost"],
                (0, row["bad"], 0),
            ),
            *((row["luck"], row["won"]) if whole else (None, None)),
        )
        for row in rows
    ]
    if by in OF_DECISIONS:
        (all_,) = kinds.values() or [{}]
        groups = [
            each._replace(of=all_[_ERRORS_OF[each.name]].counted)
            if by == "theme" and each.name in _ERRORS_OF
            else each
            for each in groups
        ]
    elif name in _ERRORS_OF:
        kind = _ERRORS_OF[name]
        groups = [each._replace(of=kinds[folded(each.name)][kind].counted) for each in groups]
    elif (part, name) == ("all", "all"):
        groups = [_with_parts(each, kinds.get(folded(each.name), {})) for each in groups]
    if by in _IN_ORDER:
        return groups  # SQLite has sorted them
    return sorted(groups, key=lambda each: -each.sums.error)


def _name_of(row: Row) -> str:
    return "unknown" if row["label"] is None else str(row["label"])


def _kinds_of(library: Library, group: str, where: str, values: dict[str, Any]) -> dict[str, dict[str, Part]]:
    """Return the decisions of each kind, by the folded name of a group and by the kind.

    Args:
        library: an open one.
        group: what SQL groups by.
        where: the conditions on matches.
        values: of the query.
    """
    found: dict[str, dict[str, Part]] = defaultdict(dict)
    for row in library.ask(
        f"""
        SELECT {group} AS label, sums.name AS kind, SUM(counted) AS counted,
            SUM(wrong) AS wrong, SUM(bad) AS bad, SUM(sums.error) AS error
        FROM sums JOIN side USING (match, side) JOIN match ON match.id = match
        WHERE sums.part = 'kind' AND {where} GROUP BY 1, 2
        """,
        values,
    ):
        numbers = row["counted"], row["wrong"], row["bad"], row["error"]
        found[folded(_name_of(row))][row["kind"]] = Part(*numbers)
    return found


def _with_parts(group: Group, kinds: dict[str, Part]) -> Group:
    """Return a group with its plays, doubles and takes, by the kinds that it has."""
    plays, doubles, takes = (
        Part(
            sum(each.counted for each in parts),
            sum(each.wrong for each in parts),
            sum(each.bad for each in parts),
            sum(each.error for each in parts),
        )
        for parts in ([kinds[kind] for kind in those if kind in kinds] for those in _PARTS)
    )
    return group._replace(plays=plays, doubles=doubles, takes=takes)


def trend_of(library: Library, asked: Selection) -> list[Trend]:
    """Return the PR of each match of a question, in the order of their days.

    Matches without a day come first, in the order in which they were added.

    Raises:
        SettingError: a part of the question is not one, or its decisions are errors alone.
    """
    (where, values), (part, name) = asked.of_matches(), asked.part()
    if name in _ERRORS_OF:
        raise SettingError(f"theme {name!r}: it has errors alone, so there is no PR to draw")
    rows = library.ask(
        f"""
        SELECT match.id AS id, played, SUM(sums.error) AS error, SUM(counted) AS counted
        FROM sums JOIN side USING (match, side) JOIN match ON match.id = match
        WHERE sums.part = :part AND sums.name = :of AND {where}
        GROUP BY match.id ORDER BY played, match.id
        """,
        values | {"part": part, "of": name},
    )
    found: list[Trend] = []
    for number, row in enumerate(rows):
        last = rows[max(number + 1 - _TOGETHER, 0) : number + 1]
        error, counted = (sum(each[key] for each in last) for key in ("error", "counted"))
        single = performance_rating(row["error"], row["counted"])
        mean = performance_rating(error, counted)
        found.append(Trend(row["id"], row["played"], single, mean))
    return found
