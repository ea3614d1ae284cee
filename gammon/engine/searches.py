"""Searches: for each question the one that answers it, set up when it is first needed."""

from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gammon import search
from gammon.base.errors import SettingError
from gammon.engine.question import Question
from gammon.engine.searcher import Searcher
from gammon.engine.worth import Worth
from gammon.eval.cubeful import cubeful_evaluator, has_cube
from gammon.eval.evaluators import leaf_of, load_named
from gammon.games.backgammon import filter_named
from gammon.rules.stakes import MONEY, Stakes
from gammon.rules.terms import Terms

if TYPE_CHECKING:
    from torch import nn

#: The number of searches that are kept; beyond it, all of them are forgotten.
_MOST = 256


class Searches:
    """The searches of two networks. Any number of threads may ask for one at the same time.

    Args:
        model: judges positions; see `Engine`.
        probe: picks what Star2 probes.

    Raises:
        ModelError: a model is missing, damaged or of another kind.
    """

    def __init__(
        self, model: "str | Path | nn.Module | None", probe: str | Path | None
    ) -> None:
        self._leaf = leaf_of("leaf" if model is None else model)
        self._picks = load_named("probe", "probe" if probe is None else probe, bearoff=False)
        self._kept: dict[Hashable, Searcher] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs; a torch module is of this one.

        Raises:
            SettingError: there is a torch module.
        """
        if not has_cube(self._leaf):
            raise SettingError("an engine of a torch module: expected one made in each process")
        return vars(self)

    def stakes(self, question: Question) -> Stakes | None:
        """Return what results are worth in a cubeless question; None with the cube.

        Raises:
            SettingError: the settings contradict each other.
        """
        without = ""
        if question.stakes is not None:
            without = "no stakes with it: they are those of a cubeless engine"
        elif isinstance(own := question.algorithm, search.Algorithm) and not own.doubles:
            without = f"another algorithm than {own.name}, which knows no doubles"
        elif not has_cube(self._leaf):
            without = "a model from a file, not a torch module"
        if question.cubeless is False and without:
            raise SettingError(f"cubeless False: expected {without}")
        if question.cubeless or without:
            return question.stakes or MONEY
        return None

    def at(self, question: Question, terms: Terms | None = None) -> Searcher:
        """Return the search for the player of a question.

        Args:
            question: says how to search.
            terms: what is at stake for the player; that of the position unless given. Without
                the cube, nobody looks.

        Raises:
            SettingError: the settings contradict each other; see also `Terms.checked`.
        """
        stakes = self.stakes(question)
        if question.level is not None and not has_cube(self._leaf):
            raise SettingError(f"level {question.level} of a torch module: expected a depth")
        if stakes is not None:
            terms = None
        elif terms is None:
            terms = question.placed().context.terms()
        way = (
            question.depth, question.algorithm, question.noise,
            question.noise_seed if question.noise > 0.0 else 0,
            question.move_filter, question.met, stakes, terms,
        )  # fmt: skip
        found = self._kept.get(way)
        if found is None:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            found = self._kept[way] = self._set_up(question, stakes, terms)
        return found

    def _set_up(
        self, question: Question, stakes: Stakes | None, terms: Terms | None
    ) -> Searcher:
        """Return a new search for a player; either `stakes` or `terms` are None."""
        if terms is not None:
            worth = Worth.cubeful(terms, question.met)
            leaf, picks = cubeful_evaluator(self._leaf), cubeful_evaluator(self._picks)
        else:
            assert stakes is not None, "without the cube there are stakes"
            worth, leaf, picks = Worth.cubeless(stakes), self._leaf, self._picks
        chosen = filter_named(question.move_filter, worth.unit)
        setup = search.Setup(
            worth.game, leaf, question.algorithm, picks, sigma=question.noise * worth.unit,
            noise_seed=question.noise_seed, filter=chosen,
        )  # fmt: skip
        return Searcher(worth, setup, question.depth)
