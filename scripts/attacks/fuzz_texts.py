"""Damaged texts for all readers of texts and files."""

import base64
import json
import random
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gammon
from attacks.damaged import damaged, damaged_bytes
from gammon.base.files import shipped_files
from gammon.formats.gnubg_id import parse_match_id, parse_position_id
from gammon.formats.met_file import format_met
from gammon.formats.notation import parse_play
from gammon.formats.ogid import parse_ogid
from gammon.formats.pasted import texts_of_positions
from gammon.formats.xgid import parse_xgid
from gammon.match.player import parse_player
from gammon.rules.dice import parse_dice
from gammon_adapters.address import parse_address
from gammon_adapters.external import parse_board
from gammon_lab.train.recipe import read_recipe
from gammon_study.library.judged_decisions import judged_decisions
from gammon_study.match_files.mat import format_mat
from gammon_study.match_files.match_file import parse_transcript
from gammon_study.match_files.sgf import format_sgf
from tests.bgf import HEAD, bgf_file, bgf_match, smile
from tests.matches import random_match
from tests.processes import ROOT

_GOLDEN = ROOT / "tests/golden"
_OPENING = gammon.Position.opening()


class Reader(NamedTuple):
    """A reader of texts or files.

    Attributes:
        share: its share of all inputs.
        read: reads a damaged input, and uses the result.
    """

    share: float
    read: Callable[[random.Random], object]


def _texts(good: Sequence[str], read: Callable[[str], object]) -> Callable[..., object]:
    return lambda rng: read(damaged(rng, good))


def _file(good: Sequence[bytes], read: Callable[[Path], object], folder: Path) -> Callable[..., object]:
    path = folder / "file"

    def attack(rng: random.Random) -> object:
        path.write_bytes(damaged_bytes(rng, good))
        return read(path)

    return attack


def _matches(
    good: Sequence[bytes], file: Callable[[bytes], bytes] = bytes, checked: bool = False
) -> Callable[..., object]:
    """Return an attack on match files.

    Args:
        good: contents to damage.
        file: returns the file of a content.
        checked: whether the format has checksums, so that damage must never result in another
            match without a warning.
    """
    whole = [parse_transcript(file(data)).games for data in good] if checked else []

    def attack(rng: random.Random) -> object:
        match = parse_transcript(file(damaged_bytes(rng, good)))
        assert not checked or match.warnings or match.games in whole, "another match"
        try:
            moments = [list(game.moments()) for game in match.games]
        except gammon.GammonError as error:
            raise AssertionError(f"a match against the rules: {error}") from error
        return format_mat(match), format_sgf(match), moments

    return attack


def _xg_file(records: bytes) -> bytes:
    """Return a file of eXtreme Gammon without a picture."""
    return b"RGMH" + bytes(8228) + zlib.compress(records, 1)


def _xg_records(file: bytes) -> bytes:
    return zlib.decompress(file[8232 + int.from_bytes(file[20:24], "little") :])


def _position(text: str) -> object:
    """Read a position, write it in each format, and read that again."""
    position = gammon.Position.parse(text)
    context, both = position.context, f"{position.position_id}:{position.match_id}"
    for written in (position.xgid, position.ogid, both):
        try:
            again = gammon.Position.parse(written)
        except gammon.GammonError as error:
            raise AssertionError(f"{written} is written, and refused: {error}") from error
        assert again.points == position.points, f"{written} has other points"
        assert again.dice == position.dice, f"{written}: other dice"
        assert again.context.scores == context.scores, f"{written}: another score"
        assert again.context.length == context.length, f"{written}: another length"
        double = "D" in (again.context.offer, context.offer)
        assert not double or again.context.offer == context.offer, f"{written}: another offer"
    return repr(position)


def _bits_of_matches(good: Sequence[str]) -> Callable[[random.Random], object]:
    """Return an attack on Match IDs with valid characters and flipped bits."""

    def attack(rng: random.Random) -> object:
        position, match = rng.choice(good).split(":")
        bits = bytearray(base64.b64decode(match))
        for _ in range(rng.choice((1, 1, 2, 3, 5))):
            place = rng.randrange(8 * len(bits))
            bits[place // 8] ^= 1 << place % 8
        return _position(f"{position}:{base64.b64encode(bits).decode()}")

    return attack


def _pasted(text: str) -> list[object]:
    results: list[object] = []
    for part in texts_of_positions(text.splitlines()):
        try:
            results.append(_position(part))
        except gammon.GammonError as error:
            results.append(error)
    return results


def _plays(rng: random.Random) -> object:
    dice = rng.randrange(1, 7), rng.randrange(1, 7)
    plays = gammon.legal_plays(_OPENING, dice)
    return gammon.find_play(_OPENING, dice, damaged(rng, [play.notation for play in plays]))


def _table(path: Path) -> object:
    return format_met(gammon.read_met(path))


def readers(folder: Path) -> dict[str, Reader]:
    """Return all readers by name.

    Args:
        folder: the folder for the files that they read.
    """
    with (_GOLDEN / "formats.csv").open() as file:
        rows = [line.strip().split(",") for line in list(file)[1:]]
    xgids, ids, match_ids = (list(column) for column in zip(*rows, strict=True))
    both = [f"{a}:{b}" for a, b in zip(ids, match_ids, strict=True)]
    pasted = [path.read_text() for path in sorted((_GOLDEN / "pasted").glob("*.txt"))]
    files = sorted((_GOLDEN / "matches").glob("*.*"))
    by_suffix = {
        kind: [path.read_bytes() for path in files if path.suffix == kind] for kind in (".mat", ".sgf", ".xg")
    }
    ogids = [gammon.Position.parse(xgid).ogid for xgid in xgids]
    # Small files are read fast, and damage reaches a larger part of them.
    games = [format_mat(parse_transcript(data)).encode() for data in by_suffix[".mat"][:1]]
    sgf = [b"(" + data.split(b")\n(")[1] + b")" for data in by_suffix[".sgf"]]
    records = [_xg_records(data)[: 2560 * 30] for data in by_suffix[".xg"]]
    small = smile(bgf_match(random_match(1, seed=2)))
    bgf = [bgf_file(bgf_match(random_match(length, seed=2))) for length in (1, 3)]
    lines = (_GOLDEN / "external_conversation.jsonl").read_text().splitlines()
    boards = [text.strip("\n\0") for _, direction, text in map(json.loads, lines) if direction == "<"]
    data = ROOT / "gammon_study" / "data"
    judged = b"".join((data / "judged_decisions.csv").read_bytes().splitlines(True)[:8])
    table = (ROOT / "gammon" / "data" / "kazaross_xg2.csv").read_bytes()
    recipes = [path.read_bytes() for path in shipped_files(".toml")]
    moves = ["8/5 6/5", "bar/20*/15", "24/18(2)", "13/7*", "6/off(4)", "8/5, 6/5"]
    in_words = ["depth=3,noise=0.03", "gnubg=0", "bgsage=1", "depth=5,filter=normal,model=leaf"]
    addresses = ["tcp://127.0.0.1:80", "localhost:1234", "unix:/a/b", "[::1]:5"]
    stakes = ["money", "dmp", "1,2,3,-1,-2,-3", "gammon-go"]
    fresh: Any = judged_decisions.__wrapped__
    return {
        "XGID": Reader(12, _texts(xgids, parse_xgid)),
        "OGID": Reader(12, _texts(ogids, parse_ogid)),
        "position ID": Reader(8, _texts(ids, parse_position_id)),
        "match ID": Reader(8, _texts(match_ids, parse_match_id)),
        "match ID by bits": Reader(8, _bits_of_matches(both)),
        "position": Reader(20, _texts([*xgids, *ogids, *both, *ids], _position)),
        "pasted text": Reader(8, _texts([*pasted, *both], _pasted)),
        "notation": Reader(12, _texts(moves, parse_play)),
        "play": Reader(6, _plays),
        "dice": Reader(2, _texts(["31", "6-5", "4 4"], parse_dice)),
        "stakes": Reader(2, _texts(stakes, gammon.parse_stakes)),
        "player": Reader(1, _texts(in_words, parse_player)),
        "address": Reader(2, _texts(addresses, parse_address)),
        "board of FIBS": Reader(6, _texts(boards, parse_board)),
        "match as text": Reader(0.3, _matches(by_suffix[".mat"])),
        "games as text": Reader(0.3, _matches(games)),
        "match of GNU": Reader(0.2, _matches(by_suffix[".sgf"])),
        "game of GNU": Reader(0.2, _matches(sgf)),
        "match of XG": Reader(0.1, _matches(by_suffix[".xg"], checked=True)),
        "records of XG": Reader(0.1, _matches(records, _xg_file)),
        "match of BGBlitz": Reader(0.5, _matches(bgf, checked=True)),
        "Smile of BGBlitz": Reader(0.5, _matches([small], HEAD.__add__)),
        "recipe": Reader(3, _file(recipes, read_recipe, folder)),
        "equity table": Reader(1.5, _file([table], _table, folder)),
        "judged decisions": Reader(1.2, _file([judged], fresh, folder)),
    }
