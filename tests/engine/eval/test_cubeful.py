"""The evaluator with the cube: the chances of the network, and the efficiency."""

import numpy as np
import pytest

from gammon.base.errors import SettingError
from gammon.eval.baseline import BASELINE
from gammon.eval.bearoff_cube import covers, exact_money
from gammon.eval.cube_network import cube_block
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import BY_OWNER, KNOWN, LIKE_TWO, N_OUTPUTS, cube_efficiency
from gammon.eval.evaluators import load_evaluator
from gammon.rules.board import OPENING, has_contact
from gammon.rules.plays import MAX_ROWS, successors
from gammon.rules.terms import Terms
from tests.boards import by_counts, points_of
from tests.engine.eval.learned_cube import efficiencies
from tests.twins import outputs


def test_the_outputs_are_those_of_the_network_and_the_efficiency() -> None:
    network = load_evaluator("probe")
    cubeful = cubeful_evaluator(network)
    rows = np.empty((MAX_ROWS, 26), np.int8)
    race = np.array(points_of({8: 1, 6: 4, 5: 5, 2: 5}, {19: 9, 21: 6}), np.int8)
    for parent in (np.array(OPENING, np.int8), race):
        found = rows[: successors(parent, 3, rows)]
        out = outputs(cubeful, parent, found)
        assert out.shape == (len(found), cubeful.outputs) == (len(found), N_OUTPUTS)
        assert out[:, :6].tobytes() == outputs(network, parent, found).tobytes()
        if parent is race:
            assert (out[:, 6] == LIKE_TWO).all()
            assert (np.diff(out[:, 7:], axis=1) < 0.0).all(), "one's own cube is worth most"
        else:
            assert (out[:, 6] == BY_OWNER).all()
            assert np.array_equal(out[:, 7:], efficiencies(found, out[:, :6], cube_block()))


def test_small_bearoffs_have_their_known_values() -> None:
    for bearoff in (True, False):
        network = load_evaluator("probe", bearoff)
        cubeful = cubeful_evaluator(network)
        rows = np.array(
            [
                by_counts((0, 0, 1, 1), (0, 2)), by_counts((7,), (1,)), OPENING,
                by_counts((0, 0, 0, 0, 0, 6), (0, 0, 0, 0, 0, 6)), by_counts((1,), (0, 1)),
            ],
            np.int8,
        )  # fmt: skip
        out = outputs(cubeful, rows[2], rows)
        assert out[:, :6].tobytes() == outputs(network, rows[2], rows).tobytes()
        for row, points in zip(out, rows.tolist(), strict=True):
            if bearoff and covers(points):
                expected = [exact_money(points, Terms(cube=2, owner=o)) for o in (1, 0, -1)]
                assert row[6:].tolist() == [KNOWN, *expected]
            elif bearoff:
                assert row[6] == (BY_OWNER if has_contact(points) else LIKE_TWO)
            else:
                assert row[6] == np.float32(cube_efficiency(tuple(points)))
                assert not row[7:].any()
        assert cubeful.weights is network.weights, "they take no more memory"


def test_other_evaluators_are_refused() -> None:
    with pytest.raises(SettingError, match="expected that of a network in integers"):
        cubeful_evaluator(BASELINE)
