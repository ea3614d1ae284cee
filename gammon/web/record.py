"""The record of a match that was played on the page, as a match file."""

import re
from collections.abc import Mapping
from time import monotonic
from typing import Any

from gammon.base.checks import is_whole
from gammon.base.errors import GammonError
from gammon.formats.mat import format_mat
from gammon.formats.notation import parse_play
from gammon.formats.transcript import (
    MOST_ACTIONS,
    Action,
    ActionKind,
    GameReplay,
    GameTranscript,
    Transcript,
    player_names,
)
from gammon.rules.score import Score
from gammon.rules.terms import LONGEST_MATCH
from gammon.web.asked import Asked, read_dice, read_whole
from gammon.web.client import Client
from gammon.web.encoding import Plain
from gammon.web.refusal import bad, shown

_MOST_GAMES = 200
_WORDS = {kind.value: kind for kind in ActionKind if kind is not ActionKind.ROLL}


def record(asked: Asked, client: Client) -> Plain:
    """Answer `POST /match`: the text of a match file, .mat."""
    body = asked.json()
    length = read_whole(body, "length", 0, 0, LONGEST_MATCH)
    names = _list(body, "names", 2) if "names" in body else ["You", "gammon"]
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise bad(f"names {shown(names)}: expected two texts", "names")
    date = body.get("date", "")
    if not isinstance(date, str) or not re.fullmatch(r"(\d{4}\.\d\d\.\d\d)?", date, re.ASCII):
        raise bad(f"date {shown(date)}: expected a date such as 2026.11.22", "date")
    games, late = [], monotonic() + asked.limits.seconds
    for number, entry in enumerate(_list(body, "games", _MOST_GAMES)):
        client.check(late)
        games.append(_game(entry, length, f"games[{number}]"))
    details = (("EventDate", date),) if date else ()
    return Plain(format_mat(Transcript(player_names(names), length, tuple(games), details)))


def _game(entry: Any, length: int, field: str) -> GameTranscript:
    """Return a game after a replay by the rules.

    Args:
        entry: of the body.
        length: of the match.
        field: the entry's name.

    Raises:
        Refusal: it is no game, or against the rules.
    """
    if not isinstance(entry, dict):
        raise bad(f"{field} {shown(entry)}: expected an object", field)
    most = max(length - 1, 0) if length else 10_000
    points = entry.get("score", [0, 0])
    if not isinstance(points, list) or [is_whole(each, 0, most) for each in points] != [1, 1]:
        raise bad(f"{field}.score {shown(points)}: expected two numbers below {length}", field)
    score = Score(
        length, (points[0], points[1]), entry.get("crawford") is True,
        entry.get("jacoby") is True and not length, entry.get("cube") is not False,
    )  # fmt: skip
    replay, actions = GameReplay(score), []
    for number, each in enumerate(_list(entry, "actions", MOST_ACTIONS)):
        place = f"{field}.actions[{number}]"
        try:
            action = _action(each, replay, place)
            replay.do(action)
        except GammonError as error:
            raise bad(f"{place}: {error}", place, "invalid_play") from error
        actions.append(action)
    winner, won = replay.result or (None, 0)
    return GameTranscript(score, tuple(actions), winner, won)


def _action(entry: Any, replay: GameReplay, field: str) -> Action:
    """Return what a player did.

    Args:
        entry: of the body.
        replay: of the game so far.
        field: the entry's name.

    Raises:
        Refusal: it is no action.
        FormatError: it is no play, or not legal.
    """
    if not isinstance(entry, dict) or not is_whole(entry.get("player"), 0, 1):
        raise bad(f"{field} {shown(entry)}: expected an object with player 0 or 1", field)
    player, word = int(entry["player"]), entry.get("do")
    if word is None:
        dice, play = read_dice(entry.get("dice"), f"{field}.dice"), entry.get("play")
        if dice is None or not isinstance(play, str):
            raise bad(f"{field} {shown(entry)}: expected dice and a play, or do", field)
        side = replay.side if replay.side is not None else player
        if side != player:
            raise bad(f"{field}: it is the turn of player {side}", field)
        return Action(ActionKind.ROLL, player, dice, replay.find(dice, parse_play(play)))
    if not isinstance(word, str) or word not in _WORDS:
        raise bad(f"{field}.do {shown(word)}: expected one of {', '.join(_WORDS)}", field)
    kind, points = _WORDS[word], 0
    if kind is ActionKind.RESIGN:
        side = player if replay.side is None else replay.side
        cube = 1 << replay.position(side).context.cube_log2
        points = read_whole(entry, "points", 1, 1, 3) * cube
    return Action(kind, player, points=points)


def _list(entry: Mapping[str, Any], name: str, most: int) -> list[Any]:
    value = entry.get(name)
    if not isinstance(value, list) or len(value) > most:
        raise bad(f"{name} {shown(value)}: expected a list of at most {most}", name)
    return value
