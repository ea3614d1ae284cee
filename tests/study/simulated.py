"""Libraries of simulated players, who err at random, and more in one planted theme.

The decisions are the judged decisions of `gammon grade` at scores of a match to 7, and cube
decisions with values from a random generator; no engine is needed.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from gammon.eval.equity import Probabilities
from gammon.formats.context import Context
from gammon.formats.met_file import read_met
from gammon.formats.play import legal_plays
from gammon.formats.position import Position
from gammon.rules.dice import ROLLS
from gammon_study.library import record
from gammon_study.library.judged_decisions import judged_decisions
from gammon_study.library.library import Library, StoredMatch
from gammon_study.match_files.transcript import Transcript
from gammon_study.reviews.choice import Choice, ChoiceKind, CubeValues, ReviewedPlay, cube_error, unit_cost
from gammon_study.reviews.difficulty import TEMPERATURE, difficulty
from gammon_study.reviews.explain import after_play, themes_of
from gammon_study.reviews.names import KINDS_BY_PART, RULES
from gammon_study.reviews.review import Review

LENGTH, DECISIONS = 7, 60
NOTHING = Probabilities(0.5, 0.1, 0.0, 0.1, 0.0)
#: The temperature of a weak player.
WEAK = 5.0 * TEMPERATURE


class Decision(NamedTuple):
    """A decision that players meet: what they may choose, each time with its themes and avoidable cost."""

    choices: tuple[Choice, ...]
    families: tuple[frozenset[str], ...]
    avoidable: tuple[float, ...]

    def chances(self, planted: str) -> npt.NDArray[np.float64]:
        """How often a player makes each choice: the reference player, but for what is planted.

        Args:
            planted: a theme in which the player is weak, "everywhere", or "takes too much".
        """
        weak = planted == "everywhere" or planted in self.families[0]
        losses = np.array([choice.error for choice in self.choices])
        weights = np.exp(-losses / (WEAK if weak else TEMPERATURE))
        if planted == "takes too much":
            weights *= [10.0 if choice.kind is ChoiceKind.TAKE else 1.0 for choice in self.choices]
        return weights / weights.sum()


def decision(choices: list[Choice]) -> Decision:
    families, avoidable = [], []
    kinds = {kind: name for name, kinds in KINDS_BY_PART.items() for kind in kinds}
    for choice in choices:
        position = Position.parse(choice.xgid)
        families.append(frozenset([*themes_of(choice, position), kinds[choice.kind]]))
        unit = unit_cost(position.context.terms(), read_met())
        avoidable.append(choice.cost - difficulty(choice) * unit)
    return Decision(tuple(choices), tuple(families), tuple(avoidable))


@cache
def decisions(count: int = 400) -> tuple[Decision, ...]:
    """The decisions that players meet: four plays to one cube decision."""
    rng, met = np.random.default_rng(5), read_met()
    known = [reference for reference in judged_decisions() if len(reference.equities) > 1]
    pool = []
    for number in rng.choice(len(known), count, replace=False):
        reference = known[number]
        scores = int(rng.integers(LENGTH - 1)), int(rng.integers(LENGTH - 1))
        context = Context(length=LENGTH, scores=scores)
        position = Position(reference.points, context).with_dice(ROLLS[reference.outcome])
        unit = unit_cost(context.terms(), met)
        if rng.random() < 0.8:
            plays = []
            for play in legal_plays(position, ROLLS[reference.outcome]):
                equity = reference.equities[after_play(reference.points, play.notation)]
                plays.append(ReviewedPlay(play.notation, equity, NOTHING))
            plays = sorted(plays, key=lambda play: -play.equity)[:5]
            losses = [plays[0].equity - play.equity for play in plays]
            pool.append(
                decision(
                    [
                        Choice(0, 0, 0, ChoiceKind.PLAY, position.xgid, play.play, plays[0].play, loss,
                               loss * unit, True, True, 1, plays=tuple(plays))
                        for play, loss in zip(plays, losses, strict=True)
                    ]
                )
            )  # fmt: skip
            continue
        taken = rng.random() < 0.5
        stay, more = rng.uniform(0.4, 0.9), rng.normal(0.0, 0.1)
        values = CubeValues(stay, 1.0 + more if taken else stay + more, 1.0)
        answers = [(ChoiceKind.NO_DOUBLE, ChoiceKind.DOUBLE), (ChoiceKind.TAKE, ChoiceKind.PASS)]
        xgid = position.with_dice(None).with_offer(taken).xgid
        both = sorted(answers[taken], key=lambda kind: cube_error(kind, values))
        losses = [cube_error(kind, values) for kind in both]
        pool.append(
            decision(
                [
                    Choice(0, 0, 0, kind, xgid, kind.value, both[0].value, loss, loss * unit, True, True, 1,
                           values, NOTHING)
                    for kind, loss in zip(both, losses, strict=True)
                ]
            )
        )  # fmt: skip
    return tuple(pool)


def recoverable(planted: str) -> dict[str, float]:
    """The true mean of what a player can win back in a match, by theme."""
    sums: dict[str, float] = {}
    for met in decisions():
        chances = met.chances(planted)
        for chance, families, avoidable in zip(chances, met.families, met.avoidable, strict=True):
            for name in families:
                sums[name] = sums.get(name, 0.0) + chance * avoidable
    return {name: DECISIONS / len(decisions()) * total for name, total in sums.items()}


#: The judgement of a choice, by the name of the judging function, the position, the kind and the action.
_JUDGED: dict[tuple[str, str, str, str], Any] = {}


def remember_judgements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge each choice of each decision once: players meet them again and again."""

    def remembering(name: str, judge: Callable[..., Any]) -> Callable[..., Any]:
        def judged(choice: Choice, *position: Position) -> Any:
            key = name, choice.xgid, choice.kind, choice.made
            if key not in _JUDGED:
                _JUDGED[key] = judge(choice, *position)
            return _JUDGED[key]

        return judged

    for name in ("explained", "difficulty", "leanings"):
        monkeypatch.setattr(record, name, remembering(name, getattr(record, name)))


def simulate(library: Library, player: str, planted: str, matches: int, seed: int) -> None:
    """Add a player's matches to a library."""
    rng, pool = np.random.default_rng(seed), decisions()
    library.ask("PRAGMA synchronous = OFF")  # no match waits for the disk
    for number in range(matches):
        made = []
        for action, drawn in enumerate(rng.integers(len(pool), size=DECISIONS)):
            met = pool[drawn]
            choice = met.choices[rng.choice(len(met.choices), p=met.chances(planted))]
            made.append(choice._replace(game=action * 5 // DECISIONS, action=action))
        transcript = Transcript((player, "opponent"), LENGTH, ())
        review = Review(transcript, 1, tuple(made), ())
        day = f"2026-{1 + number // 28:02}-{1 + number % 28:02}"
        row = {
            "digest": f"{player} {number}", "stem": "", "file": f"{number}.mat", "added": day, "played": day,
            "length": LENGTH, "games": 5, "analysis": "simulated", "rules": RULES,
        }  # fmt: skip
        library.add(row, StoredMatch("", {}, []), record.tables_of(review))
