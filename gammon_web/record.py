"""A match that is played on the page: its dice, the engine's actions, its score and its match file."""

import re
from collections.abc import Mapping
from time import monotonic
from typing import Any

import numpy as np

from gammon.base.checks import is_whole
from gammon.base.errors import GammonError
from gammon.compiled.hashing import mix
from gammon.engine.bot import Bot
from gammon.engine.cube import CubeAnswer, decision_terms
from gammon.formats.notation import parse_play
from gammon.formats.position import Position
from gammon.rules.terms import HIGHEST_CUBE, LONGEST_MATCH, Score, Terms
from gammon_study.match_files.mat import format_mat
from gammon_study.match_files.reading import player_names
from gammon_study.match_files.transcript import (
    MOST_ACTIONS,
    Action,
    ActionKind,
    GameReplay,
    GameTranscript,
    Transcript,
)
from gammon_web import answers
from gammon_web.answers import Plain
from gammon_web.parameters import FIRST_ROLL, MANY_ROLLS, RESIGNED_POINTS, SEED
from gammon_web.position import position_json, won_by
from gammon_web.query import Client, Query, read_dice, read_flag, read_pair, read_whole
from gammon_web.refusal import bad, shown
from gammon_web.searches import engine_for

#: The most games of a score, and the most points of a game.
_MOST_POINTS = 10_000
#: The most games of a match file.
_MOST_GAMES = 200
_WORDS = {kind.value: kind for kind in ActionKind if kind is not ActionKind.ROLL}


def roll_of_seed(seed: int, number: int) -> tuple[int, int]:
    """Return the n-th roll of a seed. It is always the same, so anybody can check the dice.

    Args:
        seed: any number from 0 to 2**53 - 1.
        number: the number of the roll, from 0 on.

    Returns:
        The die of the first player, or the left die, and then the other die.
    """
    face = int(mix(mix(np.uint64(seed)) ^ np.uint64(number))) % 36
    return face // 6 + 1, face % 6 + 1


def dice(query: Query, client: Client) -> answers.Dice:
    """Answer `GET /dice`."""
    seed = query.value(SEED)
    begin = query.value(FIRST_ROLL)
    count = query.value(MANY_ROLLS)
    rolls = (roll_of_seed(seed, number) for number in range(begin, begin + count))
    return {"seed": seed, "begin": begin, "dice": [f"{a}{b}" for a, b in rolls]}


def score(query: Query, client: Client) -> answers.MatchScore:
    """Answer `POST /score`: the score after some games, and the beginning of the next game.

    The points of a player in a match are at most its length.
    """
    body = query.json()
    length = read_whole(body, "length", 0, 0, LONGEST_MATCH)
    jacoby, live = read_flag(body, "jacoby"), read_flag(body, "cube", True)
    score, won = Score(length, jacoby=jacoby, live=live), body.get("won")
    if not isinstance(won, list) or len(won) > _MOST_POINTS:
        raise bad(f"won {shown(won)}: expected a list of at most {_MOST_POINTS}", "won")
    for number, points in enumerate(won):
        if not is_whole(points, -_MOST_POINTS, _MOST_POINTS) or not points:
            raise bad(f"won[{number}] {shown(points)}: expected the points of a game", "won")
        if length and score.over:
            raise bad(f"won[{number}]: the match is over before this game", "won")
        score = score.after(points)
    bottom, top = (min(points, length) if length else points for points in score.points)
    over = score.over and length > 0
    opening = None if over else Position.opening().with_terms(score.terms(0)).xgid
    return {"score": (bottom, top), "crawford": score.crawford, "opening": opening}


def record(query: Query, client: Client) -> Plain:
    """Answer `POST /match`: the text of a match file, .mat."""
    body = query.json()
    length = read_whole(body, "length", 0, 0, LONGEST_MATCH)
    names = _list(body, "names", 2) if "names" in body else ["You", "gammon"]
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise bad(f"names {shown(names)}: expected two texts", "names")
    date = body.get("date", "")
    if not isinstance(date, str) or not re.fullmatch(r"(\d{4}\.\d\d\.\d\d)?", date, re.ASCII):
        raise bad(f"date {shown(date)}: expected a date such as 2026.11.22", "date")
    games, late = [], monotonic() + query.limits.seconds
    for number, entry in enumerate(_list(body, "games", _MOST_GAMES)):
        client.check(late)
        games.append(_game(entry, length, f"games[{number}]"))
    details = (("EventDate", date),) if date else ()
    return Plain(format_mat(Transcript(player_names(names), length, tuple(games), details)))


def _game(entry: Any, length: int, field: str) -> GameTranscript:
    """Return a game after a replay that checks it against the rules.

    Args:
        entry: the entry of the body.
        length: the length of the match.
        field: the name of the entry, for a refusal.

    Raises:
        Refusal: the entry is not a game, or an action is against the rules.
    """
    if not isinstance(entry, dict):
        raise bad(f"{field} {shown(entry)}: expected an object", field)
    most, within = (length - 1 if length else _MOST_POINTS), f"{field}."
    points = read_pair(entry, "score", [0, 0], 0, most, within)
    crawford = read_flag(entry, "crawford", within=within)
    if crawford and [length - won for won in points].count(1) != 1:
        raise bad(
            f"{within}crawford true: expected a match in which exactly one side is 1 away",
            f"{within}crawford",
        )
    jacoby = read_flag(entry, "jacoby", within=within) and not length
    live = read_flag(entry, "cube", True, within)
    before = Score(length, points, crawford, jacoby, live)
    replay, actions = GameReplay(before), []
    for number, played in enumerate(_list(entry, "actions", MOST_ACTIONS)):
        place = f"{field}.actions[{number}]"
        try:
            action = _action(played, replay, place)
            replay.do(action)
        except GammonError as error:
            raise bad(f"{place}: {error}", place, "invalid_play") from error
        actions.append(action)
    winner, won = replay.result or (None, 0)
    return GameTranscript(before, tuple(actions), winner, won)


def _action(entry: Any, replay: GameReplay, field: str) -> Action:
    """Return the action of a player.

    Args:
        entry: the entry of the body.
        replay: the game so far.
        field: the name of the entry, for a refusal.

    Raises:
        Refusal: the entry is not an action.
        FormatError: the play is malformed, or not legal.
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
        points = read_whole(entry, "points", 1, 1, 3, f"{field}.") * cube
    return Action(kind, player, points=points)


def _list(entry: Mapping[str, Any], name: str, most: int) -> list[Any]:
    value = entry.get(name)
    if not isinstance(value, list) or len(value) > most:
        raise bad(f"{name} {shown(value)}: expected a list of at most {most}", name)
    return value


def turn(query: Query, client: Client) -> answers.Turn:
    """Answer `GET /turn`: the action of the engine in a position."""
    position = query.decision()
    terms = decision_terms(position)
    if position.dice is not None:
        return _play(query, position, client)
    if position.context.offer:
        return _answer(query, position, terms, client)
    if not Bot(engine_for(query)).doubles(position, client.stop):
        return {"action": "roll"}
    return {"action": "double", "position": position_json(position.with_offer(True))}


def _answer(query: Query, position: Position, terms: Terms, client: Client) -> answers.Turn:
    """Return the answer to a double. A double that cannot gain is taken."""
    if 2 * terms.cube > HIGHEST_CUBE:
        raise bad(f"a double beyond a cube of {HIGHEST_CUBE}", "id")
    answer = Bot(engine_for(query)).answer(position, client.stop)
    if answer is CubeAnswer.PASS:
        return {"action": "pass"}
    after = terms.doubled()
    if answer is CubeAnswer.BEAVER:
        if 4 * terms.cube <= HIGHEST_CUBE:
            after = after._replace(cube=4 * terms.cube)
        else:
            answer = CubeAnswer.TAKE
    beaver = answer is CubeAnswer.BEAVER
    position_entries = position_json(position.with_terms(after))
    return {"action": "beaver" if beaver else "take", "position": position_entries}


def _play(query: Query, position: Position, client: Client) -> answers.Turn:
    """Return the play of a roll."""
    assert position.dice is not None, "the position has a roll"
    play = Bot(engine_for(query)).play(position, position.dice, client.stop)
    return {
        "action": "play",
        "notation": play.notation,
        "steps": [(move.source, move.target) for move in play.moves],
        "xgid": play.position.xgid,
        "position": position_json(play.position),
    }


def resign(query: Query, client: Client) -> answers.Resigned:
    """Answer `GET /resign`: whether the engine accepts a resignation of the player on roll."""
    position, points = query.decision(), query.value(RESIGNED_POINTS)
    terms, engine = decision_terms(position), engine_for(query)
    accept = Bot(engine).accepts(position, points, client.stop)
    return {"accept": accept, "won": won_by(-position.context.on_roll, points, terms)}
