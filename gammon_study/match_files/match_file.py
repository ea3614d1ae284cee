"""Read and write match files; the first bytes of a file give its format."""

import json
import re
import zlib
from pathlib import Path

from gammon.base.checks import path_of, shown
from gammon.base.errors import FormatError, SettingError
from gammon.base.files import read_bytes, write_text
from gammon.formats.characters import decoded, one_line
from gammon_study.match_files.bgf import BGF, parse_bgf
from gammon_study.match_files.mat import format_mat, parse_mat
from gammon_study.match_files.ogxm import OGXM, parse_ogxm
from gammon_study.match_files.reading import OnGame
from gammon_study.match_files.sgf import format_sgf, parse_sgf
from gammon_study.match_files.transcript import Transcript
from gammon_study.match_files.xg import XG, parse_xg

#: The most bytes of a match file.
LONGEST = 50_000_000
#: The ending of a library that the page without a server saves, its format, and its most bytes, packed
#: and unpacked: a match has half a megabyte, packed a tenth of that.
SAVED = ".json.gz"
_SAVED_FORMAT, _LONGEST_PACKED, _LONGEST_SAVED = "gammon-library-1", 200_000_000, 1_000_000_000
#: The line over each board of GNU Backgammon's text.
_BOARDS = re.compile(r"^ *GNU Backgammon +Position ID: ", re.MULTILINE)
_GNU_TEXT = (
    "a text of GNU Backgammon with boards, for people: there, save the match (.sgf), or export it as .mat"
)


def read_transcript(path: str | Path, on_game: OnGame = lambda number: None) -> Transcript:
    """Read a match file: `.mat`, GNU Backgammon's `.sgf`, BGBlitz's `.bgf`, eXtreme Gammon's
    `.xg`, OpenGammon's `.ogxm`, or gammonview's `.gvab`.

    Args:
        path: the file. Its text is UTF-8, UTF-16 as Windows writes it, or Windows-1252.
        on_game: called before each game is read, with the number of games read so far. An error
            that it raises ends the reading.

    Raises:
        FormatError: the file is not a match file. The message names the line.
        GammonError: the file cannot be read.
        SettingError: the path is empty, or not a path.
    """
    return parse_file(path, read_bytes(path_of("file", path), LONGEST), on_game)


def parse_file(name: str | Path, data: bytes, on_game: OnGame = lambda number: None) -> Transcript:
    """Read the bytes of a match file of a name, as `read_transcript` does."""
    try:
        return parse_transcript(data, on_game)
    except FormatError as error:
        raise FormatError(f"{str(name)!r}: {error}") from None


def parse_transcript(data: bytes, on_game: OnGame = lambda number: None) -> Transcript:
    """Read the bytes of a match file, as `read_transcript` does."""
    if len(data) > LONGEST:
        raise FormatError(f"more than {LONGEST:,} bytes: expected a match file")
    if data.startswith(XG):
        return parse_xg(data, on_game)
    if data.startswith(BGF):
        return parse_bgf(data, on_game)
    if data.startswith(OGXM):
        return parse_ogxm(data, on_game)
    text = decoded(data)
    if text.lstrip().startswith("(;"):
        return parse_sgf(text, on_game)
    try:
        return parse_mat(text, on_game)
    except FormatError:
        if _BOARDS.search(text):
            raise FormatError(_GNU_TEXT) from None
        raise


def saved_matches(path: Path) -> list[tuple[str, bytes]]:
    """Return the names and the bytes of the match files in a library that a page saved.

    Raises:
        FormatError: the file is not such a library, or too large.
        GammonError: the file cannot be read.
    """
    packed = read_bytes(path, _LONGEST_PACKED)
    try:
        data = zlib.decompressobj(wbits=31).decompress(packed, _LONGEST_SAVED + 1)
        library = json.loads(data) if len(data) <= _LONGEST_SAVED else {}
        if library["format"] == _SAVED_FORMAT:
            files = ((match["file"], match["text"]) for match in library["matches"])
            return [(f"{path}: {one_line(file)}", text.encode(errors="replace")) for file, text in files]
    except (zlib.error, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        pass
    raise FormatError(f"{str(path)!r}: expected a library that the page without a server saved")


def write_transcript(match: Transcript, path: str | Path) -> None:
    """Write a match file, `.mat` or GNU Backgammon's `.sgf` by the ending of its name.

    The file is written completely or not at all.

    Raises:
        SettingError: the name has another ending, or an argument has a wrong type.
        FormatError: the match has no game; or as for `Transcript.check`.
        GammonError: the file cannot be written.
    """
    place = path_of("file", path)
    if not isinstance(match, Transcript):
        raise SettingError(f"match {shown(match)}: expected a gammon_study.Transcript")
    match.check()
    if not match.games:
        raise FormatError("a match without a game: expected one or more")
    formats = {".mat": format_mat, ".sgf": format_sgf}
    if place.suffix.lower() not in formats:
        raise SettingError(f"file {shown(str(path))}: expected a name in .mat or .sgf")
    write_text(place, formats[place.suffix.lower()](match))
