"""A decision as a unit of work: searched, and rolled out where its best plays are close."""

from typing import NamedTuple, Self

from gammon.base.store import Unit
from gammon.engine.analysis import Analysis, Candidate
from gammon.engine.engine import Engine
from gammon.engine.rolled import RolledCandidate
from gammon.engine.rollout import rollout
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.formats.position_id import format_position_id, parse_position_id
from gammon.rules.board import Points

#: The settings of the small version of a study.
QUICK: Unit = {"depth": 3, "rollout": {"trials": 36, "depth": 1, "truncate": 4}}


class ValuedPlay(NamedTuple):
    """A play of a decision; equities and chances are the mover's.

    Attributes:
        play: as people write it.
        after: the position after it, seen from the mover.
        equity: by the search; an upper bound unless it is exact.
        exact: whether it is.
        chances: of wins and gammons, five as in `gammon.Probabilities`: by games where some
            were played, else by the search.
        rolled: the equity by games; None where none were played.
        error: its standard error.
        trials: how many games.
    """

    play: str
    after: Points
    equity: float
    exact: bool
    chances: tuple[float, ...]
    rolled: float | None = None
    error: float = 0.0
    trials: int = 0

    @classmethod
    def listed(cls, result: list[Unit]) -> list[Self]:
        """Return the plays that `decide` found."""
        return [
            cls(**each | {"after": parse_position_id(each["after"]), "chances": tuple(each["chances"])})
            for each in result
        ]


def decision_unit(points: Points, dice: tuple[int, int], plays: list[Points], settings: Unit) -> Unit:
    """Return the unit of a decision, for `decide`.

    Args:
        points: 26 counts, seen from the player on roll.
        dice: the roll.
        plays: positions after plays, seen from the mover, that are rolled out in any case.
        settings: `cube`, whether it counts (the game is for money); `model`, of the search and
            of the games, and its `network_id` as `network`; `depth` of the search, and for how
            many plays its values are exact (`top`); `near`, how much less than the best of
            these a play may be worth to be rolled out too, and `most`, how many plays are;
            `rollout`, the settings of the rollout, or None for none.
    """
    named = sorted(map(format_position_id, plays))
    return settings | {"position": format_position_id(points), "dice": list(dice), "plays": named}


def decide(unit: Unit) -> list[Unit]:
    """Search a decision, and roll its best plays out if there are several.

    Returns:
        The `ValuedPlay` of each play as a JSON object, best first by the search.
    """
    position = Position(parse_position_id(unit["position"]))
    dice = (unit["dice"][0], unit["dice"][1])
    found = Engine(unit["depth"], model=unit["model"], cubeless=not unit["cube"]).analyze(
        position, dice, unit["top"]
    )
    rolled: dict[Points, RolledCandidate] = {}
    plays = _close_plays(unit, found)
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
        rolled = {each.play.points: each for each in games.candidates if each.play}
    return [_written(each, rolled.get(each.play.points)) for each in found.candidates]


def _close_plays(unit: Unit, found: Analysis) -> list[Play]:
    """Return the plays that are rolled out: those that are named, and the best by search."""
    named = {parse_position_id(text) for text in unit["plays"]}
    plays = [each.play for each in found.candidates if each.play.points in named]
    close = [
        each.play
        for each in found.candidates
        if each.exact and each.loss <= unit["near"] and each.play.points not in named
    ]
    return plays + close[: max(unit["most"] - len(plays), 0)]


def _written(found: Candidate, rolled: RolledCandidate | None) -> Unit:
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
        "play": found.play.notation,
        "after": format_position_id(found.play.points),
        "equity": found.equity,
        "exact": found.exact,
        "chances": list(found.probabilities),
    } | games


def ranked(choices: list[ValuedPlay]) -> list[ValuedPlay]:
    """Return choices best first: those that were rolled out by that, and then the others."""
    rolled = [each for each in choices if each.rolled is not None]
    rolled.sort(key=lambda each: -(each.rolled or 0.0))
    return rolled + [each for each in choices if each.rolled is None]


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
