"""Each name of an algorithm reaches its own algorithm, as the work and the value tell."""

from functools import cache

import numpy as np
import pytest

from gammon import search
from gammon.search import Stats
from gammon_lab.games import synthetic

NAMES = [*search.ALGORITHMS, *search.BIASES]
TREES = 40


@cache
def searched(name):
    """Return the values of some trees, float64 [n], and the work for all of them."""
    setup = search.Setup(synthetic.game(-3, 3), synthetic.LEAF, name)
    found = [setup.value(synthetic.root(-3, 3, seed), 6) for seed in range(TREES)]
    work = np.sum([each.stats for each in found], axis=0)
    return np.array([each.value for each in found]), Stats(*work.tolist())


def test_no_two_names_do_the_same():
    found = {(values.tobytes(), work) for values, work in map(searched, NAMES)}
    assert len(found) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_star2_and_star2_5_alone_probe(name):
    work = searched(name)[1]
    assert (work.probes > 0) == (work.probe_cuts > 0) == (name in ("star2", "star2.5"))
