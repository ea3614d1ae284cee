"""Things that tests share: positions from play and from thin air, and a library of matches."""

import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from gammon.eval import janowski
from gammon.rules.board import CHECKERS, OPENING, Points, is_over
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.plays import MAX_ROWS, successors
from gammon.rules.terms import Terms

# The base install: no network can be defined, and none trained; there are no
# plots and there is no server.
collect_ignore: list[str] = []
if find_spec("torch") is None:
    networks = ("model_file", "network")
    collect_ignore += ["lab/test_train.py", "lab/train", "test_learn_cube.py"]
    collect_ignore += [f"engine/eval/test_{name}.py" for name in networks]

# Nor are there kernels but those of the library, while these tests have their own.
if find_spec("numba") is None:
    own = ("jit", "kernel", "vector", "vector_layers", "vector_rows")
    collect_ignore += [f"engine/compiled/test_{name}.py" for name in own]
    games = ("checks", "contract", "from_function")
    collect_ignore += [f"engine/search/test_{name}.py" for name in games]

if find_spec("matplotlib") is None:
    collect_ignore += ["lab/experiments/test_noise_matches.py"]
    collect_ignore += ["study/view/test_plot.py"]

#: `played(n, seed)` gives n positions from random games that are not finished.
Played = Callable[[int, int], list[Points]]

GOLDEN = Path(__file__).parent / "golden"

# Text is as wide and as plain here as where nobody says otherwise.
for name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
    os.environ.pop(name, None)

# A run in the background ignores interrupts, and so would the programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples each time, however slow the machine is: `--hypothesis-profile=nightly` draws
# others, and more. Compiled code may be loaded from disk inside the first of them.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("nightly", PATIENT)
settings.register_profile("gammon", PATIENT, derandomize=True, max_examples=40)
settings.load_profile("gammon")


def pytest_collection_finish() -> None:
    """Keep what is imported and collected by now out of the collections of garbage to come."""
    gc.collect()
    gc.freeze()


@st.composite
def positions(draw: st.DrawFn) -> Points:
    """Any legal position that is not finished, most of which no game would reach."""
    points = [0] * 26
    own = draw(st.integers(1, CHECKERS))
    for place in draw(st.lists(st.integers(1, 25), min_size=own, max_size=own)):
        points[place] += 1
    free = [p for p in range(25) if points[p] == 0]
    their = draw(st.integers(1, CHECKERS))
    for place in draw(st.lists(st.sampled_from(free), min_size=their, max_size=their)):
        points[place] -= 1
    return tuple(points)


@pytest.fixture
def as_gnu_backgammon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Janowski's model be that of GNU Backgammon.

    To that no double costs nothing, and at 2-away 2-away a centred cube is dead.
    """
    mixture = janowski.match_mixture

    def of_gnu_backgammon(
        results: Sequence[float], terms: Terms, efficiency: float, table: MatchEquityTable
    ) -> float:
        return mixture(results, terms, 0.0 if terms.away == (2, 2) else efficiency, table)

    monkeypatch.setattr(janowski, "costs_nothing", lambda terms: False)
    monkeypatch.setattr(janowski, "match_mixture", of_gnu_backgammon)


@pytest.fixture(autouse=True, scope="session")
def _one_process() -> Iterator[None]:
    """Let commands work in this process: to start others takes longer than most tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gammon.commands.shared.processors", lambda: 1)
        yield


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a library of matches; a test that writes takes a copy."""
    from tests.study.library.libraries import filled  # few tests need all that it imports

    return filled(tmp_path_factory.mktemp("library") / "three.db")


@pytest.fixture(scope="session")
def played() -> Played:
    """A function that plays the same games each time."""
    rows = np.empty((MAX_ROWS, 26), np.int8)

    def play(n: int, seed: int) -> list[Points]:
        rng = np.random.default_rng(seed)
        found: list[Points] = []
        points = OPENING
        while len(found) < n:
            found.append(points)
            count = successors(np.array(points, np.int8), rng.integers(21), rows)
            points = tuple(int(c) for c in rows[rng.integers(count)])
            if is_over(points):
                points = OPENING
        return found

    return play
