"""Matches, and games for money: in pairs with the same dice and swapped seats, many at a time.

A game without the cube is played as a game with a dead cube: nobody may double.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.errors import GammonError
from gammon.engine.luck import LuckJudge
from gammon.formats.gnubg_id import format_position_ids
from gammon.match.pairs import noise_seed, roll_at, starter_of
from gammon.match.player import Answers, MatchPlayer
from gammon.match.result import GameRecord
from gammon.rules.board import OPENING, Points
from gammon.rules.dice import ROLLS
from gammon.rules.outcome import IN_PLAY, POINTS, result_of
from gammon.rules.terms import HIGHEST_CUBE, Score

#: A longer game raises an error. Weak players may need thousands of turns.
_MOST_TURNS = 5_000


@dataclass
class Effort:
    """The effort of A and B so far.

    Attributes:
        decisions: each player's number of decisions: plays, doubles and takes.
        cpu_seconds: processor time of each player's process for its decisions; None: not known.
    """

    decisions: list[int] = field(default_factory=lambda: [0, 0])
    cpu_seconds: list[float | None] = field(default_factory=lambda: [0.0, 0.0])

    @contextmanager
    def of(self, player: MatchPlayer, side: int, decisions: int) -> Iterator[None]:
        """Count the decisions of a side, and the time that its player takes inside the `with` block."""
        begun = player.cpu_seconds()
        yield
        ended, before = player.cpu_seconds(), self.cpu_seconds[side]
        if begun is None or ended is None or before is None:
            self.cpu_seconds[side] = None
        else:
            self.cpu_seconds[side] = before + ended - begun
        self.decisions[side] += decisions


class Batch(NamedTuple):
    """The matches of some pairs, and the effort that they took.

    Attributes:
        games: the games of each match in order, one match after the other.
        effort: the effort of both players.
    """

    games: list[GameRecord]
    effort: Effort


class _Match:
    """A match in progress, before a turn of its current game.

    Args:
        number: number of the match.
        seed: seed of the dice.
        score: score before the first game.
        opening: where its games begin, seen from the player who begins.

    Attributes:
        games: records of its games so far; the last game is in progress.
        state: int8 [26], seen from the player on roll.
        side: the player on roll, 0 for A and 1 for B.
        terms: terms of the player on roll.
        turn: turn of the game, from 0 on.
    """

    def __init__(self, number: int, seed: int, score: Score, opening: Points) -> None:
        self.number, self.seed, self.score, self.opening = number, seed, score, opening
        self.games: list[GameRecord] = []
        self._begin()

    def _begin(self) -> None:
        seat = starter_of(self.seed, self.number // 2, len(self.games))
        self.side = seat ^ (self.number & 1)
        self.terms, self.turn = self.score.terms(self.side), 0
        self.state = np.array(self.opening, np.int8)
        self.games.append(
            {
                "match": self.number, "game": len(self.games),
                "score": list(self.score.points), "crawford": self.score.crawford,
                "first": self.side, "rolls": "", "positions": [], "doubles": [], "cube": 1,
                "points": 0, "luck": 0.0,
            }
        )  # fmt: skip

    @property
    def game(self) -> GameRecord:
        """The game in progress."""
        return self.games[-1]

    def noise_seed(self, side: int) -> int:
        """Return the seed of a side's errors in this game."""
        return noise_seed(self.seed, self.number, side, self.game["game"])

    @property
    def may_double(self) -> bool:
        """Whether the player on roll may double; nobody may before the first roll."""
        return self.turn > 0 and self.terms.may_double

    @property
    def outcome(self) -> int:
        """The roll of this turn, 0..20."""
        return roll_at(self.seed, self.number // 2, self.turn, self.game["game"])

    def double(self, taken: bool) -> None:
        """Let the player on roll double; a pass ends the game."""
        self.game["doubles"].append(self.turn)
        if not taken:
            self.end(1)
            return
        self.terms = self.terms.doubled()
        if self.terms.cube == HIGHEST_CUBE:
            self.terms = self.terms._replace(live=False)

    def play(self, outcome: int, state: npt.NDArray[np.int8], position: str) -> None:
        """Record the play of the player on roll.

        Args:
            outcome: the roll.
            state: int8 [26], after the play, seen from the opponent.
            position: its Position ID.
        """
        self.game["rolls"] += "{}{}".format(*ROLLS[outcome])
        self.game["positions"].append(position)
        self.state, self.turn = state, self.turn + 1
        self.side, self.terms = 1 - self.side, self.terms.for_opponent()
        result = result_of(state)
        if result != IN_PLAY:
            self.end(int(POINTS[result]))
        elif self.turn >= _MOST_TURNS:
            raise GammonError(f"match {self.number} has a game of {_MOST_TURNS} turns")

    def end(self, result: int) -> None:
        """End the game, and begin the next one unless the match is over.

        Args:
            result: what the player on roll won, in units of the cube, -3 to 3. Under the
                Jacoby rule a gammon may count as a single game.
        """
        game, cube = self.game, self.terms.cube
        points = self.terms.counted(result) * cube
        game["cube"], game["points"] = cube, points if self.side == 0 else -points
        game["luck"] = round(game["luck"], 6)
        self.score = self.score.after(game["points"])
        if not self.score.over:
            self._begin()


def _cubes(matches: Sequence[_Match], player: MatchPlayer, side: int) -> Answers:
    """Return a side's cube decisions about the players on roll."""
    states = np.stack([match.state for match in matches])
    seeds = [match.noise_seed(side) for match in matches]
    return player.cubes(states, [match.terms for match in matches], seeds)


def _double(
    matches: Sequence[_Match], players: tuple[MatchPlayer, MatchPlayer], side: int, effort: Effort
) -> list[_Match]:
    """Let a side double and the other side answer; return the matches that go on to a roll."""
    candidates = [match for match in matches if match.may_double]
    if not candidates:
        return list(matches)
    with effort.of(players[side], side, len(candidates)):
        answers = _cubes(candidates, players[side], side)
    offered = [match for match, doubles in zip(candidates, answers.doubles, strict=True) if doubles]
    passed = set()
    if offered:
        with effort.of(players[1 - side], 1 - side, len(offered)):
            answers = _cubes(offered, players[1 - side], 1 - side)
        for match, taken in zip(offered, answers.takes.tolist(), strict=True):
            match.double(taken)
            if not taken:
                passed.add(match.number)
    return [match for match in matches if match.number not in passed]


def _roll(matches: Sequence[_Match], player: MatchPlayer, judge: LuckJudge | None, effort: Effort) -> None:
    """Let a side roll and play in some matches where it is on roll."""
    side = matches[0].side
    states, terms = np.stack([match.state for match in matches]), [m.terms for m in matches]
    rolls = [match.outcome for match in matches]
    if judge is not None:
        first = np.array([match.turn == 0 for match in matches])
        lucks = judge(states, np.array(rolls, np.int64), terms, first)
        for match, luck in zip(matches, lucks.tolist(), strict=True):
            match.game["luck"] += luck if side == 0 else -luck
    with effort.of(player, side, len(matches)):
        seeds = [match.noise_seed(side) for match in matches]
        after = player.plays(states, rolls, terms, seeds)
    from_opponent = np.ascontiguousarray(-after[:, ::-1])
    names = format_position_ids(from_opponent)
    for match, roll, state, name in zip(matches, rolls, from_opponent, names, strict=True):
        match.play(roll, state, name)


def play_matches(
    players: tuple[MatchPlayer, MatchPlayer],
    pairs: Sequence[int],
    seed: int,
    judge: LuckJudge | None,
    start: Score,
    opening: Points = OPENING,
) -> Batch:
    """Play two matches for each pair, or for money two games.

    Args:
        players: the programs that play for A and for B.
        pairs: numbers of the pairs, which with the seed decide the dice.
        seed: seed of dice and noise.
        judge: returns how lucky the rolls of the players are; None leaves luck at 0.
        start: the score that each match begins with.
        opening: where games begin, seen from the player who begins.

    Raises:
        GammonError: a game does not end.
    """
    matches = [_Match(2 * pair + seat, seed, start, opening) for pair in pairs for seat in (0, 1)]
    effort = Effort()
    while any(not match.score.over for match in matches):
        for side in (0, 1):
            mine = [match for match in matches if match.side == side and not match.score.over]
            mine = _double(mine, players, side, effort)
            if mine:
                _roll(mine, players[side], judge, effort)
    return Batch([game for match in matches for game in match.games], effort)
