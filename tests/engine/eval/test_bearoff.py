"""The bearoff tables: against definitions, with the cube, in matches, in searches; a file."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.base.errors import GammonError
from gammon.engine.engine import Engine
from gammon.eval import array_cache, bearoff_build
from gammon.eval.bearoff import N_NUMBERS, N_OWNERS, both_at_home
from gammon.eval.bearoff import with_cube as bearoff_cube_with_cube
from gammon.eval.bearoff_cube import ExactCube, covers, exact_cube, exact_money
from gammon.eval.bearoff_file import bearoff_tables, build_again, tables_path
from gammon.eval.bearoff_match import match_play_values, match_values
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import probabilities
from gammon.eval.race_cube import N_TABLES
from gammon.formats.position import Position
from gammon.rules.board import OPENING, Points
from gammon.rules.home import FIRST_WHOLE, N_SIDES, N_TWO_SIDED, at_home
from gammon.rules.terms import Terms
from tests.boards import by_counts
from tests.conftest import positions
from tests.engine.eval.drawn import planes_of
from tests.naive.bearoff import (
    MET,
    SIDES,
    built,
    exact_rows,
    mean_of_best,
    on_turn_in_match,
    rank_of_side,
    rolled,
    rolled_in_match,
    rolls_needed,
    tables,
    with_cube,
)

# The chances of bearing off: a network and a search take them from the tables.


def test_the_network_gives_way_where_all_are_at_home():
    _, one, two = tables()
    leaf = load_evaluator("leaf")
    own, their = SIDES[200], SIDES[77]
    found = probabilities(np.array([by_counts(own, their)], np.int8), leaf.weights)[0]
    assert found[0] == pytest.approx(two[200, 77], abs=1e-6)
    assert not found[1:].any()
    # With all checkers left on one side, it can lose a gammon.
    whole, few = (0, 0, 0, 0, 0, 15), (2, 0, 0, 0, 0, 0)
    rank = rank_of_side(*whole) - FIRST_WHOLE
    rows = np.array([by_counts(whole, few), by_counts(few, whole)], np.int8)
    found = probabilities(rows, leaf.weights)
    assert found[0, 0] == pytest.approx(0.0, abs=1e-4)
    assert found[0, 3] == pytest.approx(1 - one[rank, 0], abs=1e-6)
    assert found[1, 1] == 1.0


@given(st.lists(positions(), max_size=12), st.lists(st.integers(1, 54_263), max_size=4))
def test_who_is_at_home_of_sixteen(boards, sides):
    rows = [*boards, *(by_counts(SIDES[side], SIDES[9]) for side in sides)]
    found = both_at_home(planes_of(rows))
    for lane, points in enumerate(rows):
        state = np.array(points, np.int8)
        expected = at_home(state, False) and at_home(state, True)
        assert bool(found & (1 << lane)) == expected
        assert expected or lane < len(boards)


def test_search_plays_by_the_table():
    rng = np.random.default_rng(5)
    _, _, two = tables()
    for own, their in rng.integers(1, N_TWO_SIDED, (30, 2)):
        position = Position(by_counts(SIDES[own], SIDES[their]))
        assert Engine(depth=1, cubeless=True).evaluate(position).equity == pytest.approx(
            2 * two[own, their] - 1, abs=2e-6
        )
        assert Engine(depth=3, cubeless=True).evaluate(position).equity == pytest.approx(
            2 * two[own, their] - 1, abs=2e-6
        )


def test_what_the_tables_are_rounded_by_makes_no_chance_negative():
    """Of two of these positions sums of the tables leave a little less than nothing."""
    xgids = "-EABCC--------------a-a---", "-ACDBE-------------d-b-ed-"
    rows = [Position.parse(f"XGID={xgid}:0:0:1:00:0:0:0:0:10").points for xgid in xgids]
    rng = np.random.default_rng(6)
    drawn = rng.integers(1, len(SIDES), (400, 2))
    rows += [by_counts(SIDES[own], SIDES[their]) for own, their in drawn]
    found = probabilities(np.array(rows, np.int8), load_evaluator("leaf").weights)
    assert found.min() == 0.0
    assert found.max() <= 1.0
    assert (np.diff(found[:, :3]) <= 0.0).all()
    assert (found[:, 4] <= found[:, 3]).all()


# The bearoff tables against definitions.


@cache
def win(own, their):
    """Return the chance of the player on roll to be done first, by exact play: the twin."""
    return mean_of_best(own, lambda play: 1.0 - win(their, play) if sum(play) else 1.0)


def test_ranks_count_the_sides():
    assert len(SIDES) == N_SIDES == len(np.unique(SIDES, axis=0))
    assert SIDES.sum(axis=1).max() == 15
    assert (SIDES[:N_TWO_SIDED].sum(axis=1) <= 6).all()
    assert (SIDES[N_TWO_SIDED:].sum(axis=1) > 6).all()
    assert not SIDES[0].any()


@pytest.mark.parametrize("rank", [1, 6, 25, 100, 300, 700])
def test_one_sided_against_the_twin(rank):
    off, _, _ = tables()
    expected, mean = rolls_needed(tuple(int(c) for c in SIDES[rank]))
    assert off[rank] == pytest.approx(expected, abs=1e-6)
    assert mean > 1


def test_one_sided_chances_are_whole():
    off, one, _ = tables()
    assert off[1:].sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert one.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert (np.flatnonzero(SIDES.sum(axis=1) == 15) >= FIRST_WHOLE).all()
    assert len(one) == N_SIDES - FIRST_WHOLE
    # Fifteen checkers on the ace point: two a roll, four with a double.
    ace = rank_of_side(15, 0, 0, 0, 0, 0)
    assert one[ace - FIRST_WHOLE, 0] == pytest.approx(1.0)
    assert off[ace, 3] == pytest.approx(6.0**-4, abs=1e-6)


@pytest.mark.parametrize(("own", "their"), [(1, 1), (6, 3), (30, 12), (5, 60), (83, 83)])
def test_two_sided_against_the_twin(own, their):
    _, _, two = tables()
    sides = (tuple(int(c) for c in SIDES[rank]) for rank in (own, their))
    assert two[own, their] == pytest.approx(win(*sides), abs=1e-6)


@pytest.mark.parametrize(("own", "their"), [(1, 1), (6, 3), (30, 12), (5, 60), (83, 83)])
def test_the_table_with_the_cube_against_the_twin(own, their):
    sides = [tuple(int(c) for c in SIDES[rank]) for rank in (own, their)]
    expected = [rolled(*sides, owner) for owner in (1, 0, -1)]
    assert with_cube()[own * N_TWO_SIDED + their] == pytest.approx(expected, abs=1e-7)


def test_known_values_with_the_cube():
    _, _, two = tables()
    for own_side, their_side, row in exact_rows("bearoff_money.csv"):
        own, their = rank_of_side(*own_side), rank_of_side(*their_side)
        expected = [float(row[name]) for name in ("own", "centred", "opponents")]
        assert with_cube()[own * N_TWO_SIDED + their] == pytest.approx(expected, abs=1e-6)
        assert 2 * two[own, their] - 1 == pytest.approx(float(row["cubeless"]), abs=1e-6)


def test_no_cube_is_better_than_ones_own_nor_worse_than_the_opponents():
    mine, centred, his = with_cube().T
    assert (mine >= centred).all()
    assert (centred >= his).all()
    _, _, two = tables()
    played = np.outer(SIDES[:N_TWO_SIDED].any(axis=1), SIDES[:N_TWO_SIDED].any(axis=1)).ravel()
    cubeless = np.where(played, 2 * two.ravel() - 1, 0)
    assert (mine >= cubeless - 1e-6).all()
    assert (his <= cubeless + 1e-6).all()
    assert (centred < cubeless - 0.2).any(), "a centred cube can be worth less than none"


def test_plays_that_there_is_room_for():
    ranks, many = bearoff_build.two_sided_plays()
    assert many.max() == ranks.shape[2]


# Exact bearoffs in a match against recursion in plain Python, known values and a search.


def found(own, their, terms):
    """Return the chances to win the match that `match_values` says; -1 for none."""
    values = match_values(rank_of_side(*own), rank_of_side(*their), terms, MET)
    return [-1.0 if value is None else 0.5 * (value + 1.0) for value in values]


TERMS = [
    Terms(7, (7, 7)), Terms(7, (3, 5)), Terms(7, (5, 2), cube=2, owner=1),
    Terms(9, (8, 6), cube=2, owner=-1), Terms(5, (2, 2)), Terms(7, (4, 1)), Terms(7, (1, 4)),
    Terms(7, (1, 4), crawford=True), Terms(5, (1, 1)), Terms(64, (64, 60)),
    Terms(64, (40, 33), cube=16, owner=1), Terms(9, (9, 9), cube=64, owner=1),
    Terms(7, (5, 5), live=False),
]  # fmt: skip
#: By the checkers on the points 1 to 6.
BEAROFF_MATCH_SIDES = {
    "61-6": ((1, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 1)),
    "43-22": ((0, 0, 1, 1, 0, 0), (0, 2, 0, 0, 0, 0)),
    "66-55": ((0, 0, 0, 0, 0, 2), (0, 0, 0, 0, 2, 0)),
    "432-521": ((0, 1, 1, 1, 0, 0), (1, 1, 0, 0, 1, 0)),
}


@pytest.mark.parametrize("terms", TERMS, ids=str)
@pytest.mark.parametrize("name", BEAROFF_MATCH_SIDES)
def test_against_the_twin(name, terms):
    own, their = BEAROFF_MATCH_SIDES[name]
    expected = [rolled_in_match(own, their, terms), -1.0, -1.0]
    if terms.may_double:
        expected[1:] = (rolled_in_match(own, their, terms.doubled()), MET.after(terms, terms.cube))
    assert found(own, their, terms) == pytest.approx(expected, abs=3e-7)


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_plays_against_the_twin(terms):
    own, their = BEAROFF_MATCH_SIDES["432-521"]
    played = [(0, 0, 2, 0, 0, 0), (0, 1, 0, 0, 0, 0), (0,) * 6]
    values = match_play_values(
        rank_of_side(*own),
        rank_of_side(*their),
        np.array([rank_of_side(*side) for side in played]),
        terms,
        MET,
    )
    turned = terms.for_opponent()
    expected = [1.0 - on_turn_in_match(their, side, turned) for side in played[:2]]
    expected.append(MET.after(terms, terms.cube))
    assert 0.5 * (values + 1.0) == pytest.approx(expected, abs=3e-7)


def test_known_values():
    for own, their, row in exact_rows("bearoff_match.csv"):
        away = int(row["away_me"]), int(row["away_opp"])
        owner = 1 if row["owner"] == "me" else 0
        terms = Terms(max(away), away, cube=int(row["cube"]), owner=owner).checked()
        expected = [float(row[name]) for name in ("mwc_nd", "mwc_dt", "mwc_dp")]
        assert found(own, their, terms) == pytest.approx(expected, abs=1e-6)


# Exact cube decisions in bearoffs: which positions are covered, and what they are worth.

TABLES = np.array(bearoff_tables())


def in_table(points: Points) -> list[float] | None:
    """The values that the kernel finds, or None."""
    out = np.full(N_OWNERS, np.nan, np.float32)
    known = bearoff_cube_with_cube(np.array(points, np.int8), TABLES, N_NUMBERS, out)
    return out.tolist() if known else None


@given(positions())
def test_what_is_covered(points: Points) -> None:
    own = [place for place in range(1, 26) if points[place] > 0]
    their = [place for place in range(25) if points[place] < 0]
    few = sum(max(n, 0) for n in points) <= 6 and sum(max(-n, 0) for n in points) <= 6
    expected = few and max(own) <= 6 and min(their) >= 19
    assert covers(points) == expected == (in_table(points) is not None)


def test_bearoffs_that_are_covered() -> None:
    random = np.random.default_rng(3)
    for own, their in random.integers(1, 5000, (300, 2)):
        points = by_counts(SIDES[own], SIDES[their])
        expected = SIDES[own].sum() <= 6 and SIDES[their].sum() <= 6
        assert covers(points) == expected == (in_table(points) is not None)
    assert not covers(OPENING)
    assert not covers(by_counts((2,)))
    assert not covers(by_counts((), (2,)))
    assert covers(by_counts((0, 0, 0, 0, 0, 6), (6,)))


def test_money() -> None:
    _, _, two = tables()
    for own, their, row in exact_rows("bearoff_money.csv"):
        points = by_counts(own, their)
        names = {1: "own", 0: "centred", -1: "opponents"}
        values = {owner: float(row[name]) for owner, name in names.items()}
        for owner, value in values.items():
            terms = Terms(cube=4 if owner else 1, owner=owner)
            assert exact_money(points, terms) == pytest.approx(value, abs=1e-6)
            found = exact_cube(points, terms)
            assert found.no_double == exact_money(points, terms)
            if owner < 0:
                assert found[1:] == (None, None)
            else:
                assert found[1:] == pytest.approx((2.0 * values[-1], 1.0), abs=2e-6)
        assert in_table(points) == pytest.approx(list(values.values()), abs=1e-6)
        rules = Terms(jacoby=True, beavers=True)
        assert exact_cube(points, rules) == exact_cube(points, Terms())
        cubeless = exact_cube(points, Terms(live=False))
        win = two[rank_of_side(*own), rank_of_side(*their)]
        assert cubeless == ExactCube(pytest.approx(2.0 * win - 1.0), None, None)


def test_matches() -> None:
    own, their = (0, 0, 1, 1), (0, 2)
    own_side, their_side = (*own, 0, 0), (*their, 0, 0, 0, 0)
    ranks = rank_of_side(*own_side), rank_of_side(*their_side)
    for terms in (Terms(7, (3, 3)), Terms(7, (1, 3), crawford=True)):
        found = exact_cube(by_counts(own, their), terms, MET)
        assert found == match_values(*ranks, terms, MET)
        assert (found.double_take is None) == terms.crawford


def test_the_tables_have_their_size() -> None:
    assert TABLES.size == N_TABLES


# Files of arrays, as the bearoff tables, against damage, other processes and a full disk.

SIZE = 2_000_000
#: Tables of drawn numbers; a number is noted for each build.
builds: list[int] = []


def drawn() -> np.ndarray:
    builds.append(len(builds))
    return np.random.default_rng(1).random(SIZE, np.float32)


def kept_tables(path: Path) -> np.ndarray:
    return array_cache.cached_array(path, "drawn tables", drawn, SIZE)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the tables of this test are kept; nothing is there."""
    monkeypatch.setattr(array_cache, "_folder", lambda: tmp_path / "deep")
    builds.clear()
    return array_cache.cache_path("drawn.tables")


def sealed(numbers: bytes) -> bytes:
    return numbers + hashlib.sha256(numbers).digest()


def test_a_file_has_all_tables(path: Path) -> None:
    flat = bearoff_tables()
    assert tables_path().parent == path.parent
    assert np.array_equal(flat, built())
    assert tables_path().read_bytes() == sealed(flat.tobytes())
    flat[0] = 2.0  # as kernels may take only what can be written
    assert bearoff_tables()[0] == built()[0], "it is no more than this process's"
    before = tables_path().stat().st_ino
    build_again()
    assert tables_path().stat().st_ino != before
    assert np.array_equal(bearoff_tables(), built())


def test_a_damaged_file_is_built_anew(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    expected = kept_tables(path).copy()
    assert len(builds) == 1
    assert caplog.messages == []
    with path.open("r+b") as file:
        file.seek(5_000_000)
        file.write(b"\x00\x01")
    assert array_cache.read_array(path, SIZE) is None
    for _ in range(2):  # the second time the file is sound
        assert np.array_equal(kept_tables(path), expected)
        assert len(builds) == 2
        assert caplog.messages == [f"{str(path)!r} is damaged: left out, and made again"]


def test_damage_is_noticed_where_any_size_will_do(path: Path) -> None:
    whole = bytearray(sealed(bytes(range(100))))
    path.parent.mkdir()
    path.write_bytes(whole)
    assert array_cache.read_array(path) is not None
    whole[50] ^= 1
    for left in (whole, whole[:-4], b"", bytes(64), b"of another program" * 100):
        path.write_bytes(left)
        assert array_cache.read_array(path) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda numbers: numbers[:-4],
        lambda numbers: numbers + bytes(4),
        lambda numbers: numbers[: len(numbers) // 2],
        lambda numbers: b"",
        lambda numbers: np.frombuffer(numbers, np.float32).astype(float).tobytes(),
    ],
)
def test_another_size_is_refused_though_the_checksum_is_right(
    path: Path, change: Callable[[bytes], bytes]
) -> None:
    numbers = kept_tables(path).tobytes()
    path.write_bytes(sealed(change(numbers)))
    assert array_cache.read_array(path, SIZE) is None
    assert kept_tables(path).tobytes() == numbers
    assert len(builds) == 2


FIRST_USE = """
import sys, time
from pathlib import Path
import numpy as np
from gammon.eval import array_cache

SIZE = 2_000_000
folder = Path(sys.argv[1])

def build():
    (folder / "builds" / sys.argv[2]).touch()
    if sys.argv[2] == "dies":
        import os
        os._exit(9)
    time.sleep(0.5)
    return np.random.default_rng(1).random(SIZE, np.float32)

array_cache._folder = lambda: folder / "cache"
(folder / "ready" / sys.argv[2]).touch()
while len(list((folder / "ready").iterdir())) < int(sys.argv[3]):
    time.sleep(0.01)
drawn = array_cache.cached_array(array_cache.cache_path("tables"), "drawn tables", build, SIZE)
print(float(drawn.sum(dtype=float)))
"""


def test_processes_that_start_at_once_build_one_file(tmp_path: Path) -> None:
    for name in ("builds", "ready", "cache"):
        (tmp_path / name).mkdir()

    def start(*names: str) -> list[str]:
        total = str(len(names) + len(list((tmp_path / "ready").iterdir())))
        begun = [
            subprocess.Popen(
                [sys.executable, "-c", FIRST_USE, tmp_path, name, total],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for name in names
        ]
        said = [process.communicate() for process in begun]
        assert all(errors == "" for _, errors in said)
        return [output for output, _ in said]

    # A process that dies while it builds is in nobody's way.
    assert start("dies") == [""]
    said = start("a", "b", "c")
    assert len(set(said)) == 1
    assert float(said[0]) > 0
    assert len(list((tmp_path / "builds").iterdir())) == 2
    left = {file.name.split("-")[1] for file in (tmp_path / "cache").iterdir()}
    assert left == {"tables", "tables.lock"}


@pytest.mark.parametrize("place", ["below a file", "a folder"])
def test_tables_are_there_where_nothing_can_be_kept(path: Path, place: str) -> None:
    if place == "a folder":
        path.mkdir(parents=True)
    else:
        path.parent.write_text("in the way")
    assert kept_tables(path).size == SIZE
    assert len(builds) == 1
    with pytest.raises(GammonError, match="cannot be written"):
        array_cache.write_array(path, drawn())


def test_a_full_disk_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(array_cache, "hashlib", SimpleNamespace(sha256=full))
    assert kept_tables(path).size == SIZE
    assert [file.name for file in path.parent.iterdir()] == [f"{path.name}.lock"]


def test_too_little_memory_is_said_and_sound_tables_stay(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_tables(path)
    before = path.stat().st_ino

    def short(*_: object, **__: object) -> None:
        raise OSError(12, os.strerror(12))

    monkeypatch.setattr(array_cache, "mmap", short)
    with pytest.raises(GammonError, match="memory"):
        kept_tables(path)
    assert len(builds) == 1
    assert path.stat().st_ino == before
