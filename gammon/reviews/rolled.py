"""The costliest decisions of a match, rolled out: what the games say of a decision."""

from typing import Any, NamedTuple

from gammon.base.mean import REACH
from gammon.eval.equity import Probabilities
from gammon.formats.words import doubling_words


class RolledPlay(NamedTuple):
    """A candidate of a rollout: a play, `No double`, or `Double, take`.

    Attributes:
        name: what it is called.
        equity: the mean of its games, to the player on roll.
        error: the standard error of the mean.
        loss: how much less than the best candidate's equity that is.
        loss_error: the standard error of that difference, as the games that both have had tell
            it; 0 for the best one, None where the games do not tell.
        trials: games.
        probabilities: the chances of the player on roll.
    """

    name: str
    equity: float
    error: float
    loss: float
    loss_error: float | None
    trials: int
    probabilities: Probabilities


class RolledChoice(NamedTuple):
    """A decision by games that were played from its candidates.

    Attributes:
        trials: games of the best candidate.
        depth: plies of the plays.
        candidates: plays, the best one first; or no double, then double and take.
        verdict: of a decision about the cube, the right actions in words; else empty.
    """

    trials: int
    depth: int
    candidates: tuple[RolledPlay, ...]
    verdict: str

    def words(self, made: str, owner: int = 0) -> str:
        """Return what it says of a play that was made, or of the cube, in a few words.

        Args:
            made: the play; that of a decision about the cube does not matter.
            owner: of the cube, 1 for the player on roll.
        """
        if self.verdict:
            said = ", ".join(
                f"{each.name.lower()} {each.equity:+z.3f} ± {each.error:.3f}"
                for each in self.candidates
            )
            return f"{self.verdict} ({doubling_words(said, owner)})"
        mine = next(each for each in self.candidates if each.name == made)
        if not mine.loss:
            return "the play that was made is the best one"
        level = "not told apart from " if mine.loss < REACH * (mine.loss_error or 0.0) else ""
        apart = "" if mine.loss_error is None else f" ± {mine.loss_error:.3f}"
        return f"{-mine.loss:+z.3f}{apart}, {level}best {self.candidates[0].name}"


def rolled_choice(result: dict[str, Any]) -> RolledChoice:
    """Return the result of a unit."""
    candidates = [
        RolledPlay(
            name, equity, error, loss, apart if loss else 0.0, trials, Probabilities(*chances)
        )
        for name, equity, error, loss, apart, trials, chances in result["candidates"]
    ]  # fmt: skip
    return RolledChoice(result["trials"], result["depth"], tuple(candidates), result["verdict"])
