"""A review in passes: a quick one, then the deeper one in its place. What is done is kept.

Nothing is lost where the time is over before the end: decisions that the deeper pass has not
reached stay as the quick one has them, and the same review goes on from there.
"""

from collections.abc import Callable, Iterator
from typing import Any

from gammon.base.errors import UnfinishedError
from gammon.base.store import Unit, key_of
from gammon.formats.met_file import read_met
from gammon.search import Stop
from gammon_study.match_files.transcript import Transcript
from gammon_study.reviews.review import Review, review_of
from gammon_study.reviews.task import items_of, review_facts, review_unit, units_of

#: A review that is to be deeper has a pass to this depth first: it takes seconds for a match.
QUICK = 3

#: Called with the decisions done, all decisions, and the plies of the pass.
OnDecision = Callable[[int, int, int], None]


def review_passes(
    match: Transcript,
    kept: dict[str, Any],
    stop: Stop,
    depth: int = 5,
    level: str | int | None = None,
    seed: int = 1,
    on_done: OnDecision = lambda done, of, depth: None,
) -> Iterator[Review]:
    """Yield the review of a match after each pass; the last one may not have come to its end.

    Args:
        match: what was read of a match file.
        kept: the results of units by their keys, of this match and of others. What is there is
            not done again; what is done is put there.
        stop: ends the work when it is set. The review then has some decisions `left`.
        depth: plies of the last pass.
        level: in place of a depth, as for an `Engine`.
        seed: of the dice of a level's games.
        on_done: called for progress.

    Raises:
        SettingError: there is no such depth, level or seed.
        FormatError: as for `Transcript.check`.
    """
    met = read_met()
    last = review_facts(depth, "leaf", met, level, seed)
    passes = [last]
    if "level" in last or last["depth"] > QUICK:
        passes.insert(0, review_facts(QUICK, "leaf", met))
    found: list[dict[str, Any] | None] = [None for game in match.games for _ in items_of(game)]
    for facts in passes:
        done, plies = 0, facts["depth"]
        on_done(0, len(found), plies)
        for unit in units_of(match.games, facts):
            try:
                results = _results(unit, kept, stop)
            except UnfinishedError:
                break
            found[done : done + len(results)] = results
            done += len(results)
            on_done(done, len(found), plies)
        left = len(found) - done
        yield review_of(match, plies, met, found, facts.get("level"), left)
        if left:
            return


def _results(unit: Unit, kept: dict[str, Any], stop: Stop) -> list[dict[str, Any]]:
    """Return the results of a unit, which are kept.

    Raises:
        UnfinishedError: the stop was set.
    """
    key = key_of(unit)
    results: list[dict[str, Any]] | None = kept.get(key)
    if results is None:
        results = review_unit(unit, stop)
        stop.check()  # a search that was stopped has answered from a smaller depth
        kept[key] = results
    return results
