"""Matches for tests: those of files, and random ones with a plain count of their score."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from gammon.rules.board import OPENING, flipped, is_over
from gammon.rules.outcome import points_of
from gammon.rules.terms import Score
from gammon_study.match_files.transcript import Action, ActionKind, GameTranscript, Transcript
from gammon_study.reviews.review import Review, review
from tests.naive.plays import enumerate_plays

GOLDEN = Path(__file__).parent / "golden" / "matches"
HAND, MATCH5, MATCH5_SGF = (GOLDEN / name for name in ("hand.mat", "match5.mat", "match5.sgf"))
SAMPLE, SAMPLE_XG = GOLDEN / "sample.mat", GOLDEN / "sample.xg"
#: A game that ends at once.
SHORT = """ 1 point match

 Game 1
 Ann : 0                          Ben : 0
  1) 31: 8/5 6/5                   66: 24/18(2) 13/7(2)
  2)                               21: 13/10
"""


@cache
def reviewed_file(path: Path) -> Review:
    """Return the review of a file to depth 1, which many tests look at."""
    return review(path, depth=1)


def session(ahead: int = 0, counted: int = 2) -> Transcript:
    """Two games for money; in the first one side 1 wins a gammon without the cube.

    Args:
        ahead: the points of side 0 before them.
        counted: the points that the second score counts for the gammon.
    """
    match = random_match(0, 86)
    first, second = match.games[:2]
    assert (first.winner, first.points) == (1, 2)
    first = replace(first, score=Score(points=(ahead, 0)))
    second = replace(second, score=Score(points=(ahead, counted)))
    return replace(match, games=(first, second))


def random_match(length: int, seed: int) -> Transcript:
    """A match of random plays and doubles, as a twin of `Score` and `GameReplay` knows it."""
    random = Random(seed)
    points, crawfords = [0, 0], 0
    games: list[GameTranscript] = []
    while not games or (max(points) < length if length else len(games) < 3):
        crawford = length > 1 and length - 1 in points and crawfords == 0
        crawfords += crawford
        score = Score(length, (points[0], points[1]), crawford)
        game = _random_game(random, score)
        games.append(game)
        assert game.winner is not None
        points[game.winner] += game.points
    return Transcript(("Ann", "Bob"), length, tuple(games), (("Event", f"number {seed}"),))


def _random_game(random: Random, score: Score) -> GameTranscript:
    actions: list[Action] = []
    side, cube, owner, points = random.randrange(2), 1, None, OPENING
    while True:
        may_double = actions and not score.crawford and owner in (None, side) and cube < 64
        if may_double and random.random() < 0.04:
            actions.append(Action(ActionKind.DOUBLE, side))
            if random.random() < 0.3:
                actions.append(Action(ActionKind.PASS, 1 - side))
                return GameTranscript(score, tuple(actions), side, cube)
            actions.append(Action(ActionKind.TAKE, 1 - side))
            cube, owner = 2 * cube, 1 - side
        # After a take GNU Backgammon reads a resignation as a second double first.
        if actions and actions[-1].kind is ActionKind.ROLL and random.random() < 0.01:
            lost = random.choice((1, 2, 3)) * cube
            actions.append(Action(ActionKind.RESIGN, side, points=lost))
            return GameTranscript(score, tuple(actions), 1 - side, lost)
        dice = random.randint(1, 6), random.randint(1, 6)
        if not actions and dice[0] == dice[1]:
            continue
        plays = enumerate_plays(points, dice)
        after = random.choice(sorted(plays))
        actions.append(Action(ActionKind.ROLL, side, dice, plays[after]))
        if is_over(after):
            lost = points_of(np.array(flipped(after), np.int8))
            return GameTranscript(score, tuple(actions), side, -lost * cube)
        points, side = flipped(after), 1 - side
