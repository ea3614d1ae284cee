"""A file's own analysis, taken in place of a search where it is as deep as asked.

Depth 2n + 1 is n-ply of GNU Backgammon and n+1-ply of eXtreme Gammon, BGBlitz and bgsage, as the
glossary has it. eXtreme Gammon's truncated rollouts count as the depth that they are at least as strong
as.
"""

import re
from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

from gammon.engine.cube import CubeAction
from gammon.engine.engine import Engine
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.sequences import plays_of
from gammon_study.match_files.transcript import StoredAnalysis, StoredPlay, Transcript
from gammon_study.reviews.choice import CubeValues, unit_cost
from gammon_study.reviews.task import items_of

#: The short names of programs, and the plies that they count fewer than GNU Backgammon's plus 1.
_PROGRAMS = {
    "eXtreme Gammon": ("XG", 1), "BGBlitz": ("BGBlitz", 1), "bgsage": ("bgsage", 1),
    "GNU Backgammon": ("GNU", 0),
}  # fmt: skip
#: The depth that levels without a number of plies count as. XG's "red" search leaves out half the rolls.
_DEPTHS = {"3-ply red": 3, "XG Roller": 5, "XG Roller+": 7, "XG Roller++": 7, "rollout": inf, "book": inf}
#: The depth that a level of gammon asks for: its rollouts are deeper than any search.
_OF_LEVELS = 9
_PLIES = re.compile("([0-9])-ply(, cubeless)?")


def level_words(program: str, level: str) -> str:
    """Return a program's level in words, such as `XG Roller+` or `GNU 2-ply`."""
    short = next((short for name, (short, _) in _PROGRAMS.items() if program.startswith(name)), program)
    return level if level.startswith(short) else f"{short} {level}".rstrip()


def depth_of(program: str, level: str) -> float:
    """Return the depth that a program's level counts as; 0 if it is not known."""
    if level in _DEPTHS:
        return _DEPTHS[level]
    plies = _PLIES.fullmatch(level)
    fewer = next((fewer for name, (_, fewer) in _PROGRAMS.items() if program.startswith(name)), 0)
    return max(2 * (int(plies[1]) - fewer) + 1, 0) if plies else 0


def ranked_plays(stored: Iterable[StoredPlay], made: str, program: str) -> tuple[StoredPlay, ...]:
    """Return the plays of a file, those as deep as the one that was made first, each time the best first.

    Equities of less deep plays are not comparable, and none of these plays is the best one.

    Args:
        stored: the plays.
        made: the play that was made.
        program: the program that analyzed them.
    """
    depths = {play.play: depth_of(program, play.level) for play in stored}
    least = depths.get(made, 0.0)
    return tuple(sorted(stored, key=lambda play: (depths[play.play] < least, -play.equity)))


def imported_results(
    transcript: Transcript, met: MatchEquityTable, depth: int, level: str | None = None
) -> list[dict[str, Any] | None]:
    """Return the results of the items of all games (`items_of`), in order, from a file's analysis.

    A result has a `level`. The luck of a roll may be None. The result is None if the file lacks the
    decision, or its analysis is less deep than asked.

    Args:
        transcript: the match.
        met: the match equity table.
        depth: plies that are asked for.
        level: the level that is asked for in place of a depth, or None.

    Raises:
        FormatError: an action is against the rules.
    """
    least = depth if level is None else _OF_LEVELS
    static = Engine(depth=1, met=met)
    results: list[dict[str, Any] | None] = []
    for number, game in enumerate(transcript.games) if transcript.stored else ():
        for item in items_of(game):
            stored = transcript.stored.get((number, item["action"]), StoredAnalysis())
            by = transcript.stored_by
            results.append(
                _cube(stored, by, least) if "cube" in item else _play(item, stored, met, static, by, least)
            )
    return results


def merged(known: Sequence[dict[str, Any] | None], rest: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the results that are known, with the others in the gaps; luck that is not known as 0."""
    others = iter(rest)
    results = [next(others) if result is None else result for result in known] + list(others)
    return [{**result, "luck": result["luck"] or 0.0} if "luck" in result else result for result in results]


def _cube(stored: StoredAnalysis, program: str, least: float) -> dict[str, Any] | None:
    if stored.cube is None or depth_of(program, stored.cube.level) < least:
        return None
    values = CubeValues(stored.cube.no_double, stored.cube.double_take, 1.0)
    best = CubeAction.DOUBLE
    if values.no_double >= values.doubled:
        good = min(values.no_double, values.double_take) > values.double_pass
        best = CubeAction.TOO_GOOD if good else CubeAction.NO_DOUBLE
    return {
        "values": list(values),
        "best": best.value,
        "depth": 0,
        "chances": list(stored.cube.probabilities),
        "level": level_words(program, stored.cube.level),
    }


def _play(
    item: dict[str, Any],
    stored: StoredAnalysis,
    met: MatchEquityTable,
    static: Engine,
    program: str,
    least: float,
) -> dict[str, Any] | None:
    """Return the result of a roll, with the plays as `ranked_plays` has them.

    A forced play that the file does not value has its static value, as in a review.
    """
    position, made = Position.parse(item["roll"]), item["play"]
    assert position.dice is not None, "a roll has dice"
    terms, count = position.context.terms(), len(plays_of(position.points, position.dice))
    depths = {play.play: depth_of(program, play.level) for play in stored.plays}
    if count == 1 and not depths:
        values_of = static.values_of_plays([position.points], [position.dice], terms)
        plays: list[list[Any]] = [[made, float(values_of.equities[0]), values_of.chances[0].tolist()]]
        depths = {made: inf}
    else:
        plays = [
            [play.play, play.equity, list(play.probabilities), level_words(program, play.level)]
            for play in ranked_plays(stored.plays, made, program)
        ]
    if made not in depths or depths[made] < least:
        return None
    values = {play: value for play, value, *_ in plays}
    loss = plays[0][1] - values[made]
    unit = unit_cost(terms, met)
    return {
        "count": count,
        "plays": plays,
        "loss": loss,
        "depth": 0 if stored.plays else 1,
        "best": made if not loss else plays[0][0],
        "spread": max(values.values()) - min(values.values()),
        "luck": None if stored.luck is None else stored.luck * unit,
    }
