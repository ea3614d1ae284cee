"""The contract of a game and its evaluator, checked: by `check_game`, and before a search.

Kernels trust what a game tells. A row too many is written over other memory; chances that
do not sum to 1, or a value beyond the bounds, give a wrong result without a word. So these
checks call each function between guards (`guard`), in states that play can come to.
"""

from collections.abc import Sequence

import numpy.typing as npt

from gammon.base.errors import GameError, SearchError
from gammon.search.checks import check_depth, checked_states, problem_of, shown
from gammon.search.examiner import Examiner, Node
from gammon.search.game import NOT_OVER, Evaluator, Game, State

__all__ = ["check_game", "check_once"]

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

    With `NUMBA_DISABLE_JIT=1` it sees more: an index beyond an array that a function makes
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
    rows = checked_states(game, states, (None, game.width))
    if len(rows) == 0:
        raise SearchError(f"no states of {game.name}: expected one or more")
    examiner = Examiner(game, evaluator, strict=True, bounded=True, seed=seed)
    found = _walk(examiner, [(row, None) for row in rows], depth, _ALL, most)
    if all(game.terminal(row, game.stake, game.params) != NOT_OVER for row in rows):
        raise GameError(
            f"{game.name}: the game is over in all states given, {shown(rows[0])} first; "
            "expected one in which `terminal` returns NOT_OVER"
        )
    return found


#: The problems that `check_once` has seen, with the depth to which each was searched; at most
#: `_MOST_SEEN`, for they hold the functions of games that nobody may have any more.
_seen: dict[tuple[object, ...], int] = {}
_MOST_SEEN = 1000


def check_once(
    game: Game,
    evaluator: Evaluator,
    probe: Evaluator | None,
    state: State,
    outcome: int | None,
    depth: int,
    bounded: bool,
) -> None:
    """Check a game and its evaluators the first time that they are searched so deep.

    A search does this with the state that it begins with, and a few that follow; again only
    if it is deeper, or the functions, the sizes or the bounds are others. What makes no result
    wrong is left to `check_game`, and the package's own functions are left to its tests.

    Args:
        game: the rules.
        evaluator: of its leaves.
        probe: the evaluator for probes, which may be beyond the bounds; None for the same.
        state: int8 [W], where a search begins.
        outcome: what chance brought there, or None.
        depth: plies, even, from that state before chance.
        bounded: whether static values have to keep to the game's bounds.

    Raises:
        GameError: see `check_game`.
    """
    key = (
        game[1:10], game.params.size, game.stake, game.offer, bounded, evaluator.evaluate,
        evaluator.weights.size, evaluator[2:],
        probe and (probe.evaluate, probe.weights.size, probe[2:]),
    )  # fmt: skip
    if _seen.get(key, -1) >= depth:
        return
    if len(_seen) >= _MOST_SEEN:
        _seen.clear()
    functions = (
        *game[6:10],
        game.offer,
        *[f for e in (evaluator, probe) if e for f in (e.evaluate, e.fold, e.turn)],
    )
    if all(str(each.__module__).startswith("gammon.") for each in functions):
        _seen[key] = depth
        return
    for each, kept in ((evaluator, bounded), (probe, False)):
        if each is not None:
            examiner = Examiner(game, each, strict=False, bounded=kept)
            _walk(examiner, [(state, outcome)], depth, _SOME, 8)
    if game.terminal(state, game.stake, game.params) == NOT_OVER:
        _seen[key] = depth
