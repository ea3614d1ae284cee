"""Transcripts: matches as they were played, action by action.

Match files of every format are read into a transcript. Its sides are 0 and 1; side 0 is on the
left in files, and at the bottom in an XGID. `GameReplay` checks the actions of a game against the
rules, and returns the position before each action.

A file may also hold the analysis of another program. It is shown beside our analysis and never mixed
with it. As in our analysis, equities are points of the cube before the action or, in a match, EMG.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from gammon.base.checks import is_whole, shown
from gammon.base.errors import AmbiguousPlayError, FormatError, IllegalPlayError
from gammon.eval.equity import Probabilities
from gammon.formats.characters import one_line
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.gnubg_id import Dice
from gammon.formats.notation import format_play, meant
from gammon.formats.position import Position
from gammon.rules.board import OPENING, Moves, Points, flipped
from gammon.rules.dice import checked_dice
from gammon.rules.outcome import IN_PLAY, POINTS, result_of
from gammon.rules.sequences import plays_of
from gammon.rules.terms import HIGHEST_CUBE, LONGEST_MATCH, Score

#: Programs round, so a chance may be this far below 0 or above 1.
_ROUNDED = 0.001
#: The largest equity or luck of a roll, whatever the cube.
_LARGEST = 100.0


def _are_possible(equities: Sequence[float], chances: Sequence[float] = ()) -> bool:
    """Return whether equities and chances are in their ranges; NaN is not."""
    return all(abs(equity) <= _LARGEST for equity in equities) and all(
        -_ROUNDED <= chance <= 1.0 + _ROUNDED for chance in chances
    )


class StoredPlay(NamedTuple):
    """A play of a roll.

    Attributes:
        play: the play in our notation.
        equity: the equity to the player who makes the play.
        level: the program's level of analysis, in its own words, such as `2-ply`.
        probabilities: the chances of that player.
    """

    play: str
    equity: float
    level: str
    probabilities: Probabilities


class StoredCube(NamedTuple):
    """A decision about the cube; both equities are to the player who may double.

    Attributes:
        no_double: the equity of no double.
        double_take: the equity of double and take. Double and pass is 1.
        level: as in `StoredPlay`.
        probabilities: the chances of that player, without the cube.
    """

    no_double: float
    double_take: float
    level: str
    probabilities: Probabilities


class StoredAnalysis(NamedTuple):
    """The analysis of an action that a file holds.

    Attributes:
        plays: the plays of a roll, the best first; empty if the file has none.
        cube: the decision about the cube before a roll, or the decision that the action belongs to.
        luck: the luck of a roll, as an equity.
    """

    plays: tuple[StoredPlay, ...] = ()
    cube: StoredCube | None = None
    luck: float | None = None

    def possible(self) -> "StoredAnalysis":
        """Return the analysis without plays, cube and luck whose numbers are impossible."""
        plays, cube, luck = self
        if cube and not _are_possible((cube.no_double, cube.double_take), cube.probabilities):
            cube = None
        return StoredAnalysis(
            tuple(play for play in plays if _are_possible([play.equity], play.probabilities)),
            cube,
            luck if luck is not None and _are_possible([luck]) else None,
        )


#: Marks of an action in a file, each with SGF's property for it and the value of the property.
MARKS = {
    "very bad": ("BM", "2"),
    "bad": ("BM", "1"),
    "doubtful": ("DO", ""),
    "interesting": ("IT", ""),
    "very good": ("TE", "2"),
    "good": ("TE", "1"),
    "flagged": ("HO", "1"),
}
#: The most characters of a comment.
_MOST_TEXT = 10_000


class Remark(NamedTuple):
    """What a file says about an action, in the words of a person or a program.

    Attributes:
        text: the comment, of one line or more; or an empty text.
        mark: one of `MARKS`, or an empty text.
    """

    text: str = ""
    mark: str = ""

    @property
    def words(self) -> str:
        """The mark in brackets and the comment, on one line."""
        return one_line(f"[{self.mark}] {self.text}" if self.mark else self.text)

    def and_then(self, text: str, mark: str = "") -> "Remark":
        """Return the remark with more lines, and with a mark unless it has one."""
        lines = (*self.text.splitlines(), *map(one_line, text.splitlines()))
        return Remark("\n".join(filter(None, lines))[:_MOST_TEXT], self.mark or mark)


_SIDES = 0, 1
#: The seats of sides 0 and 1.
_SEATS = BOTTOM, TOP
#: The most actions of a game.
MOST_ACTIONS = 10_000


class ActionKind(StrEnum):
    """The kinds of actions of a player."""

    #: A roll and its play.
    ROLL = "roll"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    RESIGN = "resign"


class Action(NamedTuple):
    """An action of a player.

    Attributes:
        kind: the kind of the action.
        side: the side that acts, 0 or 1.
        dice: the dice of a roll, in the file's order; else None.
        moves: the moves of a roll's play; empty if no checker can move.
        points: the points that a resignation costs, including the cube.
    """

    kind: ActionKind
    side: int
    dice: Dice = None
    moves: Moves = ()
    points: int = 0


class Moment(NamedTuple):
    """An action, and the position before it.

    Attributes:
        action: the action.
        position: the position before the action, seen from the player on roll, with the dice of a
            roll. At an answer to a double, the player who doubled is on roll, and the double is on
            offer.
        first: whether no roll came before.
    """

    action: Action
    position: Position
    first: bool


@dataclass(frozen=True)
class GameTranscript:
    """A game of a match or of a session for money.

    Attributes:
        score: the score before the game, of sides 0 and 1.
        actions: the actions, in order. Actions after an unreadable place are left out.
        winner: 0 or 1, or None if the winner is not known.
        points: the points that the winner got, including the cube; 0 if they are not known.
    """

    score: Score
    actions: tuple[Action, ...]
    winner: int | None = None
    points: int = 0

    @property
    def final_score(self) -> tuple[int, int]:
        """The points of both sides after the game."""
        a, b = self.score.points
        return a + self.points * (self.winner == 0), b + self.points * (self.winner == 1)

    @property
    def complete(self) -> bool:
        """Whether the actions lead to the end of the game, so that none was left out.

        Raises:
            FormatError: an action is against the rules.
        """
        replay = GameReplay(self.score)
        for action in self.actions:
            replay.do(action)
        return replay.result is not None

    def moments(self) -> Iterator[Moment]:
        """Yield each action and the position before it.

        Raises:
            FormatError: an action is against the rules.
        """
        replay = GameReplay(self.score)
        for action in self.actions:
            first = not replay.rolled
            yield Moment(action, replay.do(action), first)


@dataclass(frozen=True)
class Transcript:
    """A match, or a session of games for money.

    Attributes:
        players: the names of sides 0 and 1.
        length: points of the match, 0 for money.
        games: the games that were played.
        details: other facts in the file, in its order, such as ("EventDate", "2026.11.22").
        warnings: what had to be repaired or left out of the file, one line each.
        stored: the file's analysis of actions, by the numbers of the game and of the action in it,
            from 0 on.
        stored_by: the program that made the stored analysis, and its version; empty without one.
        remarks: the file's comments on actions and their marks, by the same numbers as `stored`.
    """

    players: tuple[str, str]
    length: int
    games: tuple[GameTranscript, ...]
    details: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = field(default=(), compare=False)
    stored: Mapping[tuple[int, int], StoredAnalysis] = field(default_factory=dict, compare=False, repr=False)
    stored_by: str = field(default="", compare=False)
    remarks: Mapping[tuple[int, int], Remark] = field(default_factory=dict, compare=False, repr=False)

    def check(self) -> None:
        """Check a transcript that a program has made, as the readers of files do.

        Raises:
            FormatError: the names or the length are invalid, or an action of a game is against the
                rules.
        """
        names = isinstance(self.players, tuple) and [isinstance(n, str) for n in self.players]
        if names != [True, True] or not is_whole(self.length, 0, LONGEST_MATCH):
            raise FormatError(
                f"a match of {shown(self.players)} to {shown(self.length)}: expected two "
                f"names, and 0 to {LONGEST_MATCH} points"
            )
        for number, game in enumerate(self.games, 1):
            try:
                for _ in game.moments():
                    pass
            except FormatError as error:
                raise FormatError(f"game {number}: {error}") from None

    @property
    def final_score(self) -> tuple[int, int]:
        """The points of both sides after the last game."""
        return self.games[-1].final_score if self.games else (0, 0)


class GameReplay:
    """A game under way from the opening position, with each action checked against the rules.

    Args:
        score: the score before the game.

    Attributes:
        score: the score before the game.
        side: the side that must act, 0 or 1; None before the first roll, which either side makes.
        rolled: how many rolls were played.
        result: the winner and the points; None until the game ends.
        actions: the actions that were taken.
        stored: the file's analysis of actions, by their numbers from 0 on.
        remarks: the file's remarks on actions, by the same numbers.
        cut: whether the rest of the game is left out.
    """

    def __init__(self, score: Score) -> None:
        self.score = score
        self.side: int | None = None
        self.rolled = 0
        self.result: tuple[int, int] | None = None
        self.actions: list[Action] = []
        self.stored: dict[int, StoredAnalysis] = {}
        self.remarks: dict[int, Remark] = {}
        self.cut = False
        self._points: Points = OPENING  # seen from the player on roll
        self._cube = 1
        self._owner: int | None = None
        self._offered = False
        self._key: tuple[Points, tuple[int, int]] | None = None
        self._legal: Mapping[Points, Moves] = {}

    def position(self, side: int, dice: Dice = None) -> Position:
        """Return the position before the action of a side.

        Args:
            side: the side that acts.
            dice: the roll of the side, if it has rolled.
        """
        on_roll = 1 - side if self._offered else side
        owner = 0 if self._owner is None else _SEATS[self._owner]
        score = self.score
        context = Context(
            cube_log2=self._cube.bit_length() - 1,
            cube_owner=owner,
            on_roll=_SEATS[on_roll],
            scores=score.points,
            length=score.length,
            crawford=score.crawford,
            jacoby=score.jacoby,
            max_cube_log2=Context.max_cube_log2 if score.live else 0,
            offer="D" if self._offered else "",
            to_decide=_SEATS[side] if self._offered else 0,
        )
        return Position(self._points, context, dice)

    def find(self, dice: tuple[int, int], wanted: Moves) -> Moves:
        """Return the legal play of the side on roll that moves in a file mean.

        Args:
            dice: the roll.
            wanted: the moves, which may leave out middle points.

        Raises:
            FormatError: no legal play, or more than one, fits the moves.
        """
        plays = self._plays(dice).values()
        try:
            return meant(self._points, dice, plays, wanted, format_play(wanted))
        except (AmbiguousPlayError, IllegalPlayError) as error:
            raise FormatError(str(error)) from None

    def only_play(self, dice: tuple[int, int]) -> Moves | None:
        """Return the only legal play of a roll, or None if there are several."""
        plays = list(self._plays(dice).values())
        return plays[0] if len(plays) == 1 else None

    def unwritten(self, dice: tuple[int, int]) -> Moves:
        """Return the only legal play of a roll, where a file does not record it.

        Raises:
            FormatError: there are several legal plays.
        """
        only = self.only_play(dice)
        if only is None:
            raise FormatError(f"the play of {dice[0]}{dice[1]} is not recorded")
        return only

    def _plays(self, dice: tuple[int, int]) -> Mapping[Points, Moves]:
        """Return all plays of a roll, by the positions after them, cached for the next call."""
        key = self._points, dice
        if key != self._key:
            self._key, self._legal = key, plays_of(self._points, checked_dice(dice))
        return self._legal

    def do(self, action: Action, analysis: StoredAnalysis | None = None) -> Position:
        """Take an action, and return the position before it.

        Args:
            action: the action.
            analysis: the analysis of the action in a file.

        Raises:
            FormatError: the action is against the rules.
        """
        if self.result is not None:
            raise FormatError(f"a {action.kind} after the end of the game")
        if len(self.actions) == MOST_ACTIONS:
            raise FormatError(f"expected a game of at most {MOST_ACTIONS} actions")
        if action.kind not in _DO or action.side not in _SIDES:
            raise FormatError(f"{shown(tuple(action))}: expected an action of side 0 or 1")
        if action.kind is not ActionKind.RESIGN:
            self._check_turn(action)
        position = self.position(action.side if self.side is None else self.side, action.dice)
        _DO[action.kind](self, action)
        if analysis is not None:
            self.stored[len(self.actions)] = analysis
        self.actions.append(action)
        return position

    def remark(self, number: int, text: str, mark: str = "") -> None:
        """Add to the remark on an action of this number, which may be taken later."""
        remark = self.remarks.get(number, Remark()).and_then(text, mark)
        if any(remark):
            self.remarks[number] = remark

    def remarks_on(self, game: GameTranscript) -> dict[int, Remark]:
        """Return the remarks on the actions of the game by their numbers.

        A remark on a resignation, or on an action that was left out, belongs to the action before.
        """
        numbers = [n for n, action in enumerate(game.actions) if action.kind is not ActionKind.RESIGN]
        remarks: dict[int, Remark] = {}
        for number in sorted(self.remarks) if numbers else ():
            place = min(number, numbers[-1])
            remarks[place] = remarks.get(place, Remark()).and_then(*self.remarks[number])
        return remarks

    def _check_turn(self, action: Action) -> None:
        if self.side not in (None, action.side):
            raise FormatError(f"a {action.kind} of the side that is not to act")
        answers = action.kind in (ActionKind.TAKE, ActionKind.PASS)
        if answers != self._offered:
            wanted = "an answer to the double" if self._offered else "a roll or a double"
            raise FormatError(f"a {action.kind}: expected {wanted}")

    def transcript(self, wins: tuple[int, int] | None, place: str, warnings: list[str]) -> GameTranscript:
        """Return the game, ended by the rules or else by a resignation.

        Args:
            wins: the winner and the points in the file. Some files give no more points than the
                match needs.
            place: the game, in words, for a warning.
            warnings: the warnings of the file, to which this method appends.
        """
        if self.result is None and wins is not None and not self.cut:
            wins = wins[0], self.cost(wins)
            try:
                self.do(Action(ActionKind.RESIGN, 1 - wins[0], points=wins[1]))
            except FormatError as error:
                warnings.append(f"{place}: {error}")
        elif self.result is None and not self.cut:
            warnings.append(f"{place} has no end")
        elif self.result and wins not in (None, self.result, self.capped(self.result)):
            warnings.append(f"{place}: its result in the file is not the result by the rules")
        winner, points = self.result or wins or (None, 0)
        return GameTranscript(self.score, tuple(self.actions), winner, points)

    def capped(self, wins: tuple[int, int]) -> tuple[int, int]:
        """Return a winner and the points, at most as many as the winner still needs."""
        winner, points = wins
        needed = self.score.length - self.score.points[winner]
        return winner, min(points, needed) if self.score.length else points

    def cost(self, wins: tuple[int, int]) -> int:
        """Return the points of a resignation from the winner and the points in a file."""
        winner, points = wins
        costs = (factor * self._cube for factor in (1, 2, 3))
        return next((cost for cost in costs if self.capped((winner, cost)) == wins), points)

    def _roll(self, action: Action) -> None:
        if action.dice is None:
            raise FormatError("a roll without dice")
        if not self.rolled and action.dice[0] == action.dice[1]:
            raise FormatError("a double as the first roll of a game: expected two unlike dice")
        plays = self._plays(action.dice)
        after = next((points for points, moves in plays.items() if moves == action.moves), None)
        if after is None:
            raise FormatError(f"{format_play(action.moves)} is not a legal play")
        self.rolled += 1
        self._points, self.side = flipped(after), 1 - action.side
        result = int(result_of(np.array(self._points, np.int8)))
        if result != IN_PLAY:  # the loser is on roll
            points = -int(POINTS[result])
            if self.score.jacoby and self._owner is None:
                points = 1
            self.result = action.side, points * self._cube

    def _double(self, action: Action) -> None:
        refused = ""
        if not self.rolled:
            refused = "before the first roll"
        elif self.score.crawford or not self.score.live:
            refused = "in the Crawford game" if self.score.crawford else "without a cube"
        elif self._owner not in (None, action.side):
            refused = "by the side that does not own the cube"
        elif self._cube == HIGHEST_CUBE:
            refused = f"beyond a cube of {HIGHEST_CUBE}"
        if refused:
            raise FormatError(f"a double {refused}")
        self._offered, self.side = True, 1 - action.side

    def _take(self, action: Action) -> None:
        self._offered, self.side = False, 1 - action.side
        self._cube, self._owner = 2 * self._cube, action.side

    def _pass(self, action: Action) -> None:
        self.result = 1 - action.side, self._cube

    def _resign(self, action: Action) -> None:
        if action.points not in [factor * self._cube for factor in (1, 2, 3)]:
            raise FormatError(
                f"a resignation of {action.points}: expected 1, 2 or 3 times the cube of {self._cube}"
            )
        self.result = 1 - action.side, action.points


_DO = {
    ActionKind.ROLL: GameReplay._roll,
    ActionKind.DOUBLE: GameReplay._double,
    ActionKind.TAKE: GameReplay._take,
    ActionKind.PASS: GameReplay._pass,
    ActionKind.RESIGN: GameReplay._resign,
}
