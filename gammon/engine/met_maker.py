"""A match equity table from the engine's own values, by backward recursion over scores.

A game leads to scores at which fewer points are needed, so the chances after it are known. The
value of a score is the value of the opening position: the mean over both players who may begin,
and over the first rolls, of the best play with the cube.
"""

from collections.abc import Callable

import numpy as np

from gammon.base.checks import one_of, whole
from gammon.base.settings import unchecked
from gammon.engine.engine import Engine
from gammon.engine.question import DEPTHS
from gammon.formats.position import Position
from gammon.rules.dice import ROLLS
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import LONGEST_MATCH, Terms

#: The rolls that can begin a game: two different numbers, all equally likely.
_FIRST_ROLLS = [roll for roll in ROLLS if roll[0] != roll[1]]


def make_met(
    length: int,
    depth: int = 3,
    model: str | None = None,
    threads: int = 1,
    on_score: Callable[[int, int], None] = lambda done, total: None,
) -> MatchEquityTable:
    """Return a table from the engine's own values of opening positions.

    Args:
        length: points, from 2 to 64; the table is extended beyond it.
        depth: plies of the search of each opening roll.
        model: the engine's network.
        threads: of the engine; the table does not depend on them.
        on_score: called with the number of scores done and the total.

    Raises:
        SettingError: a setting is out of range.
        ModelError: there is no such network.
    """
    whole("length", length, 2, LONGEST_MATCH)
    one_of("depth", depth, DEPTHS)
    main = np.full((LONGEST_MATCH, LONGEST_MATCH), np.nan)
    post_crawford = np.full(LONGEST_MATCH, np.nan)
    name = f"gammon, depth {depth}, {model or 'leaf'}"
    table = unchecked(MatchEquityTable, name=name, main=main, post_crawford=post_crawford, length=length)
    # The engine reads the table while it grows, but never an entry that is still missing.
    engine = Engine(depth, model=model, threads=threads, met=table)
    scores = [(own, their) for own in range(1, length + 1) for their in range(1, own + 1)]
    total = length + len(scores)

    post_crawford[0] = 0.5
    for own in range(2, length + 1):
        post_crawford[own - 1] = _chance(engine, Terms(own, (own, 1)))
        on_score(own, total)
    for number, (own, their) in enumerate(scores, length + 1):
        chance = 0.5
        if own > their:
            chance = _chance(engine, Terms(own, (own, their), crawford=their == 1))
        main[own - 1, their - 1], main[their - 1, own - 1] = chance, 1.0 - chance
        on_score(number, total)
    rows = main[:length, :length].tolist()
    return MatchEquityTable.extended(name, rows, post_crawford[:length].tolist())


def _chance(engine: Engine, terms: Terms) -> float:
    """Return the chance to win the match before a game, whoever begins it."""
    begins = _opening_chance(engine, terms)
    return 0.5 * (begins + 1.0 - _opening_chance(engine, terms.for_opponent()))


def _opening_chance(engine: Engine, terms: Terms) -> float:
    """Return the match winning chance of the player who begins the game."""
    position = Position.opening().with_terms(terms)
    chances = [engine.analyze(position, roll, top=1).candidates[0].mwc for roll in _FIRST_ROLLS]
    return float(np.mean(chances))  # type: ignore[arg-type]
