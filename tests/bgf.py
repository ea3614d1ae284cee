"""Match files as BGBlitz writes them: an encoder of Smile, and one of matches."""

import gzip
import json
import struct
from typing import Any

from gammon.rules.board import OPENING
from gammon_study.match_files.transcript import Action, ActionKind, Transcript

#: The first line of a file.
HEAD = b'{"format":"BGF","version":"1.0","compress":true,"useSmile":true}\n'
_ACTS = {ActionKind.DOUBLE: 1, ActionKind.TAKE: 2, ActionKind.PASS: 3, ActionKind.RESIGN: 9}


def smile(value: Any, names: bool = True, texts: bool = False) -> bytes:
    """Return a value in Smile.

    Args:
        value: of JSON.
        names: whether names in objects are shared.
        texts: whether texts are.
    """
    encoder = _Encoder(names, texts)
    encoder.value(value)
    return b":)\n" + bytes([names + 2 * texts]) + bytes(encoder.out)


class _Table:
    """The texts that are known, each by its number; and how many were written."""

    def __init__(self, shared: bool) -> None:
        self.shared, self.known, self.written = shared, dict[str, int](), 0

    def add(self, text: str) -> None:
        if self.written == 1024:
            self.known, self.written = {}, 0
        if self.shared and self.written & 0xFF < 0xFE:  # writers use no such byte in a number
            self.known[text] = self.written
        self.written += 1


class _Encoder:
    """The bytes so far, and both tables."""

    def __init__(self, names: bool, texts: bool) -> None:
        self.out = bytearray()
        self.names, self.texts = _Table(names), _Table(texts)

    def value(self, value: Any) -> None:
        if value is None or value is False or value is True or value == "":
            self.out.append({None: 0x21, False: 0x22, True: 0x23}.get(value, 0x20))
        elif isinstance(value, int):
            self.whole(value)
        elif isinstance(value, float):
            bits = int.from_bytes(struct.pack(">d", value))
            self.out.append(0x29)
            self.out += bytes(bits >> 7 * place & 0x7F for place in reversed(range(10)))
        elif isinstance(value, str):
            if not self.is_known(value, self.texts, (0x01, 31, 0xEC)):
                ascii_only = value.isascii()
                short = (0x3F, 64) if ascii_only else (0x7E, 65)
                self.new(value, self.texts, short, 0xE0 if ascii_only else 0xE4)
        elif isinstance(value, dict):
            self.out.append(0xFA)
            for name, each in value.items():
                if not name:
                    self.out.append(0x20)
                elif not self.is_known(name, self.names, (0x40, 64, 0x30)):
                    short = (0x7F, 64) if name.isascii() else (0xBE, 57)
                    self.new(name, self.names, short, 0x34)
                self.value(each)
            self.out.append(0xFB)
        else:
            self.out.append(0xF8)
            for each in value:
                self.value(each)
            self.out.append(0xF9)

    def whole(self, value: int) -> None:
        folded = value << 1 if value >= 0 else -value * 2 - 1
        if folded < 32:
            self.out.append(0xC0 + folded)
            return
        digits = [folded & 0x3F | 0x80]
        rest = folded >> 6
        while rest:
            digits.append(rest & 0x7F)
            rest >>= 7
        self.out += bytes([0x24 if -(2**31) <= value < 2**31 else 0x25, *reversed(digits)])

    def is_known(self, text: str, table: _Table, tokens: tuple[int, int, int]) -> bool:
        """Write the number of a known text: the token of the first one, how many these are, and
        the first token of those with a byte more.
        """
        number = table.known.get(text)
        if number is None:
            return False
        first, few, longer = tokens
        known = [first + number] if number < few else [longer + (number >> 8), number & 0xFF]
        self.out += bytes(known)
        return True

    def new(self, text: str, table: _Table, short: tuple[int, int], long: int) -> None:
        """Write a text: short ones after a token that has its length, by that of length 0."""
        data, (begin, longest) = text.encode(), short
        if len(data) > longest:
            self.out += bytes([long]) + data + b"\xfc"
            return
        self.out += bytes([begin + len(data)]) + data
        if len(data) <= 64:
            table.add(text)


def bgf_match(match: Transcript) -> dict[str, Any]:
    """Return the content of a match file, without an analysis."""
    green, red = match.final_score
    return {
        "matchlen": match.length, "finalGreen": green, "finalRed": red, "useCrawford": True,
        "useJacoby": False, "useCube": True, "date": "2026.11.25",
        "nameGreen": match.players[0], "nameRed": match.players[1],
        "event": "", "round": "", "site": "", "location": "",
        "games": [
            {
                "isCrawford": game.score.crawford, "scoreGreen": game.score.points[0],
                "scoreRed": game.score.points[1],
                "initial": {
                    "cube": 1, "points": [-n for n in OPENING[1:25]] + [0] * 4,
                    "egyptian": False, "gameMode": 0, "cubeOwner": 0,
                },
                "moves": [
                    *map(_record, game.actions),
                    _act(4, game.winner or 0),
                ],
            }
            for game in match.games
        ],
    }  # fmt: skip


def _act(number: int, side: int) -> dict[str, Any]:
    none = [-1, -1, -1, -1]
    return {"red": number, "green": 7, "player": (-1, 1)[side], "from": none, "to": none}


def _record(action: Action) -> dict[str, Any]:
    if action.kind is not ActionKind.ROLL or action.dice is None:
        return _act(_ACTS[action.kind], action.side)
    found = _act(5, action.side)
    if not action.moves:
        ends = [[die, -1, -1, -1] for die in action.dice]
        return found | {"from": ends[0], "to": ends[1]}
    rest = [-1] * (4 - len(action.moves))
    return found | {
        "red": action.dice[0],
        "green": action.dice[1],
        "from": [move.source for move in action.moves] + rest,
        "to": [move.target for move in action.moves] + rest,
        "moveAnalysis": [],
    }


def bgf_file(found: Any, packed: bool = True, in_smile: bool = True) -> bytes:
    """Return the bytes of a match file with a content."""
    body = smile(found) if in_smile else json.dumps(found).encode()
    return HEAD + (gzip.compress(body, mtime=0) if packed else body)
