"""Each name of an algorithm reaches its own algorithm, as the work and the value tell."""

from functools import cache

import numpy as np
import pytest

from gammon import search
from gammon.games import synthetic
from gammon.search import Stats

NAMES = [*search.ALGORITHMS, *search.BIASES]
TREES = 40


@cache
def searched(name):
    """Return the values of some trees, float64 [n], and the work for all of them."""
    found = [
        search.Setup(synthetic.game(-3, 3), synthetic.LEAF, name).value(
            synthetic.root(-3, 3, seed), 6
        )
        for seed in range(TREES)
    ]
    work = np.sum([each.stats for each in found], axis=0)
    return np.array([each.value for each in found]), Stats(*work.tolist())


def test_no_two_names_do_the_same():
    found = {(values.tobytes(), work) for values, work in map(searched, NAMES)}
    assert len(found) == len(NAMES)


@pytest.mark.parametrize("name", search.ALGORITHMS)
def test_best_play_has_one_value(name):
    assert searched(name)[0] == pytest.approx(searched("expectimax")[0], abs=1e-9)


def test_a_bias_moves_the_value_to_its_side():
    even = searched("expectimax")[0]
    guaranteed, possible = searched("guaranteed")[0], searched("possible")[0]
    assert (guaranteed <= even + 1e-9).all()
    assert (possible >= even - 1e-9).all()
    assert guaranteed.mean() < even.mean() - 0.5 < even.mean() + 0.5 < possible.mean()


@pytest.mark.parametrize("name", NAMES)
def test_star2_and_star2_5_alone_probe(name):
    work = searched(name)[1]
    assert (work.probes > 0) == (work.probe_cuts > 0) == (name in ("star2", "star2.5"))


@pytest.mark.parametrize("name", ["expectimax", *search.BIASES])
def test_some_never_cut(name):
    assert searched(name)[1].search_cuts == 0


@pytest.mark.parametrize("name", [name for name in NAMES if name != "expectimax"])
def test_expectimax_looks_at_most_leaves(name):
    assert searched(name)[1].leaves < searched("expectimax")[1].leaves


def test_the_stars_cut_at_more_nodes_than_gamma_pruning():
    gamma, star1 = searched("gamma")[1], searched("star1")[1]
    assert 0 < gamma.search_cuts < star1.search_cuts
