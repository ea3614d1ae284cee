"""The layout of questions and answers, shared by kernels, Python, C and JavaScript.

A question is a row of whole numbers. An answer has rows of whole numbers and rows of real numbers:
a row of each for a play, or for a decision about the cube. `slots` maps every name to its place in
its row.
"""

import math
from typing import NamedTuple

from gammon.eval.principal import N_CHANCES
from gammon.rules.board import SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.rules.sequences import MOVE, MOVES
from gammon_study.reviews.names import THEMES
from gammon_study.reviews.reasons_kernel import N_COUNTS, N_TOLD


class Field(NamedTuple):
    """One or more numbers of a row, with a name.

    Attributes:
        name: the name.
        doc: the description.
        shape: the shape of the numbers; () for a single number.
    """

    name: str
    doc: str
    shape: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of numbers of the field."""
        return math.prod(self.shape)


class Struct(NamedTuple):
    """A question, or a row of an answer.

    Attributes:
        name: the name.
        doc: the description.
        whole: the whole numbers, int64.
        real: the real numbers, float64, which follow the whole numbers in C.
    """

    name: str
    doc: str
    whole: tuple[Field, ...]
    real: tuple[Field, ...] = ()


QUESTION = Struct(
    "question", "A position, its score, cube and rules, and settings. All but `points` may be 0.",
    (
        Field("points", "checkers from place 0, the opponent's bar, to 25, the own bar, numbered "
              "from the player on roll; positive for that player, negative for the opponent", (SIZE,)),
        Field("dice", "the roll, in any order, for questions about plays. With 0 for the second "
              "die, `plays` are the moves of one checker by the first", (2,)),
        Field("top", "how many plays need values of the full depth; 0 means 10"),
        Field("length", "points of the match; 0 means money"),
        Field("away", "points that the player on roll and the opponent need; 0 for money", (2,)),
        Field("crawford", "1 in the Crawford game"),
        Field("jacoby", "1 if gammons count only after the cube is turned; only for money"),
        Field("beavers", "1 if a double can be redoubled at once; only for money"),
        Field("cube", "the value of the cube, 1 to 64; 0 means 1"),
        Field("owner", "1 for the player on roll, -1 for the opponent, 0 for both"),
        Field("dead", "1 if nobody may turn the cube any more"),
        Field("seed", "the seed of the dice of games"),
        Field("trial", "the number of the first game, from 0 on"),
        Field("truncate", "the most turns of a game, at most 4,096; 0 means 4,096"),
        Field("doubled", "for games, 1 if the player on roll has doubled and the opponent has "
              "taken; `cube` and `owner` are from before the double"),
        Field("may_begin", "for games, 1 if the player on roll may double before the first roll, "
              "because the opponent has just played"),
        Field("filter", "for games deeper than 1, the plays that they search: 0 for all, or the number "
              "of a move filter, 1 for tiny to 5 for huge"),
        Field("first", "for `gammon_luck`, 1 if the roll is the first of its game, and so not a double"),
        Field("compared", "how many plays to compare, set by `gammon_explain_play`"),
        Field("action", "for `gammon_explain_cube`: 1 if the player on roll did not double, "
              "2 if the player doubled, 3 if the opponent took, 4 if the opponent passed"),
    ),
)  # fmt: skip
_CHANCES = Field(
    "chances", "to win, to win a gammon, a backgammon, to lose a gammon, a backgammon", (N_CHANCES,)
)
PLAY = Struct(
    "play",
    "A play and its equity to the player who makes it.",
    (
        Field("points", "the position after the play, seen from that player", (SIZE,)),
        Field(
            "moves",
            "source, target and 1 for a hit, in the order of play; the source of a "
            "move that is not made is 0",
            (MOVES, MOVE),
        ),
        Field("kind", "0: the equity is from a search to the full depth; 1: from one two plies shallower"),
        Field("depth", "the depth of the search for the equity and the chances"),
    ),
    (
        Field("equity", "points of the cube; in a match EMG"),
        Field("mwc", "in a match, the chance to win it; for money 0"),
        Field("cubeless", "the equity by the chances if nobody turns the cube any more"),
        Field("bound", "an upper bound of the equity to the full depth; the equity if `kind` is 0"),
        _CHANCES,
    ),
)
CUBE = Struct(
    "cube",
    "A decision about the cube: the value of each choice to the player on roll.",
    (Field("may_double", "0: the player may not double, or cannot gain by it"),),
    (
        Field("equity", "the equities of no double, double and take, double and pass", (3,)),
        Field("mwc", "in a match, the same as chances to win it; for money 0", (3,)),
        _CHANCES,
    ),
)
POSITION = Struct(
    "position",
    "The value of a position to the player on roll, who may double first.",
    (),
    (
        Field("equity", "points of the cube; in a match EMG"),
        Field("mwc", "in a match, the chance to win it; for money 0"),
        _CHANCES,
        Field(
            "results",
            "the equities of the six results at the present cube, the worst first: a backgammon, "
            "a gammon, a game lost, then a game, a gammon, a backgammon won",
            (N_RESULTS,),
        ),
    ),
)
ROLL = Struct(
    "roll",
    "A roll and the mean of all rolls, as equities after the best play to the player who rolls.",
    (),
    (
        Field("luck", "the equity of the roll minus the mean"),
        Field("mean", "the mean over all rolls, or over the first rolls of a game"),
    ),
)

GAME = Struct(
    "game",
    "A game that was played from a position, seen from the player on roll in that position.",
    (Field("turns", "how many turns were played"),),
    (
        Field("equity", "points of the cube, in a match EMG, minus the luck of the rolls"),
        Field("unadjusted", "the equity including the luck"),
        Field("mwc", "in a match, `equity` as a chance to win it; for money 0"),
        Field("results", "the chances of the six results, the worst first, minus the luck", (N_RESULTS,)),
    ),
)

_PLAY_COUNTS = (
    "checkers off, shots left of 36, blots, points at home, opposing checkers on the bar, and "
    "checkers in the opponent's home or on the bar"
)
REASONS = Struct(
    "reasons",
    "What a decision is about, and what an error gave away; see docs/review.md.",
    (
        Field("themes", f"a sum of powers of 2, from 1 on: {', '.join(THEMES)}"),
        Field(
            "chances",
            "for the chances to win, to win a gammon and to lose one: -1 if the chance is a reason "
            "against the play, 1 if it is a reason for it, 0 if the difference is small",
            (N_TOLD,),
        ),
        Field(
            "cube",
            "1 or 2 if the cube makes the difference: without the cube both plays are worth the "
            "same (1), or this play more (2); else 0",
        ),
        Field("counted", f"1 for each count that is a reason: {_PLAY_COUNTS}", (N_COUNTS,)),
        Field("counts", "the counts after the play", (N_COUNTS,)),
        Field("best_counts", "the counts after the best play", (N_COUNTS,)),
        Field("pointed", "1 if the points that the plays make are a reason"),
        Field("points", "the points that the play makes, a sum of powers of 2: 2 is the 1-point"),
        Field("best_points", "the points that the best play makes"),
    ),
    (
        Field("more", "the chances minus the chances after the best play", (N_TOLD,)),
        Field("without", "the cubeless equity of the play minus the one of the best play"),
        Field("loss", "the equity that a choice about the cube loses"),
    ),
)
JUDGED = Struct(
    "judged",
    "A candidate of a rollout, by its games.",
    (),
    (
        Field("mean", "the mean of its values"),
        Field("error", "the standard error of the mean"),
        Field("behind", "the loss compared with the right decision, by the games that both have played"),
        Field("behind_error", "the standard error of the loss"),
        Field("jsd", "the loss in standard errors of the difference"),
        Field("rank", "how many of the candidates that are played have a higher mean"),
    ),
)

ANSWERS = (PLAY, CUBE, POSITION, ROLL, GAME, REASONS)
#: The most plays to compare.
MOST_COMPARED = 16
#: The faults of a question, from -1 down, and of a searcher.
FAULTS = {
    "POINTS": "no such position: expected at most 15 checkers a side, and each side on its own bar",
    "OVER": "the game is over: expected checkers of both sides",
    "DICE": "no such roll: expected two numbers from 1 to 6",
    "SCORE": "no such score: expected a match to 64 points at most, and each side 1 point or "
    "more away from its end, at most all of them",
    "RULES": "no such rules: expected 0 or 1 for each; Jacoby and beavers are for money, and "
    "in the Crawford game one side is 1 away",
    "CUBE": "no such cube: expected 1, 2, 4 ... 64, and an owner if it was turned",
    "GAMES": "no such games: expected a seed, a trial and a truncation of 0 or more, 36 trials "
    "below 2**63, and a filter from 0 to 5",
    "STOPPED": "the search was stopped",
    "PLAYS": "more plays than a searcher can hold",
    "MEMORY": "no memory is left",
    "TOP": "no such top: expected a number of plays, or 0 for ten",
    "COMPARED": f"no such plays: expected 1 to {MOST_COMPARED}, beginning with the play that was made",
    "ACTION": "no such action with the cube: expected 1, 2, 3 or 4",
}


def number_of(fault: str) -> int:
    """Return the number of a fault: -1 for the first fault, -2 for the next."""
    return -1 - list(FAULTS).index(fault)


def slots(fields: tuple[Field, ...]) -> dict[str, int]:
    """Return the first place of each field in its row."""
    places, at = {}, 0
    for field in fields:
        places[field.name] = at
        at += field.size
    return places


def width(fields: tuple[Field, ...]) -> int:
    """Return how many numbers a row has."""
    return sum(field.size for field in fields)
