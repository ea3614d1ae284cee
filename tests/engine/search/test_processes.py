"""One source, three ways to run: compiled here, loaded from the disk cache, plain Python."""

import json
import sys

import pytest

from gammon import search
from gammon.compiled.kernel import Kernel
from gammon_lab.games import synthetic
from tests.engine.search.asked import asked
from tests.processes import printed

PROGRAM = """
import json
from tests.engine.search.test_processes import loaded, sample
values = sample()
print(json.dumps([loaded(), values]))
"""


def sample():
    """Return the values of a few searches of each kind."""
    values = []
    for seed in range(6):
        bounds = [(-1, 1), (5, 10)][seed % 2]
        game, state = synthetic.game(*bounds), synthetic.root(*bounds, seed)
        noise = {"sigma": 0.1 * (seed % 3), "noise_seed": seed}
        question = (game, synthetic.LEAF, state)
        for algorithm in search.ALGORITHMS:
            found = asked(
                "value", *question, 4, algorithm=algorithm, probe=synthetic.PROBE, **noise
            )
            decision = asked(
                "decide", *question, 0, 3, algorithm=algorithm, probe=synthetic.PROBE, **noise
            )
            values += [found.value, *decision.values]
        for threads in (1, 2):
            divided = asked("decide", *question, 0, 5, threads=threads, **noise)
            values += [divided.values.max()]
    return values


def loaded():
    """Return how the kernels of gammon came here: (from the library or the disk, compiled)."""
    modules = [module for name, module in sys.modules.items() if name.startswith("gammon.")]
    things = {id(thing): thing for module in modules for thing in vars(module).values()}
    kernels = [thing for thing in things.values() if isinstance(thing, Kernel)]
    native = [each for each in kernels if vars(each).get("native")]
    made = [each.compiled.dispatcher for each in kernels if "compiled" in vars(each)]
    hits, misses = (
        sum(sum(getattr(each.stats, kind).values()) for each in made)
        for kind in ("cache_hits", "cache_misses")
    )
    return len(native) + hits, misses


@pytest.mark.smoke
def test_a_second_process_loads_the_cache_and_agrees():
    here = sample()  # which compiles what is not on the disk
    (hits, misses), values = json.loads(printed(PROGRAM))
    assert misses == 0, "something was compiled again"
    # decide_kernel, value_kernel, the five kernels that threads share, the game's functions.
    assert hits >= 2 + 5 + 4
    assert values == here


def test_plain_python_agrees():
    counts, values = json.loads(printed(PROGRAM, GAMMON_KERNELS="python"))
    assert counts == [0, 0]
    assert values == pytest.approx(sample(), abs=1e-9)
