"""Adding: matches of files are read, reviewed where they are new, and put into a library.

All processors share the turns of several matches, so they are busy to the end of a folder. Each
match is put into the library once its last turn is reviewed. So who is interrupted loses the
matches under way, and the same command goes on.

A match came analyzed if its file has an analysis of every decision about the cube and of every
roll that leaves a choice, with the play that was made. Then nothing is searched.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from gammon.base.checks import shown
from gammon.base.errors import FormatError, GammonError, SettingError
from gammon.base.files import read_bytes
from gammon.base.parallel import Pool, unit_results
from gammon.base.store import Unit
from gammon.engine.cube import CubeAction
from gammon.formats.characters import visible
from gammon.formats.met_file import met_of
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.ways import plays_of
from gammon_study.library.library import Kept, Library, Row, check_size
from gammon_study.library.record import (
    begins,
    day_of,
    digest_of,
    is_short,
    review_kept,
    stem_of,
    stems_of,
    tables_of,
)
from gammon_study.match_files.match_file import LONGEST, read_transcript
from gammon_study.match_files.sgf import format_sgf, parse_sgf
from gammon_study.match_files.stored import StoredAnalysis
from gammon_study.match_files.transcript import Transcript
from gammon_study.reviews.choice import CubeValues, unit_cost
from gammon_study.reviews.names import RULES
from gammon_study.reviews.review import Review, review_of
from gammon_study.reviews.task import items_of, review_facts, review_unit, units_of

_LOG = logging.getLogger(__name__)

#: The names of match files in a folder end so.
SUFFIXES = ".mat", ".sgf", ".bgf", ".xg"
#: So many files are read for each worker before the turns of their matches are reviewed.
_AT_ONCE = 4
#: The results of a match take more bytes for each decision and roll: some 500.
_LEAST = 200

#: Called with the matches done, all matches, and a line about the present one.
OnFile = Callable[[float, int, str], None]


class Added(NamedTuple):
    """The fate of a file.

    Attributes:
        file: its path.
        what: "reviewed", "kept as analyzed", "continued", "already there", or "left out".
        detail: who analyzed it, or why it is left out.
    """

    file: str
    what: str
    detail: str = ""


@dataclass
class _Match:
    """A match under way."""

    file: str
    data: str
    digest: str
    transcript: Transcript
    units: int
    again: bool
    found: dict[int, Any] = field(default_factory=dict)


def match_files(places: Iterable[str | Path]) -> list[Path]:
    """Return the files that are named, and the match files in all folders, in their order.

    Raises:
        GammonError: a folder cannot be read.
    """
    found: list[Path] = []
    for place in map(Path, places):
        try:
            inside = sorted(place.rglob("*")) if place.is_dir() else [place]
        except OSError as error:
            raise GammonError(f"{str(place)!r} cannot be read: {error.strerror}") from None
        found += [
            path for path in inside if path == place or (path.suffix.lower() in SUFFIXES and path.is_file())
        ]
    return list(dict.fromkeys(found))


def add_matches(
    library: Library,
    files: Sequence[str | Path],
    depth: int = 5,
    workers: int = 1,
    model: str = "leaf",
    met: MatchEquityTable | str | Path | None = None,
    again: bool = False,
    on_file: OnFile = lambda done, total, text: None,
    level: str | int | None = None,
    seed: int = 1,
) -> Iterator[Added]:
    """Add the matches of files, and yield what became of each file, as it is known.

    A match is known by its players, its length and its actions. One that is there is not added
    again. One of which a part is there takes that one's place, and a part of one that is there
    is not added. One that came with an analysis of all its decisions keeps that.

    Args:
        library: it gets them.
        files: `.mat`, `.sgf`, `.bgf` or `.xg`.
        depth: plies of the review, as an `Engine` counts them.
        workers: the number of processes.
        model: a shipped network's name, or a file.
        met: the match equity table, or its file; Kazaross-XG2 unless given.
        again: whether matches that came analyzed are reviewed, too, those that are there as
            well.
        on_file: called for progress.
        level: in place of a depth, as for an `Engine`.
        seed: of the dice of a level's games.

    Raises:
        SettingError: a setting is out of range.
        ModelError: there is no such network.
        GammonError: the library cannot be written, or a worker was killed.
    """
    if isinstance(files, str | Path):
        raise SettingError(f"files {shown(files)}: expected a list of them")
    table = met_of(met)
    facts, pool = review_facts(depth, model, table, level, seed), Pool(workers)
    done = 0
    size = _AT_ONCE * workers
    for begin in range(0, len(files), size):
        some = files[begin : begin + size]
        waiting: dict[int, _Match] = {}
        units: list[Unit] = []
        for number, file in enumerate(some):
            on_file(done + number / 10, len(files), f"reading {Path(file).name}")
            known = {match.digest for match in waiting.values()}
            found = _read(library, str(file), table, known, again)
            if isinstance(found, Added):
                yield found
                continue
            try:
                turns = units_of(found.transcript.games, facts)
                items = sum(len(turn["items"]) for turn in turns)
                check_size(found.file, "results", _LEAST * items)
            except GammonError as error:
                yield Added(str(file), "left out", str(error))
                continue
            if not turns:  # as in a match that was resigned before its first roll
                yield _put(library, found, facts, table)
                continue
            found.units = len(turns)
            waiting[number] = found
            units += [{**unit, "match": number, "unit": n} for n, unit in enumerate(turns)]
        reviewed = 0
        with closing(unit_results(review_unit, units, pool)) as results:
            for unit, result in results:
                match = waiting[unit["match"]]
                match.found[unit["unit"]] = result
                reviewed += 1
                share = reviewed / len(units) * len(some)
                on_file(done + share, len(files), f"reviewing {Path(match.file).name}")
                if len(match.found) == match.units:
                    yield _put(library, match, facts, table)
        done += len(some)
    on_file(done, len(files), "")


def _read(
    library: Library, file: str, table: MatchEquityTable, known: set[str], again: bool
) -> _Match | Added:
    """Return the match of a file that is to be reviewed, or what else became of it."""
    try:
        data = sha256(read_bytes(Path(file), LONGEST)).hexdigest()
        if library.has_file(data) and not again:
            return Added(file, "already there")
        transcript = _as_kept(read_transcript(file))
        there = _part(library, transcript, again)
        came = None if again else came_results(transcript, table)
    except GammonError as error:
        return Added(file, "left out", str(error))
    digest = digest_of(transcript)
    if digest in known or (there and there[1]):
        library.remember(data, there[1] if there else digest)
        return Added(file, "already there")
    match = _Match(file, data, digest, transcript, 0, again)
    if came is None:
        return match
    match.found[0] = came.results
    return _put(library, match, came.settings, table)


def _as_kept(transcript: Transcript) -> Transcript:
    """Return a match as the library gives it back, with what its file says beside it.

    SGF ends a game whose rest was left out, and whose winner is known, by a resignation.
    """
    kept = parse_sgf(format_sgf(transcript))
    return replace(
        kept, stored=transcript.stored, stored_by=transcript.stored_by, warnings=transcript.warnings
    )


def _put(library: Library, match: _Match, settings: Mapping[str, Any], table: MatchEquityTable) -> Added:
    """Put a match whose decisions are all analyzed into the library."""
    results = list(chain.from_iterable(match.found[n] for n in sorted(match.found)))
    depth, level = settings["depth"], settings.get("level")
    review = review_of(match.transcript, depth, table, results, level)
    row: Row = {
        **_derived(match.transcript, settings),
        "file": visible(match.file),
        "added": datetime.now(UTC).isoformat(" ", "seconds"),
        "length": match.transcript.length,
        "games": len(match.transcript.games),
    }
    kept = Kept(format_sgf(match.transcript), settings, results)
    tables = tables_of(review, _lucky(settings))
    try:
        with library.writing():  # as another process may have added it, or a part
            number, whole = _part(library, match.transcript, match.again) or (None, "")
            known = library.has(match.digest)
            if not whole:
                library.add(row, kept, tables, number)
            library.remember(match.data, whole or match.digest)
    except FormatError as error:  # of a match that is there, or this one is too large
        return Added(match.file, "left out", str(error))
    if whole:
        return Added(match.file, "already there")
    what = "kept as analyzed" if "by" in settings else "reviewed"
    if number and not known:
        what = "continued"
    return Added(match.file, what, row["analysis"])


def _derived(transcript: Transcript, settings: Mapping[str, Any]) -> Row:
    """Return the entries of a match's row that follow from what is kept of it."""
    how = ["gammon", settings.get("level") or f"depth {settings['depth']}"]
    if settings.get("model", "leaf") != "leaf":
        how.append(settings["model"])
    if settings["met"] is not None:
        how.append(settings["met"]["name"])
    return {
        "digest": digest_of(transcript),
        "stem": stem_of(transcript),
        "played": day_of(transcript),
        "rules": RULES,
        "analysis": settings["by"] if "by" in settings else visible(", ".join(map(str, how))),
    }


def _part(library: Library, transcript: Transcript, again: bool) -> tuple[int, str] | None:
    """Return the match of the library that is this one, or a part of it, or has it as a part.

    Args:
        library: an open one.
        transcript: the match.
        again: whether one that came analyzed is to be reviewed.

    Returns:
        Its number, and its digest if it has all that the transcript has, and stays.
    """
    digest, part = digest_of(transcript), None
    for row in _alike(library, transcript):
        kept = library.kept(row["id"])
        there = parse_sgf(kept.transcript)
        if begins(transcript, there):
            stays = row["digest"] != digest or "by" not in kept.settings
            return row["id"], row["digest"] if stays or not again else ""
        if begins(there, transcript):
            part = row["id"], ""
    return part


def _alike(library: Library, transcript: Transcript) -> list[Row]:
    """Return the matches that may be a match, a part of it, or have it as a part."""
    if is_short(transcript):  # matches that go on have other stems
        return library.ask(
            "SELECT id, digest FROM match JOIN side ON match = id WHERE side = 0 "
            "AND length = ? AND (name COLLATE any_case, opponent COLLATE any_case) "
            "IN (VALUES (?, ?), (?, ?))",
            [transcript.length, *transcript.players, *transcript.players[::-1]],
        )
    stems = stems_of(transcript)
    places = ", ".join("?" * len(stems))
    question = f"SELECT id, digest FROM match WHERE digest = ? OR stem IN ({places})"
    return library.ask(question, [digest_of(transcript), *stems])


def _lucky(settings: Mapping[str, Any]) -> bool:
    """Tell whether the luck of every roll is known, by the settings of a review."""
    return bool(settings.get("lucky", True))


def refresh(library: Library) -> int:
    """Make the rows again that rules of an earlier gammon have made; return how many matches.

    Of a match that these rules took for two, one is left. One that is damaged stays as it is,
    with a warning in the log, and is not looked at again.
    """
    old = library.ask("SELECT id FROM match WHERE ABS(rules) != ?", [RULES])
    done = 0
    for row in old:
        try:
            kept = library.kept(row["id"])
            review = _reviewed(library, row["id"], kept)
        except FormatError as error:
            _LOG.warning("%s: its figures are those of an earlier gammon", error)
            library.replace(row["id"], {"rules": -RULES}, {})
            continue
        own = _derived(review.transcript, kept.settings)
        tables = tables_of(review, _lucky(kept.settings))
        with library.writing():
            if not library.join(row["id"], own["digest"]):
                library.replace(row["id"], own, tables)
        done += 1
    return done


def review_again(library: Library, number: int) -> Review:
    """Return the review of a match from what is kept of it.

    Raises:
        FormatError: it is damaged.
    """
    return _reviewed(library, number, library.kept(number))


def _reviewed(library: Library, number: int, kept: Kept) -> Review:
    try:
        return review_kept(kept)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        path = str(library.path)
        raise FormatError(f"{path!r}: match {number} is damaged") from None


class Came(NamedTuple):
    """The analysis that came with a match.

    Attributes:
        settings: who made it, in the shape of a review's; and `lucky`, whether the luck of
            every roll is known.
        results: of each item of all games, in their order.
    """

    settings: dict[str, Any]
    results: list[dict[str, Any]]


def came_results(transcript: Transcript, met: MatchEquityTable) -> Came | None:
    """Return the analysis that came with a match; None where it lacks a decision.

    Raises:
        FormatError: an action is against the rules.
    """
    if not transcript.stored:
        return None
    results = []
    for number, game in enumerate(transcript.games):
        for item in items_of(game):
            stored = transcript.stored.get((number, item["action"]), StoredAnalysis())
            found = _cube(stored) if "cube" in item else _play(item, stored, met)
            if found is None:
                return None
            results.append(found)
    lucky = all(each.get("luck", 0.0) is not None for each in results)
    for each in results:
        if each.get("luck", 0.0) is None:
            each["luck"] = 0.0
    settings = {"by": transcript.stored_by, "depth": 0, "met": None, "lucky": lucky}
    return Came(settings, results)


def _cube(stored: StoredAnalysis) -> dict[str, Any] | None:
    if stored.cube is None:
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
    }


def _play(item: dict[str, Any], stored: StoredAnalysis, met: MatchEquityTable) -> dict[str, Any] | None:
    position, made = Position.parse(item["roll"]), item["play"]
    assert position.dice is not None, "a roll has dice"
    count = len(plays_of(position.points, position.dice))
    plays: list[list[Any]] = [[*each[:2], list(each.probabilities)] for each in stored.plays]
    plays.sort(key=lambda each: -each[1])
    if count == 1 and not plays:
        plays = [[made, 0.0, [0.0] * 5]]  # nobody asks for the chances
    values = {play: value for play, value, _ in plays}
    if made not in values:
        return None
    best = max(values.values())
    loss = best - values[made]
    unit = unit_cost(position.context.terms(), met)
    return {
        "count": count,
        "plays": plays,
        "loss": loss,
        "depth": 0,
        "best": made if not loss else plays[0][0],
        "spread": best - min(values.values()),
        "luck": None if stored.luck is None else stored.luck * unit,
    }
