"""The subjects of a comparison of searches: decisions of a game, and a judge of their plays.

* **backgammon**: the judged decisions where strong players of three programs differ. Rollouts judge.
* **hypergammon**: two checkers a side, decisions of exact play. The exact table judges.
* **dice**: the Game of Dice, 5 x 5, decisions of random play. An exact search two plies deeper judges,
  as in any other game.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gammon.base.errors import SettingError
from gammon.base.mean import FEW
from gammon.eval.evaluators import leaf_and_probe
from gammon.eval.width import load_width
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import flipped
from gammon.search import NOT_OVER, Evaluator, Game, Table, TreeSearch, check_game
from gammon.search.algorithms import Algorithm
from gammon.search.game import Rows, State
from gammon_lab.games import dice_game
from gammon_lab.games import hypergammon as small_backgammon
from gammon_lab.hypergammon.judge import judge, successors_of
from gammon_lab.hypergammon.solve import CUBELESS
from gammon_lab.hypergammon.table import ExactTable
from gammon_study.library.judged_decisions import JudgedDecision, judged_decisions

T = TypeVar("T")

#: Checkers of a side in the hypergammon that is judged by its table.
CHECKERS = 2
_SIDE, _LINE = 5, 4
#: Of this many turns of random play one is a decision.
_EVERY = 5
#: Turns after which a game of random play is given up.
_LONGEST = 1000


class Subject(NamedTuple):
    """Decisions of a game, and their judge.

    Attributes:
        game: the rules.
        leaf, probe: the evaluators; of the same kind.
        width: the evaluator of widths for bounded search, or None.
        decisions: states, int8 [W], each with an outcome; none is forced.
        values: from the number of a decision to its best value, and the value of a successor, int8
            [W], both to the player who decides, by the judge.
    """

    game: Game
    leaf: Evaluator
    probe: Evaluator
    width: Evaluator | None
    decisions: Sequence[tuple[State, int]]
    values: Callable[[int, State], tuple[float, float]]


class Foreign(NamedTuple):
    """Names M:NAME of objects of other programs; empty for none.

    Attributes:
        game: a `Game`, which takes the place of all subjects; its games begin in the state of zeros.
        evaluator: an `Evaluator`, for that game or for backgammon.
        algorithm: one `Algorithm` or more, to compare too.
    """

    game: str = ""
    evaluator: str = ""
    algorithm: tuple[str, ...] = ()

    def options(self) -> dict[str, str | list[str]]:
        """Return what is given, by the names of the options of `gammon reproduce compare`."""
        own: dict[str, str | list[str]] = {
            "game": self.game,
            "evaluator": self.evaluator,
            "algorithm": list(self.algorithm),
        }
        return {option: value for option, value in own.items() if value}

    def check(self) -> None:
        """Check that all names are of objects as described, and that a game has an evaluator.

        Raises:
            SettingError: one is not.
        """
        if self.game:
            named(self.game, Game)
            if not self.evaluator:
                raise SettingError(f"--game {self.game} without an evaluator: expected both")
        if self.evaluator:
            named(self.evaluator, Evaluator)
        for algorithm in self.algorithm:
            named(algorithm, Algorithm)

    def sources(self) -> dict[str, str]:
        """Return an id of the source file of each module, without what it imports. Call `check` before."""
        names = {text.partition(":")[0] for text in (self.game, self.evaluator, *self.algorithm) if text}
        files = {name: sys.modules[name].__file__ for name in sorted(names)}
        return {
            f"source of {name}": sha256(Path(file).read_bytes()).hexdigest()[:12]
            for name, file in files.items()
            if file is not None
        }


#: No object of another program.
ALL_OURS = Foreign()


def named(text: str, kind: type[T]) -> T:
    """Return an object by its name, `M:NAME` with a module M, installed or in the current folder.

    Raises:
        SettingError: there is no such object, or it is of another kind.
    """
    module, colon, name = text.partition(":")
    added = [] if "" in sys.path else [""]
    sys.path += added  # the current folder, last: it hides no installed module
    try:
        found: Any = getattr(import_module(module), name) if colon else None
    except (ImportError, AttributeError, ValueError, SyntaxError) as error:
        raise SettingError(f"{text!r}: {error}; expected MODULE:NAME") from None
    finally:
        for folder in added:
            sys.path.remove(folder)
    if not isinstance(found, kind):
        raise SettingError(f"{text!r}: expected MODULE:NAME of one {kind.__name__}")
    return found


@cache
def subject_of(name: str, count: int, seed: int, deepest: int, table: str, foreign: Foreign) -> Subject:
    """Return a subject with a number of decisions, or fewer if there are no more.

    Args:
        name: "backgammon", "hypergammon", "dice" or "game", the foreign one.
        count: how many decisions.
        seed: of the play that they come from.
        deepest: the plies of the deepest exact search.
        table: the path of the exact table, for hypergammon.
        foreign: objects of other programs.
    """
    if name == "game":
        game, leaf = named(foreign.game, Game), named(foreign.evaluator, Evaluator)
        start = np.zeros(game.width, np.int8)
        check_game(game, leaf, [start])
        return _searched(game, leaf, random_play(game, start, count, seed), deepest)
    if name == "dice":
        game, leaf = dice_game.game(_SIDE, _LINE), dice_game.leaf(_SIDE, _LINE)
        return _searched(game, leaf, random_play(game, dice_game.root(_SIDE), count, seed), deepest)
    leaf, probe = leaf_and_probe("leaf")
    if name == "hypergammon":
        return _tabled(ExactTable.load(Path(table)), leaf, probe, count, seed)
    if foreign.evaluator:  # the widths that ship fit the networks that ship alone
        own = named(foreign.evaluator, Evaluator)
        return _rolled_out(own, own, None, count)
    return _rolled_out(leaf, probe, load_width(), count)


def _rolled_out(leaf: Evaluator, probe: Evaluator, width: Evaluator | None, count: int) -> Subject:
    """Return backgammon, judged by rollouts; the decisions are spread evenly over the file."""
    judged: list[JudgedDecision] = [decision for decision in judged_decisions() if decision.trials > 0]
    places = np.unique(np.linspace(0, len(judged) - 1, count).astype(int))
    chosen = [judged[place] for place in places]

    def values(number: int, row: State) -> tuple[float, float]:
        equities = chosen[number].equities
        return max(equities.values()), equities[flipped(row.tolist())]

    decisions = [(np.array(decision.points, np.int8), decision.outcome) for decision in chosen]
    return Subject(BACKGAMMON, leaf, probe, width, decisions, values)


def _tabled(table: ExactTable, leaf: Evaluator, probe: Evaluator, count: int, seed: int) -> Subject:
    """Return hypergammon, judged by its table."""
    found: dict[tuple[bytes, int], tuple[State, int]] = {}

    def exact(state: State, roll: int, rows: Rows) -> int:
        found.setdefault((state.tobytes(), roll), (state.copy(), roll))
        return int(table.numbers(rows)[:, CUBELESS].argmin())

    random = np.random.default_rng(seed)
    while len(found) < count:
        judge(table, exact, 2, int(random.integers(2**63)))
    decisions = list(found.values())[:count]

    def values(number: int, row: State) -> tuple[float, float]:
        rows = successors_of(*decisions[number])
        best = float(-table.numbers(rows)[:, CUBELESS].min())
        return best, float(-table.numbers(row[None])[0, CUBELESS])

    game = small_backgammon.game(table.checkers)
    return Subject(game, leaf, probe, load_width(), decisions, values)


def random_play(game: Game, start: State, count: int, seed: int) -> list[tuple[State, int]]:
    """Return different decisions of games of random play, none forced: one of every few turns.

    There are fewer than `count` if the games have no more.

    Raises:
        SettingError: the games have too few decisions.
    """
    random = np.random.default_rng(seed)
    decisions: dict[tuple[bytes, int], tuple[State, int]] = {}
    rows, chance = np.empty((game.max_successors, game.width), np.int8), np.empty(game.max_outcomes)
    drawn, most = 0, 100 * count
    for played in range(most):
        state = start
        for turn in range(_LONGEST):
            if len(decisions) == count or drawn == most:
                break
            if game.terminal(state, game.stake, game.params) != NOT_OVER:
                break
            n = game.outcomes(state, game.params, chance)
            outcome = int(random.choice(n, p=chance[:n]))
            n = game.successors(state, outcome, game.params, rows)
            if n > 1 and (turn + played) % _EVERY == 0:
                drawn += 1
                decisions.setdefault((state.tobytes(), outcome), (state, outcome))
            state = rows[random.integers(n)].copy()
    least = min(count, FEW)
    if len(decisions) < least:
        raise SettingError(f"{game.name}: {len(decisions)} decisions in random play, expected {least}")
    return list(decisions.values())


def _searched(game: Game, leaf: Evaluator, decisions: list[tuple[State, int]], deepest: int) -> Subject:
    """Return a game judged by an exact search two plies deeper than `deepest`."""
    own = TreeSearch(game, leaf)
    below, depth = own.for_opponent(), deepest + 2

    def table() -> Table | None:
        return Table.at_depth(game, min(depth, 7))

    @cache
    def best(number: int) -> float:
        decision = own.decide(*decisions[number], depth, table=table())
        return float(decision.values.max())

    @cache
    def value(row: bytes) -> float:
        state = np.frombuffer(row, np.int8)
        return -below.value(state, depth - 1, table=table()).value

    return Subject(
        game, leaf, leaf, None, decisions, lambda number, row: (best(number), value(row.tobytes()))
    )
