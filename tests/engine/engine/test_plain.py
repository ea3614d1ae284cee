"""The plain design: the small network picks each probe, and PyTorch evaluates the leaves."""

from dataclasses import replace

import numpy as np
import pytest

from gammon import Engine, Position, Question
from gammon.base.errors import SettingError
from gammon.engine.search import Search
from gammon.eval.evaluators import leaf_and_probe
from gammon.rules.dice import outcome_of
from gammon.rules.terms import CUBELESS, Terms

OPENING = Position.opening()
HOLDING = Position.parse("XGID=-a--BBC-B---cC-a-cbc-bB--A:0:0:1:00:0:0:0:0:10")
RACE = Position.parse("XGID=-BBCCC-B-----------bcbdbb-:0:0:1:00:0:0:0:0:10")
LEAF, PROBE = leaf_and_probe()


@pytest.mark.parametrize("terms", [CUBELESS, Terms(), Terms(7, (3, 5))], ids=str)
@pytest.mark.parametrize("position", [OPENING, HOLDING, RACE], ids=["opening", "holding", "race"])
def test_other_probes_find_the_same_values(position: Position, terms: Terms) -> None:
    fast = Question(depth=3, noise=0.05).search_settings()
    board, roll = np.array(position.points, np.int8), outcome_of((4, 2))
    decisions = []
    for settings in (fast, replace(fast, plain=True)):
        search = Search.at(settings, terms, LEAF, PROBE)
        decisions.append(search.tree.decide(board, roll, 3, top=5))
    quick, plain = decisions
    best = quick.order[:5]
    assert np.array_equal(best, plain.order[:5])
    assert np.array_equal(quick.values[best], plain.values[best])
    assert np.array_equal(quick.rows[best[0]], plain.rows[best[0]])


@pytest.mark.parametrize(("position", "rounding"), [(OPENING, 3e-3), (HOLDING, 3e-3), (RACE, 1e-6)], ids=str)
def test_the_definition_in_pytorch_agrees_with_the_integers(position: Position, rounding: float) -> None:
    pytest.importorskip("numba")
    pytest.importorskip("torch")
    fast, plain = Engine(depth=1, cubeless=True), Engine(depth=1, plain=True)
    wanted = {c.play.notation: c.equity for c in fast.analyze(position, (4, 2)).candidates}
    analysis = plain.analyze(position, (4, 2))
    assert len(wanted) == len(analysis.candidates) > 3
    for candidate in analysis.candidates:
        assert candidate.equity == pytest.approx(wanted[candidate.play.notation], abs=rounding)


def test_the_plain_design_has_no_cube_and_no_games() -> None:
    assert not Engine(depth=1, plain=True).cubeful
    with pytest.raises(SettingError, match="cubeless False: expected a search that is not"):
        Engine(depth=1, plain=True, cubeless=False)
    with pytest.raises(SettingError, match="level roller of a plain search: expected a depth"):
        Engine(level="roller", plain=True)
