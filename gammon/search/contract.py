"""The contract of a game and its evaluator, checked: by `check_game`, and before a search.

Kernels trust what a game tells. A row too many is written over other memory; chances that
do not sum to 1, or a value beyond the bounds, give a wrong result without a word. So these
checks call each function between guards (`guard`), in states that play can come to.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gammon.base.checks import is_whole
from gammon.base.errors import GameError, SearchError
from gammon.search.checks import as_text, check_depth, checked_states, problem_of
from gammon.search.examiner import Examiner, Node
from gammon.search.game import NOT_OVER, Evaluator, Game, State

#: Lines in a row that may bring nothing new before the checks end.
_BARREN = 10
#: Outcomes of a state that are looked at: where a search begins, and elsewhere.
_ALL, _SOME = 64, 3


def _walk(
    examiner: Examiner,
    roots: Sequence[tuple[State, int | None]],
    depth: int,
    breadth: int,
    most: int,
) -> int:
    """Look at states where searches begin, and at states on random lines of play from them.

    Args:
        examiner: looks at them.
        roots: the states, each with what chance brought where a decision is searched.
        depth: plies, even, that a line has at most.
        breadth: how many outcomes of `roots` are looked at.
        most: states that are looked at, besides `roots`.

    Returns:
        How many states were looked at.
    """
    known: dict[tuple[bytes, int, float], list[Node]] = {}

    def look(node: Node, left: int, breadth: int, outcome: int | None = None) -> None:
        key = node.state.tobytes(), node.stake, node.low
        if key not in known:
            known[key] = examiner.look(node, left, breadth, outcome)

    for state, outcome in roots:
        look(examiner.root(state), depth, breadth, outcome)
    line, barren = 0, 0
    while barren < _BARREN and len(known) < len(roots) + most:
        node = examiner.root(roots[line % len(roots)][0])
        before = len(known)
        for left in range(depth - 2, 0, -2):
            below = known[node.state.tobytes(), node.stake, node.low]
            if not below or len(known) >= len(roots) + most:
                break
            node = below[examiner.random.integers(len(below))]
            look(node, left, _SOME)
        barren = barren + 1 if len(known) == before else 0
        line += 1
    examiner.finish()
    return len(known)


def check_game(
    game: Game,
    evaluator: Evaluator,
    states: npt.ArrayLike,
    *,
    depth: int = 100,
    most: int = 1000,
    seed: int = 0,
) -> int:
    """Check that a game and an evaluator keep their contract, on random lines of play.

    Their functions are called with more memory around their arrays than they know of, so
    that what they write there does no harm and is found, and so is what they read there.
    The contract is that of `gammon.search.game`. Where turns are written as the wrong
    player's, or payoffs with the wrong sign, all of it is kept; a twin finds that.

    With `GAMMON_KERNELS=python` it sees more: an index beyond an array that a function makes
    itself, and numbers that do not fit into a byte of a state.

    Args:
        game: the rules.
        evaluator: of its states.
        states: int8 [N, W], where searches begin, each seen from the player on roll. All of
            them are looked at, with all their outcomes (up to 64).
        depth: plies, even, from there on: no line is followed farther.
        most: how many more states are looked at, at most.
        seed: says which.

    Returns:
        How many states were looked at.

    Raises:
        GameError: a function does not keep the contract. The line names the function and the
            state, and says what was expected.
        SearchError: another argument is not as described here.
    """
    problem_of(game, evaluator)
    check_depth(depth, 0)
    for name, value in (("most", most), ("seed", seed)):
        if not is_whole(value, 0):
            raise SearchError(f"{name} {value!r}: expected a whole number, 0 or more")
    rows = checked_states(game, states, (None, game.width))
    if len(rows) == 0:
        raise SearchError(f"no states of {game.name}: expected one or more")
    examiner = Examiner(game, evaluator, strict=True, bounded=True, seed=seed)
    found = _walk(examiner, [(row, None) for row in rows], depth, _ALL, most)
    if all(game.terminal(row, game.stake, game.params) != NOT_OVER for row in rows):
        raise GameError(
            f"{game.name}: the game is over in all states given, {as_text(rows[0])} first; "
            "expected one in which `terminal` returns NOT_OVER"
        )
    return found


class Contract:
    """The contract of a game and its evaluators, checked the first time they go so deep.

    A search does this with the state that it begins with, and a few that follow; again only
    if it is deeper. What makes no result wrong is left to `check_game`, and the package's own
    functions to its tests.

    Args:
        game: the rules.
        evaluator: of its leaves.
        probe: the evaluator for probes, which may be beyond the bounds; None for the same.
        bounded: whether static values have to keep to the game's bounds.
    """

    def __init__(
        self, game: Game, evaluator: Evaluator, probe: Evaluator | None, bounded: bool
    ) -> None:
        self._game = game
        self._evaluators = [(evaluator, bounded)] + ([(probe, False)] if probe else [])
        functions = [game.outcomes, game.successors, game.terminal, game.bounds, game.offer]
        for each, _ in self._evaluators:
            functions += [each.evaluate, each.fold, each.turn, each.tie]
        #: Whether nothing is looked at.
        ours = ("gammon.", "gammon_lab.")
        self.trusted = all(str(each.__module__).startswith(ours) for each in functions)
        #: The depth to which all was as it should be.
        self._depth = np.inf if self.trusted else -1

    def check(self, state: State, outcome: int | None, depth: int) -> None:
        """Check that the contract is kept, unless it was seen to be.

        Args:
            state: int8 [W], where a search begins.
            outcome: what chance brought there, or None.
            depth: plies, even, from that state before chance.

        Raises:
            GameError: see `check_game`.
        """
        if depth <= self._depth:
            return
        for evaluator, bounded in self._evaluators:
            examiner = Examiner(self._game, evaluator, strict=False, bounded=bounded)
            _walk(examiner, [(state, outcome)], depth, _SOME, 8)
        if self._game.terminal(state, self._game.stake, self._game.params) == NOT_OVER:
            self._depth = depth
