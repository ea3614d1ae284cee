"""Games that were played here as transcripts, which match files are written from."""

from collections.abc import Iterator, Sequence

from gammon.formats.position_id import parse_position_id
from gammon.match.record import GameRecord
from gammon.rules.board import OPENING, Points, flipped
from gammon.rules.terms import Score
from gammon.rules.ways import plays_of
from gammon_study.match_files.mat import format_mat
from gammon_study.match_files.reading import player_names
from gammon_study.match_files.transcript import Action, ActionKind, GameTranscript, Transcript


def transcribe(a: str, b: str, games: Sequence[GameRecord], start: Score) -> Transcript:
    """Return games as a match or a session for money, with their rules, A as side 0.

    Args:
        a: the name of player A.
        b: the name of player B.
        games: the games of one match, or games for money.
        start: the score that the match or the session begins with.
    """
    found: list[GameTranscript] = []
    score = start._replace(payoffs=None)  # of which match files know nothing
    for game in games:
        winner = 0 if game["points"] > 0 else 1
        points = abs(game["points"])
        found.append(GameTranscript(score, tuple(_actions(game)), winner, points))
        score = score.after(game["points"])
    return Transcript((a, b), start.length, tuple(found))


def mat_of(a: str, b: str, games: Sequence[GameRecord], start: Score) -> str:
    """Return games as a `.mat` file; args as for `transcribe`.

    Names that would be cut to the same text are told apart by the letters of their players.
    """
    kept_a, kept_b = player_names((a, b))
    names = (f"A {a}", f"B {b}") if a != b and kept_a == kept_b else (a, b)
    return format_mat(transcribe(*names, games, start))


def _actions(game: GameRecord) -> Iterator[Action]:
    """Yield the actions of a game."""
    doubles = game["doubles"]
    points: Points = OPENING
    side = game["first"]
    for turn, name in enumerate(game["positions"]):
        if turn in doubles:
            yield Action(ActionKind.DOUBLE, side)
            yield Action(ActionKind.TAKE, 1 - side)
        dice = int(game["rolls"][2 * turn]), int(game["rolls"][2 * turn + 1])
        turned = parse_position_id(name)
        moves = plays_of(points, dice)[flipped(turned)]
        yield Action(ActionKind.ROLL, side, dice, moves)
        points, side = turned, 1 - side
    if len(game["positions"]) in doubles:
        yield Action(ActionKind.DOUBLE, side)
        yield Action(ActionKind.PASS, 1 - side)
