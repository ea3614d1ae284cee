"""Work per second: the yardstick, successors, evaluations."""

import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from gammon import search
from gammon.base.errors import GammonError
from gammon.compiled.hashing import mix
from gammon.compiled.kernel import kernel
from gammon.eval.baseline import BASELINE
from gammon.eval.evaluators import leaf_and_probe
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import OPENING, SIZE, Rows
from gammon.rules.dice import N_ROLLS
from gammon.rules.plays import MAX_ROWS, successors
from gammon.search import Evaluator, Table, problem_of
from gammon.search.decide_kernel import count_kernel
from gammon_lab.bench.positions import bench_positions

#: Successors of the 406 positions after the opening, over all rolls.
SECOND_TURN = 183_632
_REPEATS = 9
_HASHES = 2_000_000
#: The evaluations in search are measured in every 12th position.
_EVERY = 12


def median_seconds(work: Callable[[], object], repeats: int = _REPEATS) -> float:
    """Return the median time of a few runs of some work, in seconds."""
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


@kernel()
def _hash_on(count: int) -> np.uint64:
    """Return the last of `count` hashes, each the hash of the one before."""
    value = np.uint64(1)
    for _ in range(count):
        value = mix(value)
    return value


def yardstick() -> float:
    """Return hashes per second, each of the one before: a measure of one core alone."""
    return _HASHES / median_seconds(lambda: _hash_on(_HASHES))


def _second_turn() -> Rows:
    """Return the positions after the opening, over all rolls."""
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    opening = np.array(OPENING, np.int8)
    replies = [rows[: successors(opening, k, rows)].copy() for k in range(N_ROLLS)]
    return np.unique(np.concatenate(replies), axis=0)


def _generated(states: Rows) -> float:
    """Return successors generated per second, all in one call of a kernel."""
    problem = problem_of(BACKGAMMON, BASELINE)
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    repeated = np.repeat(states, N_ROLLS, axis=0)
    rolls = np.tile(np.arange(N_ROLLS), len(states))
    offsets = np.empty(len(repeated) + 1, np.int64)

    def generate() -> None:
        count_kernel(problem, rows, repeated, rolls, offsets)

    generate()
    if offsets[-1] != SECOND_TURN:
        raise GammonError(f"the generator is wrong: expected {SECOND_TURN} successors")
    return SECOND_TURN / median_seconds(generate)


def _evaluated(rows: Rows, evaluator: Evaluator, threads: int) -> float:
    """Return rows evaluated per second; each thread has a share of them, in one call."""
    shares = [part.copy() for part in np.array_split(rows, threads)]
    outputs = [np.empty((len(part), evaluator.outputs), np.float32) for part in shares]
    scratch = [evaluator.new_scratch() for _ in shares]

    def evaluate(k: int) -> None:
        part = shares[k]
        evaluator.evaluate(part[0], part, len(part), evaluator.weights, outputs[k], scratch[k])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(evaluate, range(threads)))
        return len(rows) / median_seconds(lambda: list(pool.map(evaluate, range(threads))))


def _evaluated_in_search(leaf: Evaluator, probe: Evaluator) -> float:
    """Return evaluations per second in Star2 at depth 5 on one core, all other work included."""
    evaluations, seconds = 0, 0.0
    tree = search.TreeSearch(BACKGAMMON, leaf, "star2", probe)
    for points, _, outcome, _ in bench_positions()[::_EVERY]:
        table = Table.allocate(BACKGAMMON, 1.0)
        begun = time.perf_counter()
        decision = tree.decide(points, outcome, 5, table=table)
        seconds += time.perf_counter() - begun
        evaluations += decision.stats.evaluations
    return evaluations / seconds


def speeds(model: str, threads: int) -> dict[str, float]:
    """Return the work per second by its name, on one core unless the name includes threads."""
    leaf, probe = leaf_and_probe(model)
    states = _second_turn()
    # The successors for 11, the roll with the most, of all positions.
    buffer = np.empty((MAX_ROWS, SIZE), np.int8)
    rows = np.concatenate([buffer[: successors(state, 0, buffer)].copy() for state in states])
    shared = {}
    if threads > 1:
        shared[f"leaf evaluations, {threads} threads"] = _evaluated(rows, leaf, threads)
    return {
        "successors": _generated(states),
        "leaf evaluations": _evaluated(rows, leaf, 1),
        **shared,
        "probe evaluations": _evaluated(rows, probe, 1),
        "evaluations in search, depth 5": _evaluated_in_search(leaf, probe),
    }
