"""Units of work about a decision, of two kinds.

The first asks a player for a play, and measures its time. The second searches, and rolls out the best
plays where they are close.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Self

import numpy as np

from gammon.base.store import Unit
from gammon.engine.analysis import Analysis, Candidate
from gammon.engine.engine import Engine
from gammon.engine.rolled import RolledCandidate
from gammon.engine.rollout import rollout
from gammon.eval.evaluators import search_networks
from gammon.formats.gnubg_id import format_position_id, parse_position_id
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.match.player import MatchPlayer, match_player_of, parse_player
from gammon.rules.board import OPENING, Points
from gammon.rules.terms import CUBELESS
from gammon_lab.experiments.study import Study

#: The roll 31: each player first plays it in the opening position, untimed.
_WARM = 3


class Answer(NamedTuple):
    """The plays of one player.

    Attributes:
        after: the position after the play, seen from the mover.
        seconds: processor time of all threads, the only field that depends on the machine.
    """

    after: Points
    seconds: float


def question(player: str, points: Points, outcome: int) -> Unit:
    """Return the unit with which `ask` asks a player for a play.

    Args:
        player: as for `parse_player`.
        points: 26 counts, seen from the player on roll.
        outcome: the roll, 0..20.
    """
    return {
        "player": player,
        "position": format_position_id(points),
        "outcome": outcome,
        "networks": _networks(player),
    }


@cache
def _networks(player: str) -> dict[str, str]:
    """Return the IDs of a player's networks; none if another program plays."""
    parsed = parse_player(player)
    return {} if parsed.program else search_networks(parsed.model)


@cache
def _warm(player: str) -> None:
    """Start the program of a player, so that no timed answer includes the start."""
    _play(match_player_of(parse_player(player)), OPENING, _WARM)


def ask(unit: Unit) -> list[str | float]:
    """Return the Position ID after the play of a player, and the seconds that it took."""
    _warm(unit["player"])
    match_player = match_player_of(parse_player(unit["player"]))
    points = parse_position_id(unit["position"])
    begun = match_player.cpu_seconds()
    after = _play(match_player, points, unit["outcome"])
    ended = match_player.cpu_seconds()
    assert begun is not None and ended is not None, "the processor time of its process can be read"
    return [format_position_id(after), ended - begun]


def _play(match_player: MatchPlayer, points: Points, outcome: int) -> Points:
    """Return the position after a player's play, without the cube."""
    (after,) = match_player.plays(np.array([points], np.int8), [outcome], [CUBELESS], [0]).tolist()
    return tuple(after)


def answer_of(result: list[str | float]) -> Answer:
    """Return a result of `ask` as an `Answer`."""
    after, seconds = result
    return Answer(parse_position_id(str(after)), float(seconds))


def answers_of_all(
    study: Study, decisions: Sequence[tuple[Points, int]], players: Sequence[str]
) -> list[dict[str, Answer]]:
    """Return the answers of the players in each decision, by player.

    Args:
        study: stores the answers as `answers`.
        decisions: positions, seen from the player on roll, each with a roll, 0..20.
        players: as for `parse_player`.
    """
    units = [question(name, *decision) for decision in decisions for name in players]
    answers = map(answer_of, study.run(ask, units, "answers", names=Answer._fields))
    return [{name: next(answers) for name in players} for _ in decisions]


#: The settings of the small version of a study.
QUICK: Unit = {"depth": 3, "rollout": {"trials": 36, "depth": 1, "truncate": 4}}


class ValuedPlay(NamedTuple):
    """A play of a decision; equities and chances are the mover's.

    Attributes:
        play: as people write it.
        after: the position after it, seen from the mover.
        equity: the equity by the search, an upper bound unless it has the full depth.
        deep: whether the equity has the full depth.
        chances: of wins and gammons, five as in `gammon.Probabilities`: by the rollout if there
            was one, else by the search.
        rolled: the equity by the rollout; None without one.
        error: the standard error of `rolled`.
        trials: how many games were rolled out.
    """

    play: str
    after: Points
    equity: float
    deep: bool
    chances: tuple[float, ...]
    rolled: float | None = None
    error: float = 0.0
    trials: int = 0

    @classmethod
    def listed(cls, result: list[Unit]) -> list[Self]:
        """Return the plays of a result of `decide`."""
        return [
            cls(**row | {"after": parse_position_id(row["after"]), "chances": tuple(row["chances"])})
            for row in result
        ]


def decision_unit(points: Points, dice: tuple[int, int], plays: list[Points], settings: Unit) -> Unit:
    """Return the unit of a decision for `decide`.

    Args:
        points: 26 counts, seen from the player on roll.
        dice: the roll.
        plays: positions after the plays to roll out in any case, seen from the mover.
        settings: `cube`, whether the cube counts (the game is for money); `model`, the network of
            the search and the games, and `search_networks` as `networks`; `depth` of the search, and
            how many plays get values of the full depth (`top`); `near`, how far below the best play a
            play may be to be rolled out too, and `most`, the number of plays to roll out;
            `rollout`, the settings of the rollout, or None for no rollout.
    """
    named = sorted(map(format_position_id, plays))
    return settings | {"position": format_position_id(points), "dice": list(dice), "plays": named}


def decide(unit: Unit) -> list[Unit]:
    """Search a decision, and roll out its best plays if several are close.

    Returns:
        The `ValuedPlay` of each play as a JSON object, best first by the search.
    """
    position = Position(parse_position_id(unit["position"]))
    dice = (unit["dice"][0], unit["dice"][1])
    analysis = Engine(unit["depth"], model=unit["model"], cubeless=not unit["cube"]).analyze(
        position, dice, unit["top"]
    )
    rolled: dict[Points, RolledCandidate] = {}
    plays = _close_plays(unit, analysis)
    if unit["rollout"] is not None and len(plays) > 1:
        games = rollout(
            position,
            dice,
            plays,
            cubeless=not unit["cube"],
            model=unit["model"],
            drop=False,
            **unit["rollout"],
        )
        rolled = {candidate.play.points: candidate for candidate in games.candidates if candidate.play}
    return [_written(candidate, rolled.get(candidate.play.points)) for candidate in analysis.candidates]


def _close_plays(unit: Unit, analysis: Analysis) -> list[Play]:
    """Return the plays that are rolled out: the named plays, and the best plays by the search."""
    named = {parse_position_id(text) for text in unit["plays"]}
    plays = [candidate.play for candidate in analysis.candidates if candidate.play.points in named]
    close = [
        candidate.play
        for candidate in analysis.candidates
        if candidate.deep and candidate.loss <= unit["near"] and candidate.play.points not in named
    ]
    return plays + close[: max(unit["most"] - len(plays), 0)]


def _written(candidate: Candidate, rolled: RolledCandidate | None) -> Unit:
    """Return a `ValuedPlay` as a JSON object."""
    games = {}
    if rolled is not None:
        games = {
            "rolled": rolled.equity,
            "error": rolled.error,
            "trials": rolled.trials,
            "chances": list(rolled.probabilities),
        }
    return {
        "play": candidate.play.notation,
        "after": format_position_id(candidate.play.points),
        "equity": candidate.equity,
        "deep": candidate.deep,
        "chances": list(candidate.probabilities),
    } | games


def ranked(choices: list[ValuedPlay]) -> list[ValuedPlay]:
    """Return choices best first: the rolled-out ones by their rollouts, then the others by the search."""
    rolled = [choice for choice in choices if choice.rolled is not None]
    rolled.sort(key=lambda choice: -(choice.rolled or 0.0))
    return rolled + [choice for choice in choices if choice.rolled is None]


def rollout_words(settings: Unit) -> str:
    """Return a sentence about how the plays of decisions are rolled out.

    Args:
        settings: as for `decision_unit`.
    """
    games = settings["rollout"]
    words = [f"They play with the network {settings['model']} at depth {games['depth']}"]
    if "move_filter" in games:
        words.append(f"with the filter {games['move_filter']}")
    if "cube_depth" in games:
        words.append(f"and decide about the cube at depth {games['cube_depth']}")
    words.append(f"for {games['truncate']} turns, after which the static value counts")
    ends = [f"after {games['trials']} games"]
    if "until_se" in games:
        ends.append(f"once no standard error is above {games['until_se']}")
    if "until_jsd" in games:
        ends.append(
            f"once the best play is {games['until_jsd']:g} standard errors of the difference "
            "ahead of each other"
        )
    return f"{' '.join(words)}; they end {' or '.join(ends)}."
