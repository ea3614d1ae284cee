"""Matches as text in the format of Jellyfish (.mat), which other programs import."""

from collections.abc import Sequence
from typing import Any

from gammon.formats.position import Position
from gammon.formats.position_id import parse_position_id
from gammon.match.cubeful_record import CubeGameRecord
from gammon.match.played import GameRecord
from gammon.play import legal_plays
from gammon.rules.board import OPENING, Points, flipped

__all__ = ["format_mat"]

_WIDTH = 34
_DROPS = " Drops"


def _turns(game: GameRecord | CubeGameRecord) -> list[str]:
    """Return each turn as `31: 8/5 6/5`; the bar is 25, off is 0.

    A double is a turn, and so is the answer to it.
    """
    turns, cube = [], 1
    doubles: Any = game.get("doubles", [])
    points: Points = OPENING
    for turn, name in enumerate(game["positions"]):
        if turn in doubles:
            cube *= 2
            turns += [f" Doubles => {cube}", " Takes"]
        dice = int(game["rolls"][2 * turn]), int(game["rolls"][2 * turn + 1])
        after = flipped(parse_position_id(name))
        play = next(p for p in legal_plays(Position(points), dice) if p.points == after)
        moves = " ".join(f"{move.source}/{move.target}" for move in play.moves)
        turns.append(f"{dice[0]}{dice[1]}: {moves}".rstrip())
        points = flipped(after)
    if len(game["positions"]) in doubles:
        turns += [f" Doubles => {2 * cube}", _DROPS]
    return turns


def format_mat(
    a: str, b: str, games: Sequence[GameRecord | CubeGameRecord], length: int = 0
) -> str:
    """Return the games as a match or a session for money, A on the left.

    Args:
        a: the name of player A.
        b: the name of player B.
        games: the games, as `play_pairs` or `play_cubeful_pairs` record them.
        length: points of the match, 0 for money.
    """
    lines = [f" {length} point match", ""]
    score = [0, 0]
    for number, game in enumerate(games, 1):
        head = f" {a} : {score[0]}"
        lines += [f" Game {number}", f"{head:{_WIDTH}} {b} : {score[1]}"]
        cells = [""] * game["first"] + _turns(game)  # A's turns have the even places
        won = abs(game["points"])
        side = 0 if game["points"] > 0 else 1
        score[side] += won
        wins = f" Wins {won} point{'s' if won > 1 else ''}"
        if cells[-1] == _DROPS and side == 1:
            cells.append(wins)  # where GNU Backgammon looks for it
            wins = ""
        for row in range(0, len(cells), 2):
            left, right = cells[row], (cells[row + 1 : row + 2] or [""])[0]
            lines.append(f"{row // 2 + 1:3}) {left:{_WIDTH - 5}} {right}".rstrip())
        pad = " " * (5 if side == 0 else _WIDTH + 1)
        lines += [f"{pad}{wins}", ""] if wins else [""]
    return "\n".join(lines)
