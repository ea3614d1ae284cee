"""Finding the position in a pasted text: an ID, with whatever surrounds it.

The parsers of the formats are strict: they accept an ID and nothing else. All leniency is here.
A text is read in two ways. It may be an ID alone, with labels and quotes around it, with blanks in
it, or broken over lines. Or it may contain an ID, like a link or an export of eXtreme Gammon or GNU
Backgammon with a board, names and plays. `texts_of_positions` splits lines with many positions.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, NoReturn
from urllib.parse import unquote

from gammon.base.errors import FormatError, GammonError
from gammon.formats.characters import plain, quoted
from gammon.formats.context import BOTTOM, Context
from gammon.formats.gnubg_id import MATCH_LENGTH, Dice, parse_match_id, parse_position_id
from gammon.formats.ogid import parse_ogid
from gammon.formats.xgid import parse_xgid
from gammon.rules.board import Points

#: The most characters of a text: about ten exports of eXtreme Gammon.
MOST = 20_000
#: The number of times that links are decoded: twice, because a link may contain another.
_DECODED = 2
#: Characters around an ID that do not belong to it.
_AROUND = " .,;:!?()[]{}<>|*~#="

# These patterns are for clean texts, in which all blanks and ends of lines are single blanks. From
# any start they match a bounded number of characters, so all take linear time.
_TAG = re.compile("</?[a-z]{1,8} ?/?>", re.IGNORECASE)
_LABEL = re.compile("(?:GNU Backgammon|(?:Position|Match)[ -]?ID|GNU(?:bg)?[ -]?ID) ?[:=]?", re.IGNORECASE)
_PREFIX = "(?:(?<![A-Za-z0-9])(?i:XGID) ?[:=]? ?){1,2}"
_FIELDS = "(?: ?: ?-? ?[0-9A-Za-z]{1,5}){8} ?: ?[0-9]{1,5}(?![0-9]| ?:[0-9])"
_XGID = re.compile(f"{_PREFIX}(?:[A-Pa-p-] ?){{26}}{_FIELDS}|(?<![A-Za-z0-9-])[A-Pa-p-]{{26}}{_FIELDS}")
_XGID_PREFIX = re.compile(_PREFIX)
_XGID_BEGUN = re.compile(f"{_PREFIX}(?=[^:-]{{0,16}}-[^:-]{{0,8}}-)(?:[A-Pa-p-] ?){{8}}[^ ]*")
_XGID_ALONE = re.compile("(?i:XGID[:=]?){0,2}[A-Pa-p-]{26}(?::-?[0-9A-Za-z]{1,5}){8}:[0-9]{1,2}")
#: An OGID is recognized by its third field, the cube; a damaged one by its prefix.
_OGID_PREFIX = re.compile("(?<![A-Za-z0-9])(?i:OGID) ?[:=]? ?")
_OGID = re.compile(
    f"(?:{_OGID_PREFIX.pattern}|^|(?<=[ /=?&#([{{>|,;]))[0-9a-z]{{0,30}}:[0-9a-z]{{0,30}}"
    ":[A-Z?][0-9]{1,2}[A-Z](?::[0-9A-Z]{0,6}){0,9}(?![0-9A-Za-z:])"
)
_OGID_BEGUN = re.compile(f"{_OGID_PREFIX.pattern}(?=[^ :]{{0,40}}:)[^ ]{{1,90}}")

_BASE64 = "[A-Za-z0-9+/]"
_IDS_ALONE = re.compile(f"({_BASE64}{{14}})={{0,2}}(?:[:,;|]?({_BASE64}{{12}}))?")
#: The beginning of a text that is probably an ID, perhaps a damaged one.
_ID_LIKE = re.compile("[^ .:]{10,18}(?::|$)")
#: A lookahead that consumes nothing, because a part of an address may end inside an ID.
_POSITION_ID = re.compile(rf"(?<![\w+])(?=({_BASE64}{{14}})={{0,2}}(?![\w+=]))")
#: After a colon or a label, any word counts as a Match ID. Elsewhere a Match ID is recognized by its
#: end: the last bits of all known ones are 0. A damaged one is recognized by the end that a score
#: below 32 gives.
_AFTER_COLON = re.compile(rf"={{0,2}}:({_BASE64}[^ &,;|<>()]*)")
_AFTER_LABEL = re.compile(r"Match[ -]?ID ?[:=] ?([^ &,;|<>()]+)", re.IGNORECASE)
_MATCH_ID = re.compile(rf"(?<![\w+])([A-Za-z0-9+]{_BASE64}{{10}}[A-H])(?![\w+/=])")
_MATCH_ID_LIKE = re.compile(rf"(?<![\w+])([A-Za-z0-9+]{_BASE64}{{3,10}}A[AE])(?![\w+/=])")

#: A roll after IDs (each replaced by a bar), or after a word such as "dice".
_ROLL_BESIDE = re.compile(
    r"(?:\|[^|]*|\b(?:dice|roll(?:s|ed)?)\b[ :=]*)(?<![\w/.:=|-])([1-6]{2})(?![\w/:=-]|\.\d)", re.IGNORECASE
)
#: A text of more words is an export or a page.
_FEW_WORDS = 8


class _Reading(NamedTuple):
    """The contents of one ID in a text. A Position ID alone has no context."""

    source: str
    points: Points
    context: Context | None
    dice: Dice

    def decision(self) -> tuple[object, ...]:
        """Return the facts, beside the checkers, that identify a decision in any format of ID."""
        context = self.context or Context()
        sides = slice(None, None, context.on_roll // BOTTOM)
        return (
            sorted(self.dice or ()),
            context.cube_log2,
            context.cube_owner * context.on_roll,
            context.scores[sides],
            context.length,
            context.is_crawford,
        )

    def differs(self, other: "_Reading") -> bool:
        """Return whether two IDs contradict each other about the decision."""
        if self.context is None or other.context is None:
            return self.points != other.points
        return (self.points, self.decision()) != (other.points, other.decision())


def read_pasted(text: str, alone: bool = False) -> tuple[Points, Context, Dice]:
    """Return the position of a pasted text.

    Args:
        text: at most `MOST` characters with an XGID, an OGID, or a Position ID with or without
            its Match ID.
        alone: whether to refuse a text with other words.

    Returns:
        The 26 counts seen from the player on roll, the context, and the dice.

    Raises:
        FormatError: the text contains no ID, a damaged ID, or two different IDs.
        IllegalPositionError: the checkers are not a possible position.
    """
    if len(text) > MOST:
        raise FormatError(f"{quoted(text)}: {len(text)} characters, expected a text of at most {MOST}")
    # A long dash counts as two hyphens if only this makes an XGID complete.
    variants = cleaned(text), cleaned(text, long_dash="--")
    clean = max(variants, key=lambda variant: _XGID.search(variant) is not None)
    reading = _read_alone(clean) or (None if alone else _read_within(clean))
    if reading is None:
        _refuse(clean, alone)
    return reading.points, reading.context or Context(), reading.dice


def cleaned(text: str, long_dash: str = "-") -> str:
    """Return a text on one line of plain characters, without HTML tags and percent encoding.

    Args:
        text: a pasted text.
        long_dash: replaces an en or em dash, as in `gammon.formats.characters.plain`.
    """
    for _ in range(_DECODED):
        text = unquote(text)
    return " ".join(_TAG.sub(" ", plain(text, long_dash)).split())


def names_a_position(clean: str) -> bool:
    """Return whether a clean text contains the ID of a position, perhaps a damaged one."""
    patterns = (_XGID, _XGID_BEGUN, _OGID, _OGID_BEGUN)
    is_named = any(pattern.search(clean) for pattern in patterns) or "Position ID" in clean
    try:
        return bool(is_named or _gnu_ids(clean))
    except GammonError:  # a Position ID with a damaged Match ID
        return True


def _read_alone(clean: str) -> _Reading | None:
    """Read a text that is an ID and nothing else, with blanks anywhere in it."""
    squeezed = _LABEL.sub(" ", clean).strip(_AROUND).replace(" ", "")
    if _XGID_ALONE.fullmatch(squeezed):
        return _xgid(squeezed)
    if _OGID.fullmatch(squeezed) and clean[0] != ":":  # else a field would be missing before it
        return _ogid(squeezed)
    if ids := _IDS_ALONE.fullmatch(squeezed):
        try:
            return _gnu(ids[1], ids[2])
        except GammonError:
            return None  # words may have the length of an ID
    return None


def _read_within(clean: str) -> _Reading | None:
    """Read a text that contains an ID among other words; return None without an ID."""
    readings = [_xgid(match[0]) for match in _XGID.finditer(clean)]
    rest = _XGID.sub("|", clean)
    if begun := _XGID_BEGUN.search(rest):
        readings.append(_xgid(begun[0]))
    readings += [_ogid(match[0]) for match in _OGID.finditer(rest)]
    rest = _OGID.sub("|", rest)
    if begun := _OGID_BEGUN.search(rest):
        readings.append(_ogid(begun[0]))
    readings += _gnu_ids(rest)
    if not readings:
        return None
    best = next((reading for reading in readings if reading.context), readings[0])
    for other in readings:
        if other.differs(best):
            raise FormatError(
                f"{quoted(best.source)} and {quoted(other.source)}: expected one position, "
                "found two that differ"
            )
    _check_company(clean, [reading.source for reading in readings], best.dice)
    return best


def _check_company(clean: str, sources: list[str], dice: Dice) -> None:
    """Refuse a roll beside IDs without dice in a short text, or a single word after IDs."""
    for source in dict.fromkeys(sources):
        for part in [source] if source in clean else source.split(":"):
            clean = clean.replace(part, "|")
    words = _words(clean)
    roll = _ROLL_BESIDE.search(clean) if dice is None and len(words) <= _FEW_WORDS else None
    if roll:
        raise FormatError(f"{quoted(roll[1])} is not read: use --dice {roll[1]}, or an XGID with its dice")
    if len(words) == 1 and words == _words(clean.rpartition("|")[2]):
        raise FormatError(
            f"{quoted(words[0])} after an ID: expected a Match ID of {MATCH_LENGTH} characters, or nothing"
        )


def _gnu_ids(clean: str) -> list[_Reading]:
    """Return the contents of the Position IDs of a text, each with its Match ID if it has one."""
    position_ids = []
    for match in _POSITION_ID.finditer(clean):
        try:
            parse_position_id(match[1])
        except GammonError:
            continue  # a word, or a part of an address
        after = _AFTER_COLON.match(clean, match.end(1))
        position_ids.append((match[1], after and after[1].rstrip(_AROUND)))
    if not position_ids:
        return []
    rest = clean.replace(position_ids[0][0], "|")
    match_ids = [match[1].rstrip(_AROUND) for match in _AFTER_LABEL.finditer(rest)]
    match_ids += [match[1] for match in _MATCH_ID_LIKE.finditer(rest)]
    match_ids += [match[1] for match in _MATCH_ID.finditer(rest) if _is_match_id(match[1])]
    with_match_ids = [(position_ids[0][0], match_id) for match_id in dict.fromkeys(match_ids)]
    return [_gnu(*ids) for ids in dict.fromkeys(position_ids + with_match_ids)]


def _xgid(source: str) -> _Reading:
    body = _XGID_PREFIX.sub("", source).strip(_AROUND).replace(" ", "")
    return _Reading(source, *parse_xgid(body))


def _ogid(source: str) -> _Reading:
    body = _OGID_PREFIX.sub("", source).rstrip(_AROUND)
    return _Reading(source, *parse_ogid(body))


def _gnu(position_id: str, match_id: str | None) -> _Reading:
    points = parse_position_id(position_id)
    if match_id is None:
        return _Reading(position_id, points, None, None)
    return _Reading(f"{position_id}:{match_id}", points, *parse_match_id(match_id))


def _is_match_id(word: str) -> bool:
    try:
        parse_match_id(word)
    except FormatError:
        return False
    return True


def _words(clean: str) -> list[str]:
    """Return the words of a text without labels and surrounding punctuation."""
    words = (word.strip(_AROUND) for word in _LABEL.sub(" ", clean).split())
    return [word for word in words if word]


def _refuse(clean: str, alone: bool) -> NoReturn:
    """Raise the error of the parser for which a text was probably meant, or a general one."""
    prefix, label = _XGID_PREFIX.search(clean), _LABEL.search(clean)
    words = _words(clean[label.start() :] if label else clean)
    if prefix:
        _xgid(clean[prefix.start() : prefix.end()] + clean[prefix.end() :].partition(" ")[0])
    elif words and words[0].count(":") > 1:
        _xgid(words[0])
    elif words and (label or (len(words) <= 2 and _ID_LIKE.match(words[0]))):
        position_id, _, match_id = ":".join(words[:2]).partition(":")
        if _is_match_id(position_id):
            raise FormatError(
                f"{quoted(position_id)}: a Match ID has no checkers, expected a Position ID before it"
            )
        _gnu(position_id, match_id or None)
    raise FormatError(
        f"{quoted(clean)}: expected a Position ID such as 4HPwATDgc/ABMA, with a Match ID "
        f"after a colon or without, an XGID or an OGID{', and nothing else' if alone else ''}"
    )


_COMMENT = "#"
_POSITION_LABEL = re.compile(r"Position[ -]?ID ?: ?[^ :]+$", re.IGNORECASE)
_MATCH_LABEL = re.compile("Match[ -]?ID ?:", re.IGNORECASE)
#: The players in an export of eXtreme Gammon, and the rim of a board.
_DRAWING = re.compile(r"X:.*O:|\+-?\d{1,2}--?\d{1,2}-")
_LAST_OF_EXPORT = "eXtreme Gammon"
#: Lines above the board in an export of GNU Backgammon.
_HEADING = re.compile(r"The score \(after |Match Information:|Date: |Move number \d")


def texts_of_positions(lines: Iterable[str]) -> Iterator[str]:
    """Yield a text for each position, as soon as the last line of its ID has come.

    Each line is a position, but GNU Backgammon's line "Position ID:" and the line "Match ID:" after
    it belong together. A board drawn below an ID, and the words around it, are skipped up to the
    next ID. So are empty lines, lines that begin with "#", and the heading of an export.
    """
    labelled: str | None = None  # a Position ID whose Match ID may be on the next line
    named, drawn = False, False  # whether the last text was an ID; whether its board has begun
    for line in lines:
        text = line.strip()
        clean = cleaned(text[:MOST])
        if not clean or clean.startswith(_COMMENT) or _HEADING.match(clean):
            continue
        if labelled is not None:
            match_id = _MATCH_LABEL.match(clean)
            yield f"{labelled}\n{text}" if match_id else labelled
            labelled = None
            if match_id:
                continue
        names = names_a_position(clean)
        if drawn and not names and " " in clean:
            drawn = not clean.startswith(_LAST_OF_EXPORT)
        elif named and not names and _DRAWING.match(clean):
            drawn = True
        else:
            named, drawn = names, False
            if _POSITION_LABEL.search(clean):
                labelled = text
            else:
                yield text
    if labelled is not None:
        yield labelled
