"""Add matches to a library: review and store the matches of files, and merge another library.

All processors share the turns of several matches, so they are busy to the end of a folder. Each
match is stored once its last turn is reviewed. An interruption therefore loses only the matches
under way, and the same command continues.

A decision that its file has an analysis of, as deep as asked and including the play that was made, is
not searched. A match came analyzed if that is true of all decisions.
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
from gammon.formats.characters import folded, one_line, visible
from gammon.formats.met_file import met_of, read_met
from gammon.rules.match_equity import MatchEquityTable
from gammon.search import Stop
from gammon_study.library.library import Library, Row, StoredMatch, check_size
from gammon_study.library.notes import derive_themes
from gammon_study.library.record import (
    begins,
    day_of,
    digest_of,
    is_short,
    review_of_stored,
    stem_of,
    stems_of,
    tables_of,
)
from gammon_study.match_files.match_file import LONGEST, SAVED, parse_file, saved_matches
from gammon_study.match_files.sgf import format_sgf, parse_sgf
from gammon_study.match_files.transcript import Transcript
from gammon_study.reviews.imported import imported_results, merged
from gammon_study.reviews.names import RULES
from gammon_study.reviews.review import Review, cached_results, review_of
from gammon_study.reviews.task import review_facts, review_unit, units_of

_LOG = logging.getLogger(__name__)

#: The endings of match files in a folder.
SUFFIXES = ".mat", ".sgf", ".bgf", ".xg", ".ogxm", ".gvab"
#: The number of files that are read for each worker before the turns of their matches are reviewed.
_AT_ONCE = 4
#: A lower bound on the bytes of a match's results for each decision and roll, which take some 500.
_LEAST = 200

#: Called with the matches done, all matches, and a line about the present one.
OnFile = Callable[[float, int, str], None]


class Added(NamedTuple):
    """The fate of a file.

    Attributes:
        file: its path.
        what: "reviewed", "kept as analyzed", "continued", "already there", "removed before", or
            "left out"; of a merge also "merged".
        detail: who analyzed the match, or why it is left out.
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
    again: bool
    known: list[dict[str, Any] | None]
    units: list[Unit]
    results: dict[int, Any] = field(default_factory=dict)

    @property
    def imported(self) -> bool:
        """Whether the file has an analysis of all decisions."""
        return bool(self.known) and None not in self.known


def match_files(places: Iterable[str | Path]) -> list[Path]:
    """Return the files among the places, and the match files in the folders, in order.

    In a folder texts without an analysis come last: if two files have one match, the first is added.

    Raises:
        GammonError: a folder cannot be read.
    """
    paths: list[Path] = []
    for place in map(Path, places):
        try:
            candidates = sorted(place.rglob("*"), key=_is_plain) if place.is_dir() else [place]
        except OSError as error:
            raise GammonError(f"{str(place)!r} cannot be read: {error.strerror}") from None
        paths += [
            path
            for path in candidates
            if path == place or (path.suffix.lower() in SUFFIXES and path.is_file())
        ]
    return list(dict.fromkeys(paths))


def _is_plain(path: Path) -> tuple[bool, Path]:
    return path.suffix.lower() == ".mat", path


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

    A match is identified by its players, its length and its actions. If the library has the match
    or a longer version of it, nothing is added. If the library has only the beginning of the
    match, the match takes its place. Where the file has an analysis that is as deep as asked, that
    analysis is kept.

    Args:
        library: the library that the matches are added to.
        files: `.mat`, `.sgf`, `.bgf`, `.xg`, `.ogxm` or `.gvab`; or `.json.gz`, a library that the page
            without a server saved, whose matches are added.
        depth: plies of the review, as an `Engine` counts them.
        workers: the number of processes.
        model: a shipped network's name, or a file.
        met: the match equity table, or its file; Kazaross-XG2 unless given.
        again: whether matches that came analyzed are reviewed, too, even if the library has them, and
            whether matches that were removed are added.
        on_file: called for progress.
        level: in place of a depth, as for an `Engine`.
        seed: of the dice in a level's games.

    Raises:
        SettingError: a setting is out of range.
        ModelError: there is no such network.
        GammonError: the library cannot be written, or a worker was killed.
    """
    if isinstance(files, str | Path):
        raise SettingError(f"files {shown(files)}: expected a list of them")
    table = met_of(met)
    facts, pool = review_facts(depth, model, table, level, seed), Pool(workers)
    size = _AT_ONCE * workers
    sources: list[tuple[str, Path | bytes]] = []
    for file in map(str, files):
        try:
            sources += saved_matches(Path(file)) if file.endswith(SAVED) else [(file, Path(file))]
        except GammonError as error:
            yield Added(file, "left out", str(error))
    for begin in range(0, len(sources), size):
        some = sources[begin : begin + size]
        waiting: dict[int, _Match] = {}
        units: list[Unit] = []
        for number, (file, source) in enumerate(some):
            on_file(begin, len(sources), f"reading {Path(file).name}")
            known = {match.digest for match in waiting.values()}
            try:
                content = read_bytes(source, LONGEST) if isinstance(source, Path) else source
            except GammonError as error:
                yield Added(file, "left out", str(error))
                continue
            match = _read(library, file, content, table, known, facts, again, removed=again)
            if isinstance(match, Added):
                yield match
                continue
            waiting[number] = match
            units += [{**unit, "match": number, "unit": n} for n, unit in enumerate(match.units)]
        reviewed = 0
        with closing(unit_results(review_unit, units, pool)) as results:
            for unit, result in results:
                match = waiting[unit["match"]]
                match.results[unit["unit"]] = result
                reviewed += 1
                share = reviewed / len(units) * len(some)
                on_file(begin + share, len(sources), f"reviewing {Path(match.file).name}")
                if len(match.results) == len(match.units):
                    yield _put(library, match, facts, table)
    on_file(len(sources), len(sources), "")


def add_match(
    library: Library,
    file: str,
    content: bytes,
    cache: dict[str, Any],
    stop: Stop,
    depth: int = 5,
    level: str | int | None = None,
    seed: int = 1,
    removed: bool = False,
    on_done: Callable[[int, int], None] = lambda done, total: None,
) -> Added:
    """Add the match of a file's bytes, as `add_matches` does, in this thread.

    Args:
        library: the library that the match is added to.
        file: the name of the file.
        content: its bytes.
        cache: results of units by their keys, as for `review_passes`: what a review has analyzed is
            not analyzed again. New results are added.
        stop: ends the work when it is set; its results stay in the cache.
        depth: plies of the review, as an `Engine` counts them.
        level: in place of a depth, as for an `Engine`.
        seed: of the dice in a level's games.
        removed: whether the match is added also if it was removed before.
        on_done: called with the numbers of finished and of all plays and decisions about the cube.

    Raises:
        UnfinishedError: the stop was set.
        SettingError: a setting is out of range.
        GammonError: the library cannot be written.
    """
    table = read_met()
    facts = review_facts(depth, "leaf", table, level, seed)
    match = _read(library, file, content, table, set(), facts, again=False, removed=removed)
    if isinstance(match, Added):
        return match
    done, total = 0, sum(len(unit["items"]) for unit in match.units)
    on_done(done, total)
    for number, unit in enumerate(match.units):
        match.results[number] = cached_results(unit, cache, stop)
        done += len(unit["items"])
        on_done(done, total)
    return _put(library, match, facts, table)


def _read(
    library: Library,
    file: str,
    content: bytes,
    table: MatchEquityTable,
    known: set[str],
    facts: dict[str, Any],
    again: bool,
    removed: bool,
) -> _Match | Added:
    """Return the match of a file if it needs a review, or else store it, and return what became of it."""
    data = sha256(content).hexdigest()
    try:
        if library.has_file(data) and not again:
            return Added(file, "already there")
        transcript = _as_stored(parse_file(file, content))
        known_match = known_part(library, transcript, again)
        results = [] if again else imported_results(transcript, table, facts["depth"], facts.get("level"))
        units = units_of(transcript.games, facts, results)
        check_size(file, "results", _LEAST * sum(len(unit["items"]) for unit in units))
    except GammonError as error:
        return Added(file, "left out", str(error))
    digest = digest_of(transcript)
    if digest in known or (known_match and known_match[1]):
        library.remember(data, known_match[1] if known_match else digest)
        return Added(file, "already there")
    if library.was_removed(digest) and not removed:
        return Added(file, "removed before")
    match = _Match(file, data, digest, transcript, again, results, units)
    return match if units else _put(library, match, facts, table)


def _as_stored(transcript: Transcript) -> Transcript:
    """Return a match as the library will return it, with the analysis and warnings of its file.

    If the rest of a game was left out and its winner is known, SGF ends the game by a resignation.
    """
    readable = parse_sgf(format_sgf(transcript))
    return replace(
        readable, stored=transcript.stored, stored_by=transcript.stored_by, warnings=transcript.warnings
    )


def _put(library: Library, match: _Match, settings: Mapping[str, Any], table: MatchEquityTable) -> Added:
    """Store a match whose decisions are all analyzed in the library."""
    rest = chain.from_iterable(match.results[n] for n in sorted(match.results))
    results = merged(match.known, rest)
    if any(match.known):
        lucky = all(result.get("luck", 0.0) is not None for result in match.known if result)
        given = {"by": match.transcript.stored_by, "lucky": lucky}
        settings = {**({"depth": 0, "met": None} if match.imported else settings), **given}
    depth, level = settings["depth"], settings.get("level")
    review = review_of(match.transcript, depth, table, results, level)
    row: Row = {
        **_derived(match.transcript, settings),
        "file": visible(match.file),
        "added": datetime.now(UTC).isoformat(" ", "seconds"),
        "length": match.transcript.length,
        "games": len(match.transcript.games),
    }
    stored_match = StoredMatch(format_sgf(match.transcript), settings, results)
    tables = tables_of(review, _lucky(settings))
    try:
        with library.writing():  # another process may have added the match or a part of it
            number, whole = known_part(library, match.transcript, match.again) or (None, "")
            known = library.has(match.digest)
            if not whole:
                library.add(row, stored_match, tables, number)
            library.remember(match.data, whole or match.digest)
    except FormatError as error:  # a match in the library is damaged, or this one is too large
        return Added(match.file, "left out", str(error))
    if whole:
        return Added(match.file, "already there")
    what = "kept as analyzed" if match.imported else "reviewed"
    if number and not known:
        what = "continued"
    return Added(match.file, what, row["analysis"])


def _derived(transcript: Transcript, settings: Mapping[str, Any]) -> Row:
    """Return the entries of a match's row that are derived from the transcript and the settings."""
    if not settings["depth"]:
        how = [settings["by"]]
    else:
        how = ["gammon", settings.get("level") or f"depth {settings['depth']}"]
    if settings.get("model", "leaf") != "leaf":
        how.append(settings["model"])
    if settings["met"] is not None:
        how.append(settings["met"]["name"])
    if settings["depth"] and "by" in settings:
        how.append(f"in part {settings['by']}")
    return {
        "digest": digest_of(transcript),
        "stem": stem_of(transcript),
        "played": day_of(transcript),
        "rules": RULES,
        "analysis": visible(", ".join(map(str, how))),
    }


def known_part(library: Library, transcript: Transcript, again: bool) -> tuple[int, str] | None:
    """Return the library's match that is this match, its beginning, or a longer version of it.

    Args:
        library: an open library.
        transcript: the match.
        again: whether matches that came analyzed are reviewed again.

    Returns:
        The number of the library's match, and its digest if it has all of the transcript and is to
        stay; else an empty text. None if the library has no such match.
    """
    digest, part = digest_of(transcript), None
    for row in _alike(library, transcript):
        stored_match = library.stored_match(row["id"])
        stored = parse_sgf(stored_match.transcript)
        if begins(transcript, stored):
            stays = row["digest"] != digest or "by" not in stored_match.settings
            return row["id"], row["digest"] if stays or not again else ""
        if begins(stored, transcript):
            part = row["id"], ""
    return part


def _alike(library: Library, transcript: Transcript) -> list[Row]:
    """Return the library's matches that may be this match, its beginning, or a longer version."""
    if is_short(transcript):  # longer versions have other stems
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
    """Return whether the luck of every roll is known, by the settings of a review."""
    return bool(settings.get("lucky", True))


def refresh(library: Library, on_done: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Derive rows again that an earlier gammon derived by other rules; return how many matches.

    If the earlier rules took a match for two, one remains. A damaged match stays as it is, with a
    warning in the log, and is not tried again. After an interruption the next call continues. With the
    matches, the themes of all notes are derived again.

    Args:
        library: an open library.
        on_done: called with the matches done and all matches, for progress.
    """
    old = library.ask("SELECT id FROM match WHERE ABS(rules) != ?", [RULES])
    if old:
        derive_themes(library)
    done = 0
    for number, row in enumerate(old):
        on_done(number, len(old))
        try:
            stored_match = library.stored_match(row["id"])
            review = _reviewed(library, row["id"], stored_match)
        except FormatError as error:
            _LOG.warning("%s: its figures were computed by an earlier gammon", error)
            library.replace(row["id"], {"rules": -RULES}, {})
            continue
        own = _derived(review.transcript, stored_match.settings)
        tables = tables_of(review, _lucky(stored_match.settings))
        with library.writing():
            if not library.join(row["id"], own["digest"]):
                library.replace(row["id"], own, tables)
        done += 1
    return done


def read_review(library: Library, number: int) -> Review:
    """Return the review of a match from its stored results.

    Raises:
        FormatError: the match is damaged.
    """
    return _reviewed(library, number, library.stored_match(number))


def _reviewed(library: Library, number: int, stored_match: StoredMatch) -> Review:
    try:
        return review_of_stored(stored_match)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        path = str(library.path)
        raise FormatError(f"{path!r}: match {number} is damaged") from None


def merge(
    library: Library, other: Library, on_match: Callable[[int, int], None] = lambda done, total: None
) -> Iterator[Added]:
    """Add the matches of another library, and yield what became of each.

    A match that both libraries have stays as it is in this one; of a match and its beginning the
    longer one remains. A match that was removed here is not added. Nothing is removed here because
    it was removed there. Cards of drills come along; of a card that both have, the one with more
    answers. Notes come along; of two on a position, the one that was changed last. Names that the
    other library gave to players come along for players whom no match here has. After
    an interruption the same merge continues.

    Args:
        library: the library that is changed, a match at a time.
        other: the other library, which stays as it is; only its derived rows are brought up to date.
        on_match: called with the matches done and all matches.

    Raises:
        GammonError: a library cannot be read or written.
    """
    refresh(other)
    matches = other.ask("SELECT * FROM match ORDER BY id")
    _merge_names(library, other)
    for done, row in enumerate(matches):
        on_match(done, len(matches))
        yield _merged(library, other, row)
    with library.writing():
        for card in other.ask("SELECT * FROM card"):
            known = library.ask("SELECT answers FROM card WHERE (ask, xgid) = (:ask, :xgid)", card)
            if not known or known[0]["answers"] < card["answers"]:
                library.keep_card(card)
        for note in other.ask("SELECT * FROM note"):
            known = library.ask("SELECT changed FROM note WHERE xgid = :xgid", note)
            if not known or known[0]["changed"] < note["changed"]:
                library.keep_note(note)
        for row in other.ask("SELECT digest FROM removed"):
            if not library.has(row["digest"]):
                library.ask("INSERT OR IGNORE INTO removed VALUES (?)", [row["digest"]])


def _merge_names(library: Library, other: Library) -> None:
    """Take names of players over from another library, unless this one has the players."""
    with library.writing():
        here = {folded(row["written"]) for row in library.ask("SELECT written FROM side")}
        for row in other.ask("SELECT folded, called FROM renamed"):
            if row["folded"] not in here:
                names = [row["folded"], one_line(row["called"])]
                library.ask("INSERT OR IGNORE INTO renamed VALUES (?, ?)", names)


def _merged(library: Library, other: Library, row: Row) -> Added:
    """Add a match of another library, whose row is given, and its files that need not be read again."""
    file, digest = row["file"], row["digest"]
    if library.was_removed(digest):
        return Added(file, "removed before")
    whole, part = digest if library.has(digest) else "", None
    try:
        with library.writing():
            if not whole:
                stored = other.stored_match(row["id"])
                transcript = parse_sgf(stored.transcript)
                if digest_of(transcript) != digest:
                    raise FormatError(f"{str(other.path)!r}: match {row['id']} is damaged")
                part, whole = known_part(library, transcript, again=False) or (None, "")
                if not whole:
                    own = {name: value for name, value in row.items() if name != "id"}
                    library.add(own, stored, other.derived_rows(row["id"]), part)
            for seen in other.ask("SELECT bytes FROM seen WHERE match = ?", [row["id"]]):
                library.remember(seen["bytes"], whole or digest)
    except FormatError as error:
        return Added(file, "left out", str(error))
    if whole:
        return Added(file, "already there")
    return Added(file, "continued" if part else "merged", row["analysis"])
