"""The numbers of questions and answers: the one list that kernels, Python and C read.

A question is a row of whole numbers. An answer has rows of whole numbers, and rows of real
ones: a row of each for a play, or for a decision about the cube. `slots` gives every name its
place in its row.
"""

import math
from typing import NamedTuple

from gammon.eval.principal import N_CHANCES
from gammon.rules.board import SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.rules.ways import MOVE, MOVES
from gammon_study.reviews.names import THEMES
from gammon_study.reviews.reasons_kernel import N_COUNTS, N_TOLD


class Field(NamedTuple):
    """Numbers of a row that have a name.

    Attributes:
        name: of them.
        doc: their meaning.
        shape: (), or how many they are.
    """

    name: str
    doc: str
    shape: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The numbers."""
        return math.prod(self.shape)


class Struct(NamedTuple):
    """A question, or a row of an answer.

    Attributes:
        name: of it.
        doc: its meaning.
        whole: its whole numbers, int64.
        real: its real numbers, float64, which follow in C.
    """

    name: str
    doc: str
    whole: tuple[Field, ...]
    real: tuple[Field, ...] = ()


QUESTION = Struct(
    "question", "A position with all that is at stake. All numbers but `points` may be 0.",
    (
        Field("points", "checkers on 0, the opponent's bar, to 25, the own bar, as the player "
              "on roll numbers them: above 0 that player's, below 0 the opponent's", (SIZE,)),
        Field("dice", "the roll, in any order; only plays have one. With 0 for the second die, "
              "`plays` are the moves of one checker by the first", (2,)),
        Field("top", "how many plays need exact values; 0 is 10"),
        Field("length", "points of the match; 0 is money"),
        Field("away", "points that the player on roll and the other need; 0 for money", (2,)),
        Field("crawford", "1 in the Crawford game"),
        Field("jacoby", "1 where gammons count only after the cube is turned; money"),
        Field("beavers", "1 where a double can be redoubled at once; money"),
        Field("cube", "its value, 1 to 64; 0 is 1"),
        Field("owner", "1 the player on roll, -1 the opponent, 0 both"),
        Field("dead", "1 where nobody may turn the cube any more"),
        Field("seed", "of the dice of games, and of nothing else"),
        Field("trial", "the number of the first of the games, from 0 on"),
        Field("truncate", "a game ends after so many turns, 4,096 at most; 0 for these"),
        Field("doubled", "1 where the player on roll has doubled, for games, and the other has "
              "taken; `cube` and `owner` are those before"),
        Field("may_begin", "1 where the player on roll may double before the first roll of "
              "games: the other has just played"),
        Field("compared", "how many plays are compared, which `gammon_explain_play` counts"),
        Field("action", "for `gammon_explain_cube`: 1 where the player on roll did not double, "
              "2 where it was doubled, 3 where the opponent took, 4 where the opponent passed"),
    ),
)  # fmt: skip
_CHANCES = Field(
    "chances", "to win, with a gammon, with a backgammon, to lose a gammon, a backgammon", (N_CHANCES,)
)
PLAY = Struct(
    "play",
    "A play and what it is worth to the player who makes it.",
    (
        Field("points", "the position after it, as that player sees it", (SIZE,)),
        Field(
            "moves",
            "source, target and 1 for a hit, in the order of play; the source of a "
            "move that is not made is 0",
            (MOVES, MOVE),
        ),
        Field("kind", "0: the equity is exact, 1: a search two plies less deep has found it"),
        Field("depth", "of the search that the equity and the chances are from"),
    ),
    (
        Field("equity", "points of the cube; in a match EMG"),
        Field("mwc", "in a match, the chance to win it; for money 0"),
        Field("cubeless", "the equity of the chances if nobody turns the cube any more"),
        Field("bound", "what the equity to the full depth is at most; the equity where it is exact"),
        _CHANCES,
    ),
)
CUBE = Struct(
    "cube",
    "A decision about the cube, and whether the opponent takes: the worth of each "
    "choice to the player on roll.",
    (Field("may_double", "0: the player may not double, or cannot gain by it"),),
    (
        Field("equity", "of rolling, of a double that is taken, of one that is passed", (3,)),
        Field("mwc", "in a match, the chances to win it; for money 0", (3,)),
        _CHANCES,
    ),
)
POSITION = Struct(
    "position",
    "The worth of a position to the player on roll, who may double first.",
    (),
    (
        Field("equity", "points of the cube; in a match EMG"),
        Field("mwc", "in a match, the chance to win it; for money 0"),
        _CHANCES,
        Field(
            "results",
            "the equities of the six results with the cube as it is, the worst "
            "first: a backgammon, a gammon, a game lost, and then won",
            (N_RESULTS,),
        ),
    ),
)

GAME = Struct(
    "game",
    "A game that was played on from a position, as the player on roll there sees it.",
    (Field("turns", "that were played"),),
    (
        Field("equity", "points of the cube, in a match EMG, less the luck of the rolls"),
        Field("plain", "the equity as it came, with the luck"),
        Field("mwc", "in a match, the chance to win it that `equity` stands for; for money 0"),
        Field("results", "the chances of the six results, the worst first, without luck", (N_RESULTS,)),
    ),
)

_PLAY_COUNTS = (
    "checkers off, shots left of 36, blots, points at home, opposing checkers on the bar, and "
    "checkers in the opponent's home or on the bar"
)
REASONS = Struct(
    "reasons",
    "What a decision is about, and what an error gave away; docs/study.md explains.",
    (
        Field("themes", f"a sum of powers of 2, from 1 on: {', '.join(THEMES)}"),
        Field(
            "chances",
            "whether the chances to win, to win a gammon and to lose one speak "
            "against the play (-1) or for it (1); 0 where they differ little",
            (N_TOLD,),
        ),
        Field(
            "cube",
            "whether the cube makes the difference: 1 where both plays are worth the "
            "same without it, 2 where the play is worth more; 0 otherwise",
        ),
        Field("counted", f"1 for each count that tells: {_PLAY_COUNTS}", (N_COUNTS,)),
        Field("counts", "after the play", (N_COUNTS,)),
        Field("best_counts", "after the best one", (N_COUNTS,)),
        Field("pointed", "1 where the points tell that the plays make"),
        Field("points", "those that the play makes, a sum of powers of 2: 2 is the 1-point"),
        Field("best_points", "those that the best one makes"),
    ),
    (
        Field("more", "how much higher these chances are than after the best play", (N_TOLD,)),
        Field("without", "how much more the play is worth than the best one without the cube"),
        Field("loss", "the equity that a choice about the cube loses"),
    ),
)
JUDGED = Struct(
    "judged",
    "A candidate of a rollout, by its games.",
    (),
    (
        Field("mean", "of its values"),
        Field("error", "the standard error of that mean"),
        Field("behind", "how much less it is worth than the right decision, by the games that both have had"),
        Field("behind_error", "the standard error of that"),
        Field("jsd", "by how many standard errors of the difference it is worth less"),
        Field("rank", "how many of those that play have a higher mean"),
    ),
)

ANSWERS = (PLAY, CUBE, POSITION, GAME, REASONS)
#: The most plays that are compared.
MOST_COMPARED = 16
#: The faults of a question, from -1 down, and of a desk.
FAULTS = {
    "POINTS": "no such position: expected at most 15 checkers a side, on their own bar",
    "OVER": "the game is over: expected checkers of both sides",
    "DICE": "no such roll: expected two numbers from 1 to 6",
    "SCORE": "no such score: expected a match to 64 points at most, and each side 1 point or "
    "more away from its end, at most all of them",
    "RULES": "no such rules: expected 0 or 1 for each; Jacoby and beavers are for money, and "
    "in the Crawford game one side is 1 away",
    "CUBE": "no such cube: expected 1, 2, 4 ... 64, and an owner where somebody has turned it",
    "GAMES": "no such games: expected a seed, a trial and a truncation of 0 or more, and 36 "
    "trials below 2**63",
    "STOPPED": "somebody has stopped the search",
    "PLAYS": "more plays than a desk has room for",
    "MEMORY": "no memory is left",
    "TOP": "no such top: expected a number of plays, or 0 for ten",
    "COMPARED": f"no such plays: expected 1 to {MOST_COMPARED}, the one that was made first",
    "ACTION": "no such action with the cube: expected 1, 2, 3 or 4",
}


def number_of(fault: str) -> int:
    """Return the number of a fault: the first one is -1, the next one -2."""
    return -1 - list(FAULTS).index(fault)


def slots(fields: tuple[Field, ...]) -> dict[str, int]:
    """Return where each field begins in its row."""
    places, at = {}, 0
    for field in fields:
        places[field.name] = at
        at += field.size
    return places


def width(fields: tuple[Field, ...]) -> int:
    """Return the numbers of a row."""
    return sum(field.size for field in fields)
