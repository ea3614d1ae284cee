"""One source, three ways to run: compiled here, loaded from the disk cache, plain Python."""

import json
import os
import subprocess
import sys

import pytest

from gammon import search
from gammon.games import synthetic

PROGRAM = """
import json
from tests.search.test_processes import cache_hits, sample
print(json.dumps([cache_hits(), sample()]))
"""


def sample():
    """Return the values of a few searches of each kind."""
    values = []
    for seed in range(6):
        bounds = [(-1, 1), (5, 10)][seed % 2]
        game, state = synthetic.game(*bounds), synthetic.root(*bounds, seed)
        for algorithm in search.ALGORITHMS:
            options = {"sigma": 0.1 * (seed % 3), "noise_seed": seed}
            question = (game, synthetic.LEAF, state)
            found = search.chance_value(*question, 4, algorithm, synthetic.PROBE, **options)
            decision = search.decide(*question, 0, 3, algorithm, synthetic.PROBE, **options)
            values += [found.value, *decision.values]
    return values


def cache_hits():
    """Return how many of the search's kernels came from the disk, or -1 without a compiler."""
    from gammon.search.decision import decide_kernel

    from gammon.search.value_kernel import value_kernel

    kernels = [decide_kernel, value_kernel]
    if not hasattr(kernels[0], "stats"):
        return -1
    return sum(sum(kernel.stats.cache_hits.values()) for kernel in kernels)


def run_elsewhere(**environment):
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_a_second_process_loads_the_cache_and_agrees():
    hits, values = run_elsewhere()
    assert hits == 2
    assert values == sample()


def test_plain_python_agrees():
    hits, values = run_elsewhere(NUMBA_DISABLE_JIT="1")
    assert hits == -1
    assert values == pytest.approx(sample(), abs=1e-9)
