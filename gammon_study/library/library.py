"""The library: an SQLite file with matches, the results of their reviews, and tables for queries.

One transaction adds a match, so the library has all of a match or nothing. Two processes may add
matches at the same time, as SQLite lets one write after the other. The transcripts and the results
of the reviews are stored; all other tables are derived from them, and are derived again when a
rule has changed.
"""

import json
import logging
import re
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from itertools import chain, count
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from gammon.base.checks import path_of, shown
from gammon.base.errors import FormatError, GammonError
from gammon.base.files import written_whole
from gammon.formats.characters import folded, visible, visible_in

_LOG = logging.getLogger(__name__)

#: The application id of gammon's SQLite files: "gamm".
_APPLICATION = 0x67616D6D
#: Seconds that a process waits for another process to finish writing.
_PATIENCE = 60.0
#: The most bytes of a match: enough for a thousand games. Results take fifty times as many bytes as
#: the transcript.
_MOST = {"transcript": 1_000_000, "results": 30_000_000}

#: The steps from an empty file to the present tables. A file's version is the number of its steps.
_STEPS = (
    # `digest`: of players, length and actions. `played`: the day. `analysis`: who analyzed.
    # `rules`: the version of the rules that derived the rows of the tables below.
    """
    CREATE TABLE match (
        id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, file TEXT NOT NULL,
        added TEXT NOT NULL, played TEXT, length INTEGER NOT NULL, games INTEGER NOT NULL,
        analysis TEXT NOT NULL, rules INTEGER NOT NULL
    );
    """
    # The digests of files whose match is in the library: they need not be read again.
    """
    CREATE TABLE seen (bytes TEXT PRIMARY KEY, match INTEGER NOT NULL) WITHOUT ROWID;
    """
    # SGF, the settings of the review, and its results as JSON. SGF and results are compressed.
    """
    CREATE TABLE kept (
        match INTEGER PRIMARY KEY REFERENCES match, transcript BLOB NOT NULL,
        settings TEXT NOT NULL, results BLOB NOT NULL
    );
    """
    # `rolls`: of both players. `luck` in EMG, `worth` and `result` as chances to win, or points.
    """
    CREATE TABLE side (
        match INTEGER NOT NULL REFERENCES match, side INTEGER NOT NULL,
        name TEXT NOT NULL COLLATE NOCASE, opponent TEXT NOT NULL COLLATE NOCASE,
        rolls INTEGER NOT NULL, luck REAL, worth REAL, result REAL, PRIMARY KEY (match, side)
    ) WITHOUT ROWID;
    """
    # `part`: all, kind, phase or theme. `bad`: decisions that lost 0.06 or more.
    """
    CREATE TABLE sums (
        part TEXT NOT NULL, name TEXT NOT NULL, match INTEGER NOT NULL REFERENCES match,
        side INTEGER NOT NULL, choices INTEGER NOT NULL, counted INTEGER NOT NULL,
        active INTEGER NOT NULL, wrong INTEGER NOT NULL, error REAL NOT NULL,
        cost REAL NOT NULL, bad INTEGER NOT NULL, PRIMARY KEY (part, name, match, side)
    ) WITHOUT ROWID;
    """
    # `game`, `action`: from 0 on. `themes`: each between commas. `board`: as in an XGID whose
    # lower player is on roll. `own`, `their`: points away of the player who decides and of the
    # opponent.
    """
    CREATE TABLE error (
        match INTEGER NOT NULL REFERENCES match, side INTEGER NOT NULL, game INTEGER NOT NULL,
        action INTEGER NOT NULL, kind TEXT NOT NULL, phase TEXT NOT NULL, themes TEXT NOT NULL,
        xgid TEXT NOT NULL, board TEXT NOT NULL, own INTEGER NOT NULL, their INTEGER NOT NULL,
        made TEXT NOT NULL, best TEXT NOT NULL, error REAL NOT NULL, cost REAL NOT NULL,
        why TEXT NOT NULL
    );
    CREATE INDEX error_size ON error (error DESC);
    CREATE INDEX error_match ON error (match);
    CREATE INDEX sums_match ON sums (match);
    CREATE INDEX side_name ON side (name)
    """,
    # `stem`: a digest of players, length and the first actions, which a match and its beginning share.
    """
    ALTER TABLE match ADD COLUMN stem TEXT NOT NULL DEFAULT '';
    CREATE INDEX match_stem ON match (stem)
    """,
    # `ask`: what the card asks. `state`: the card of fsrs, as JSON. `due`: a time in UTC. `lost`:
    # the equity lost in all answers.
    """
    CREATE TABLE card (
        ask TEXT NOT NULL, xgid TEXT NOT NULL, deck TEXT NOT NULL, note TEXT NOT NULL,
        state TEXT NOT NULL, due TEXT NOT NULL, answers INTEGER NOT NULL, lost REAL NOT NULL,
        PRIMARY KEY (ask, xgid)
    ) WITHOUT ROWID
    """,
    # `removed`: digests of matches that the user removed. `renamed`: names in match files, folded,
    # and what the user calls these players. `written`: the name in the match file.
    """
    CREATE TABLE removed (digest TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE renamed (folded TEXT PRIMARY KEY, called TEXT NOT NULL) WITHOUT ROWID;
    ALTER TABLE side ADD COLUMN written TEXT NOT NULL DEFAULT '';
    UPDATE side SET written = name
    """,
    # `difficulty`, `expected`: the difficulties of the decisions, as errors and as costs. `lean`,
    # `expected_lean`: see `difficulty.Lean`. `began`: the day of a card's first answer.
    """
    ALTER TABLE sums ADD COLUMN difficulty REAL NOT NULL DEFAULT 0;
    ALTER TABLE sums ADD COLUMN expected REAL NOT NULL DEFAULT 0;
    CREATE TABLE bias (
        name TEXT NOT NULL, match INTEGER NOT NULL REFERENCES match, side INTEGER NOT NULL,
        counted INTEGER NOT NULL, lean REAL NOT NULL, expected_lean REAL NOT NULL,
        error REAL NOT NULL, difficulty REAL NOT NULL, PRIMARY KEY (name, match, side)
    ) WITHOUT ROWID;
    CREATE INDEX bias_match ON bias (match);
    ALTER TABLE card ADD COLUMN began TEXT
    """,
    # `remark`: comments and marks in match files. `note`: notes of the user on positions; `themes` and
    # `tags` each between commas. `own`: the user's name. `level`: as in `Choice`.
    """
    CREATE TABLE remark (
        match INTEGER NOT NULL REFERENCES match, side INTEGER NOT NULL, game INTEGER NOT NULL,
        action INTEGER NOT NULL, xgid TEXT NOT NULL, board TEXT NOT NULL, themes TEXT NOT NULL,
        text TEXT NOT NULL, PRIMARY KEY (match, game, action)
    ) WITHOUT ROWID;
    CREATE TABLE note (
        xgid TEXT PRIMARY KEY, board TEXT NOT NULL, themes TEXT NOT NULL, tags TEXT NOT NULL,
        text TEXT NOT NULL, changed TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE own (name TEXT PRIMARY KEY) WITHOUT ROWID;
    ALTER TABLE error ADD COLUMN level TEXT NOT NULL DEFAULT ''
    """,
)

#: The tables whose rows are derived from the stored part of a match.
_DERIVED = "side", "sums", "error", "bias", "remark"
#: For each SQL type of a column, the Python types of its values, and their name for people.
_TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "TEXT": (str, "a text"),
    "INTEGER": (int, "a whole number"),
    "REAL": ((int, float), "a number"),
    "BLOB": (bytes, "bytes"),
}
#: A day. Names of exported files begin with it.
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")

#: A row of a table: its values by the names of its columns.
Row = dict[str, Any]


class LockedError(GammonError):
    """Another program locks the library for longer than this process waits."""


class StoredMatch(NamedTuple):
    """The stored part of a match, from which all other rows are derived.

    Attributes:
        transcript: the match, as the text of an SGF file.
        settings: the settings of the review; plain JSON values.
        results: the results of the decisions and rolls, in order; plain JSON values.
    """

    transcript: str
    settings: Mapping[str, Any]
    results: Sequence[Any]


class Library:
    """An open library, which `with` closes.

    Args:
        path: the file.
        make: whether a missing file and its folder are created.
        patience: seconds to wait for another program to finish writing.

    Raises:
        LockedError: another program keeps the file locked, here or in a method.
        GammonError: the file cannot be opened, is not a library, or has a later version.
    """

    def __init__(self, path: str | Path, make: bool = False, patience: float = _PATIENCE) -> None:
        self.path = path_of("library", path)
        with self._errors_in_one_line():
            if make:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            else:
                try:
                    self.path.stat()
                except FileNotFoundError:
                    raise self._missing() from None
            self._base = sqlite3.connect(self.path, patience, isolation_level=None)
            self._base.row_factory = sqlite3.Row
            self._base.create_collation("any_case", _in_any_case)
            # A file from elsewhere may hold anything: see `_check_schema`, too.
            self._base.execute("PRAGMA trusted_schema = OFF")
            self._base.execute("PRAGMA cell_size_check = ON")
            self._base.execute("PRAGMA foreign_keys = ON")
            try:
                self._prepare(make)
            except BaseException:
                self._base.close()
                raise

    def __enter__(self) -> "Library":
        return self

    def __exit__(self, *error: object) -> None:
        self._base.close()

    @contextmanager
    def _errors_in_one_line(self) -> Iterator[None]:
        """Raise errors of SQLite and of the system as errors of one line."""
        try:
            yield
        except (sqlite3.Error, OverflowError, OSError) as error:
            reason = getattr(error, "strerror", None) or error
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
            kind = LockedError if code == sqlite3.SQLITE_BUSY else GammonError
            raise kind(f"library {shown(str(self.path))}: {reason}") from None

    def _number(self, name: str) -> int:
        return int(self._base.execute(f"PRAGMA {name}").fetchone()[0])

    def _missing(self) -> GammonError:
        return GammonError(f"{str(self.path)!r}: no library yet: `gammon study add FOLDER` makes it")

    def _prepare(self, make: bool) -> None:
        """Bring the tables of the file up to date; create them only if `make` is true."""
        if self._number("user_version") == len(_STEPS) and self._ours():
            self._check_schema(len(_STEPS))
            return
        with self.writing():
            version, tables = self._number("user_version"), self._number("schema_version")
            if not (make or version or tables):
                raise self._missing()
            if tables and not self._ours():
                raise GammonError(f"{str(self.path)!r}: an SQLite file of something else, expected a library")
            if version > len(_STEPS):
                raise GammonError(
                    f"{str(self.path)!r}: a library of version {version}, this gammon reads {len(_STEPS)}"
                )
            self._check_schema(version)
            if version:
                self._keep_copy(version)
            _take_steps(self._base, version, len(_STEPS))
            self._base.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._base.execute(f"PRAGMA user_version = {len(_STEPS)}")

    def _keep_copy(self, version: int) -> None:
        """Copy the file of an earlier version beside it, under a name that no file has."""
        for end in chain([""], map("-{}".format, count(2))):
            kept = self.path.with_name(f"{self.path.stem}-version-{version}{end}{self.path.suffix}")
            if not kept.exists():
                break
        with (
            written_whole(kept) as beside,
            closing(sqlite3.connect(beside)) as target,
            closing(sqlite3.connect(self.path)) as source,  # sees what was committed last
        ):
            source.backup(target)

    def _ours(self) -> bool:
        return self._number("application_id") == _APPLICATION

    def _check_schema(self, version: int) -> None:
        """Check that the file defines just what the steps to a version create.

        SQLite would run triggers and views of a file from elsewhere.
        """
        with closing(sqlite3.connect(":memory:")) as base:
            _take_steps(base, 0, version)
            odd = sorted(_objects(self._base) ^ _objects(base))
        if odd:
            kind, name, _, _ = odd[0]
            raise FormatError(
                f"library {str(self.path)!r} is damaged: {visible(kind)} "
                f"{shown(name)} is not as gammon makes it"
            )

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run the block as one transaction, which is rolled back if the block fails."""
        if self._base.in_transaction:  # the block is a part of that transaction
            yield
            return
        with self._errors_in_one_line():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:  # a full disk has ended it
                    self._base.execute("ROLLBACK")
                raise

    def ask(self, question: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
        """Return the rows that answer an SQL query, with texts made `visible`.

        Raises:
            FormatError: a value does not have the type of its column.
            GammonError: the library cannot be read.
        """
        with self._errors_in_one_line():
            rows = [dict(row) for row in self._base.execute(question, values)]
        for row in rows:
            for name, value in row.items():
                row[name] = self._checked(name, value)
        return rows

    def _checked(self, name: str, value: Any) -> Any:
        """Check the type of a value and return it; SQLite accepts any type in any column."""
        kind, optional = _columns().get(name, ("", True))
        types, expected = _TYPES.get(kind, ((str, int, float), "a text or a number"))
        right = isinstance(value, types) or (value is None and optional)
        if isinstance(value, float):
            right = right and isfinite(value)
        if name == "played" and isinstance(value, str):
            right, expected = bool(_DAY.fullmatch(value)), "a day"
        if not right:
            raise FormatError(
                f"library {str(self.path)!r} is damaged: {name} is {shown(value)}, expected {expected}"
            )
        return visible(value) if isinstance(value, str) else value

    def has(self, digest: str) -> bool:
        """Return whether the library has a match."""
        return bool(self.ask("SELECT 1 FROM match WHERE digest = ?", [digest]))

    def has_file(self, data: str) -> bool:
        """Return whether the match of a file is known to be in the library, by the file's digest."""
        return bool(self.ask("SELECT 1 FROM seen WHERE bytes = ?", [data]))

    def was_removed(self, digest: str) -> bool:
        """Return whether the user removed a match, by its digest, and did not add it again."""
        return bool(self.ask("SELECT 1 FROM removed WHERE digest = ?", [digest]))

    def remember(self, data: str, digest: str) -> None:
        """Remember by a file's digest that the library has the file's match."""
        self.ask("INSERT OR IGNORE INTO seen SELECT ?, id FROM match WHERE digest = ?", [data, digest])

    def add(
        self, match: Row, stored: StoredMatch, tables: Mapping[str, Sequence[Row]], number: int | None = None
    ) -> None:
        """Add a match in one transaction; it no longer counts as removed.

        Args:
            match: the row of the match.
            stored: the transcript and the results, from which all other rows are derived.
            tables: the rows of other tables, by the names of the tables.
            number: the number of a match that this match replaces, or None.

        Raises:
            FormatError: the match is too large.
            GammonError: another row has the match, or nothing can be written.
        """
        texts = {"transcript": stored.transcript, "results": json.dumps(stored.results)}
        data = {name: text.encode() for name, text in texts.items()}
        for name, content in data.items():
            check_size(match["file"], name, len(content))
        packed = {name: zlib.compress(content) for name, content in data.items()}
        with self.writing():
            if number is not None:
                self._remove(number)
            self._base.execute("DELETE FROM removed WHERE digest = ?", [match["digest"]])
            number = self._insert("match", {"id": number, **match})
            settings = json.dumps(stored.settings)
            self._insert("kept", {"match": number, "settings": settings, **packed})
            self._fill(number, tables)

    def replace(self, number: int, match: Row, tables: Mapping[str, Sequence[Row]]) -> None:
        """Replace the derived rows of a match.

        Args:
            number: the number of the match.
            match: the changes in its own row.
            tables: the new rows of other tables, by the names of the tables.
        """
        with self.writing():
            for table in tables:
                self._base.execute(f"DELETE FROM {table} WHERE match = ?", [number])
            self._fill(number, tables)
            names = ", ".join(f"{name} = :{name}" for name in match)
            self._base.execute(f"UPDATE match SET {names} WHERE id = {number:d}", match)

    def join(self, number: int, digest: str) -> bool:
        """Remove a match if another row has it, too, and return whether one has.

        Args:
            number: the number of the match.
            digest: the digest of the match.
        """
        with self.writing():
            others = self.ask("SELECT id FROM match WHERE digest = ? AND id != ?", [digest, number])
            for other in others:  # one at most
                self.ask("UPDATE seen SET match = ? WHERE match = ?", [other["id"], number])
                self._remove(number)
            return bool(others)

    def remove(self, number: int) -> None:
        """Remove a match, and remember its digest so that a merge does not bring it back.

        Args:
            number: the number of the match; a number of no match has no effect.
        """
        with self.writing():
            self.ask("INSERT OR IGNORE INTO removed SELECT digest FROM match WHERE id = ?", [number])
            self.ask("DELETE FROM seen WHERE match = ?", [number])
            self._remove(number)

    def _remove(self, number: int) -> None:
        for table in ("kept", *_DERIVED):
            self._base.execute(f"DELETE FROM {table} WHERE match = ?", [number])
        self._base.execute("DELETE FROM match WHERE id = ?", [number])

    def _fill(self, number: int, tables: Mapping[str, Sequence[Row]]) -> None:
        """Insert the derived rows of a match, with its players as the user calls them."""
        for table, rows in tables.items():
            for row in rows:
                self._insert(table, {"match": number, **(self._called(row) if table == "side" else row)})

    def _called(self, side: Row) -> Row:
        """Return a row of `side` with the written names replaced by what the user calls the players.

        If both would have the same name, both keep their names: statistics would take them for one.
        """
        written = {name: side[name] for name in ("name", "opponent")}
        called = {
            row["folded"]: row["called"]
            for name in written.values()
            for row in self.ask("SELECT folded, called FROM renamed WHERE folded = ?", [folded(name)])
        }
        names = {column: called.get(folded(name), name) for column, name in written.items()}
        if names != written and len({folded(name) for name in names.values()}) == 1:
            if side["side"] == 0:
                _LOG.warning(
                    "a match of %s and %s keeps these names: you call both of them %s",
                    *map(shown, (*written.values(), names["name"])),
                )
            names = written
        return {**side, **names, "written": side["name"]}

    def _insert(self, table: str, row: Row, how: str = "INSERT") -> int:
        places = ", ".join(f":{name}" for name in row)
        text = f"{how} INTO {table} ({', '.join(row)}) VALUES ({places})"
        return self._base.execute(text, row).lastrowid or 0

    def keep_card(self, card: Row) -> None:
        """Store a card of a drill, in place of its earlier row."""
        with self._errors_in_one_line():
            self._insert("card", card, "INSERT OR REPLACE")

    def keep_note(self, note: Row) -> None:
        """Store a note on a position, in place of its earlier row."""
        with self._errors_in_one_line():
            self._insert("note", note, "INSERT OR REPLACE")

    def derived_rows(self, number: int) -> dict[str, list[Row]]:
        """Return the derived rows of a match by table, as `add` takes them, with the names as written."""
        tables = {table: self.ask(f"SELECT * FROM {table} WHERE match = ?", [number]) for table in _DERIVED}
        written = {row["side"]: row.pop("written") for row in tables["side"]}
        for row in tables["side"]:
            row |= {"name": written[row["side"]], "opponent": written.get(1 - row["side"], row["opponent"])}
        for row in chain.from_iterable(tables.values()):
            del row["match"]
        return tables

    def stored_match(self, number: int) -> StoredMatch:
        """Return the stored part of a match.

        Raises:
            FormatError: the match is damaged, or too large.
        """
        rows = self.ask("SELECT * FROM kept WHERE match = ?", [number])
        what = f"{str(self.path)!r}: match {number}"
        try:
            (row,) = rows
            transcript, results = (_unpacked(name, row[name]) for name in _MOST)
            if transcript is not None and results is not None:
                settings = dict(visible_in(json.loads(row["settings"])))
                decoded = visible_in(json.loads(results))
                return StoredMatch(visible(transcript.decode()), settings, decoded)
        except (ValueError, TypeError, RecursionError, zlib.error):
            raise FormatError(f"{what} is damaged") from None
        raise FormatError(f"{what} is too large")


def check_size(file: str, name: str, size: int) -> None:
    """Raise a `FormatError` if a match is too large for a library to read it again.

    Args:
        file: the file of the match.
        name: `transcript` or `results`.
        size: bytes of this part.
    """
    if size > _MOST[name]:
        raise FormatError(
            f"{file!r} is too large for a library, which takes {_MOST[name]:,} bytes of "
            f"{name} for a match: part it into several files"
        )


def _take_steps(base: sqlite3.Connection, first: int, end: int) -> None:
    """Take the steps from one version of the tables to another."""
    for step in _STEPS[first:end]:
        for statement in step.split(";\n"):
            base.execute(statement)


def _objects(base: sqlite3.Connection) -> set[tuple[str, ...]]:
    """Return everything that a file defines, such as tables and indexes, with its SQL."""
    rows = base.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    return {tuple(" ".join(str(value).split()) for value in row) for row in rows}


@cache
def _columns() -> dict[str, tuple[str, bool]]:
    """Return the SQL type of each column by its name, and whether it may be NULL.

    Columns of the same name in several tables have the same type.
    """
    with closing(sqlite3.connect(":memory:")) as base:
        _take_steps(base, 0, len(_STEPS))
        rows = base.execute(
            'SELECT column.name, column.type, NOT (column."notnull" OR column.pk) '
            "FROM sqlite_master AS made JOIN pragma_table_info(made.name) AS column"
        )
        return {name: (kind, bool(optional)) for name, kind, optional in rows}


def _in_any_case(first: str, second: str) -> int:
    """Compare names in any case; NOCASE, which the tables have, folds ASCII letters only."""
    if first == second:  # nearly always: SQLite compares each row with the one before it
        return 0
    a, b = folded(first), folded(second)
    return (a > b) - (a < b)


def _unpacked(name: str, data: bytes) -> bytes | None:
    """Return decompressed bytes, or None if they are too many."""
    unpacked = zlib.decompressobj().decompress(data, _MOST[name] + 1)
    return unpacked if len(unpacked) <= _MOST[name] else None
