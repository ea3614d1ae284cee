"""The network in integers: the same bits everywhere, each layer against numpy."""

import hashlib

import numpy as np
import pytest

from gammon.eval.bearoff import N_NUMBERS, chances
from gammon.eval.features import N_OFFS, NUMBERS, numbers_of
from gammon.eval.integer_layers import SCRATCH, products_of, second_layer
from gammon.eval.integer_network import results_of_integers, sums_of
from gammon.eval.integer_network_kernel import (
    BACK,
    MADE,
    MATRIX,
    MOST_ROWS,
    SIGHT,
    WORK,
    list_changes,
    nearest,
    probabilities,
    results,
    results_of,
    scratch_for,
    write_counts,
    write_numbers,
)
from gammon.eval.integers import ROW_GAP, pack, unpack
from gammon.eval.model_file import load_model
from gammon.eval.planes import AT_ONCE, write_planes
from gammon.eval.power import power_of_two
from gammon.eval.tactics import SETS
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.home import HOME
from gammon.rules.plays import MAX_ROWS, successors
from tests.conftest import Played
from tests.emulated import on_cpu, said, x86_only
from tests.engine.eval.drawn import drawn_tensors
from tests.naive.networks import by_hand
from tests.processes import printed

# The definition of the network in integers: the same bits everywhere, near the float one.

#: SHA-256 of the chances of `ROWS`, by model. A new network has a new one; every CPU the same.
GOLDEN = {
    "leaf": "4b8940190882141b0e3233f27e6564dfb7674ce59d82b45a160fab14b0fca7bf",
    "large": "7aafb517408b8e97d84dd6072c48992c26c93901f7495c20274145ea49cc9e9d",
    "probe": "338d367ba5a25aedb476752237654c7a75368a20381541bf117bd0276442e085",
}
#: Kinds of CPU that the kernel is compiled for, and what this one must have to run its code.
_AVX512 = ("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd", "avx512vnni")
CPUS = {
    "x86-64": (),
    "x86-64-v2": ("sse4.2",),
    "haswell": ("avx2", "fma"),
    "znver3": ("avx2", "fma", "vaes"),
    "cascadelake": _AVX512,
    "icelake-server": (*_AVX512, "avx512vbmi2"),
    "znver4": (*_AVX512, "avx512vbmi2", "avx512bf16"),
}


def random_rows(count: int) -> np.ndarray:
    """Positions that no library's generator decides: checkers where a hash puts them.

    Every other one has those on the bar that would be off.
    """
    found = np.zeros((count, 26), np.int8)
    each = np.arange(count)
    state = each.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for sign, bar in ((1, 0), (-1, 25)):
        for _ in range(CHECKERS):
            # A linear generator (Knuth's MMIX), of which the upper bits are used.
            state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            places = (state >> np.uint64(33)).astype(np.int64) % 28
            row = each[(places < 26) & (places != bar)]
            place = places[row]
            free = sign * found[row, place] >= 0
            found[row[free], place[free]] += sign
    for sign, bar in ((1, 25), (-1, 0)):
        off = CHECKERS - np.maximum(sign * found, 0).sum(axis=1)
        found[1::2, bar] += (sign * off[1::2]).astype(np.int8)
    return found[(found > 0).any(axis=1) & (found < 0).any(axis=1)]


ROWS = random_rows(2_000)
TABLES = np.random.default_rng(1).random(N_NUMBERS, np.float32)


def digest(model: str) -> str:
    found = results_of_integers(ROWS, pack(load_model(model).weights))
    return hashlib.sha256(found.tobytes()).hexdigest()


@pytest.mark.parametrize("model", GOLDEN)
def test_the_same_bits_on_every_cpu(model: str) -> None:
    assert digest(model) == GOLDEN[model]


def test_the_same_bits_without_the_cpus_own_instructions() -> None:
    """Neither numpy's loops nor the products of matrices decide a bit."""
    command = "from tests.engine.eval.test_integer_network import digest; print(digest('leaf'))"
    found = np._core._multiarray_umath.__cpu_dispatch__  # type: ignore[attr-defined]
    said = printed(command, NPY_DISABLE_CPU_FEATURES=" ".join(found), OPENBLAS_CORETYPE="Prescott")
    assert said == GOLDEN["leaf"]


def kernel_digest() -> str:
    """A hash of what the compiled leaf network says of 60,000 positions."""
    rows = random_rows(60_000)
    found = results_of(rows, pack(load_model("leaf").weights))
    return hashlib.sha256(found.tobytes()).hexdigest()


@x86_only
@pytest.mark.nightly
@pytest.mark.parametrize("name", CPUS)
def test_the_kernel_gives_the_same_bits_on_other_cpus(name: str) -> None:
    """It is compiled each time; `compiled/test_library.py` asks the library."""
    from llvmlite.binding import get_host_cpu_features

    has = get_host_cpu_features()
    if not all(has.get(each) for each in CPUS[name]):
        pytest.skip("this processor cannot run its code")
    command = "from tests.engine.eval.test_integer_network import *; print(kernel_digest())"
    assert said(on_cpu(name, command, *CPUS[name])) == kernel_digest()


def test_plain_python_gives_the_same_bits() -> None:
    rows = random_rows(60)
    expected = results_of(rows, pack(load_model("leaf").weights)).tobytes().hex()
    command = (
        "from tests.engine.eval.test_integer_network import *; "
        "print(results_of(random_rows(60), pack(load_model('leaf').weights)).tobytes().hex())"
    )
    assert printed(command, GAMMON_KERNELS="python") == expected


@pytest.mark.parametrize(("tactics", "parts"), [(True, 3), (False, 1)])
def test_the_definition_number_by_number(tactics: bool, parts: int) -> None:
    packed = pack(drawn_tensors(6, 4, tactics, parts))
    found = results_of_integers(ROWS[:40], packed)
    assert found.std(axis=0).min() > 1e-3, "they are all worth the same"
    for row, result in zip(ROWS[:40], found.tolist(), strict=True):
        assert result == by_hand(row, packed)


def test_powers_of_two() -> None:
    x = -np.arange(0, 100, 1 / 4096, dtype=np.float32)
    found = power_of_two(x)
    exact = np.exp2(x.astype(np.float64))
    assert np.abs(found / exact - 1).max() < 2e-7
    assert (found[1:] <= found[:-1] * np.float32(1 + 3e-7)).all(), "monotone but for rounding"
    whole = np.float32([0, -1, -7, -100])
    assert np.array_equal(power_of_two(whole), np.exp2(whole))
    far = power_of_two(np.float32([-100.5, -1e6, -3e38, -np.inf]))
    assert (far == np.float32(2.0**-100)).all()
    assert np.finfo(np.float32).tiny < 2.0**-100 / 6, "a share of it is not denormal"


def test_bearoff_tables_replace_it() -> None:
    rows = ROWS[:20].copy()
    rows[:10] = 0
    for r in range(10):
        rows[r, 1 + r % HOME], rows[r, 24 - r % 4] = 1 + r, -2
    weights = drawn_tensors(8, 4, parts=5)
    found = results_of_integers(rows, pack(weights, TABLES))
    for row, result in zip(rows[:10], found, strict=False):
        expected = np.empty(6, np.float32)
        chances(row, TABLES, 0, expected)
        assert np.array_equal(result, expected)
    assert np.array_equal(found[10:], results_of_integers(rows, pack(weights))[10:])
    assert not np.array_equal(found[:10], results_of_integers(rows, pack(weights))[:10])


def compiled(parent: np.ndarray, rows: np.ndarray, packed: np.ndarray, scratch: np.ndarray) -> np.ndarray:
    out = np.full((len(rows), 6), np.nan, np.float32)
    results(parent, rows, len(rows), packed, out, scratch)
    return out


def fresh(packed: np.ndarray) -> np.ndarray:
    return np.zeros(scratch_for(packed), np.uint64)


@pytest.mark.parametrize("model", ["leaf", "probe", "drawn"])
def test_the_kernel_is_the_definition_to_the_bit(model: str, played: Played) -> None:
    """From any parent, of another plan as well, in any order, and after any history."""
    tensors = drawn_tensors(45, 20, parts=5) if model == "drawn" else load_model(model).weights
    packed = pack(tensors)
    expected = results_of_integers(ROWS, packed)
    assert np.array_equal(results_of(ROWS, packed), expected)
    used = fresh(packed)
    for parent in (ROWS[7], ROWS[1], np.array(played(60, 3)[-1], np.int8), ROWS[7]):
        for scratch in (used, fresh(packed)):
            assert np.array_equal(compiled(parent, ROWS, packed, scratch), expected)
    found = compiled(ROWS[3], ROWS[::-1].copy(), packed, used)
    assert np.array_equal(found[::-1], expected)


def test_what_was_kept_of_another_network_is_forgotten() -> None:
    first, second = (pack(drawn_tensors(45, 20, parts=5), tables) for tables in (None, TABLES))
    third = pack(load_model("leaf").weights)
    scratch = np.zeros(max(map(scratch_for, (first, second, third))), np.uint64)
    for packed in (first, third, second, third, first):
        for parent in ROWS[:3]:
            found = compiled(parent, ROWS[:40], packed, scratch)
            assert np.array_equal(found, results_of_integers(ROWS[:40], packed))


def test_the_kernel_with_tables() -> None:
    rows = ROWS[:60].copy()
    for r in range(0, 60, 2):
        rows[r] = 0
        rows[r, 1 + r % HOME], rows[r, 24 - r % 4] = 1 + r % 15, -2
    packed = pack(drawn_tensors(45, 20, parts=5), TABLES)
    expected = results_of_integers(rows, packed)
    assert np.array_equal(results_of(rows, packed), expected)
    assert np.array_equal(results_of(rows[::2].copy(), packed), expected[::2])


def test_the_kernel_takes_successors_of_play(played: Played) -> None:
    packed = pack(load_model("leaf").weights)
    room = np.empty((MAX_ROWS, 26), np.int8)
    scratch = fresh(packed)
    for points in played(900, 5)[::30]:
        parent = np.array(points, np.int8)
        rows = room[: successors(parent, 7, room)]
        rows = rows[(rows < 0).any(axis=1)]
        found = compiled(parent, rows, packed, scratch)
        assert np.array_equal(found, results_of_integers(rows, packed))


def test_nobody_loses_a_gammon_who_has_borne_off() -> None:
    """Neither by the definition nor by the kernel, and what a gammon had is a single game's."""
    rows = ROWS
    own, their = np.maximum(rows, 0).sum(axis=1), -np.minimum(rows, 0).sum(axis=1)
    assert min((own < CHECKERS).sum(), (own == CHECKERS).sum()) > 500
    packed = pack(load_model("leaf").weights)
    for found in (results_of(rows, packed), results_of_integers(rows, packed)):
        assert not found[own < CHECKERS, :2].any()
        assert not found[their < CHECKERS, 4:].any()
        assert found.sum(axis=1) == pytest.approx(1.0, abs=1e-6)


def test_no_positions_have_no_results() -> None:
    packed = pack(drawn_tensors(6, 4))
    assert results_of(ROWS[:0], packed).shape == (0, 6)
    assert probabilities(ROWS[:0], packed).shape == (0, 5)


# The arithmetic of the network in integers, each layer against numpy.

#: H1 and H2, multiples of what is taken at a time, and not.
SIZES = [(64, 16), (256, 32), (320, 48)]
#: Rows that there are, rows that a successor adds at most (M), and successors at most.
INTEGER_LAYERS_ROWS, MOST, AT_MOST = 9, 6, 16
EDGES = [-(2**15), 2**15 - 1, -1, 0, 1, 2**14]


def drawn(seed: int, *shape: int) -> np.ndarray:
    """Numbers of 16 bits, many of them at the edges."""
    rng = np.random.default_rng(seed)
    any_of_them = rng.integers(-(2**15), 2**15, shape)
    at_edges = rng.choice(EDGES, shape)
    return np.where(rng.integers(4, size=shape) > 0, any_of_them, at_edges).astype(np.int16)


def some_changes(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """How many rows 16 successors add; of each a factor of either sign, and which it is."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, MOST + 1, AT_MOST).astype(np.uint64)
    rows = rng.integers(0, INTEGER_LAYERS_ROWS, (AT_MOST, MOST))
    factors = rng.choice([1, -1, 36, -90], rows.shape)
    return counts, np.stack([factors, rows], axis=-1).astype(np.int16)


def with_changes(sums: np.ndarray, rows: np.ndarray, count: int, changes: np.ndarray) -> np.ndarray:
    """The sums with listed rows, as whole numbers without limits, then 16 bits of them."""
    total = sums.astype(np.int64)
    for factor, row in changes[: int(count)]:
        total += rows[row, : len(sums)].astype(np.int64) * int(factor)
    return total.astype(np.int16)


@pytest.mark.parametrize("h1", [h1 for h1, _ in SIZES])
@pytest.mark.parametrize("several", [1, 5, AT_MOST])
def test_products_are_those_of_all_rows(h1: int, several: int) -> None:
    """Of each position, whichever one before it lent its sums; those of the last are kept."""
    sums, rows = drawn(1, 2 * h1), drawn(2, INTEGER_LAYERS_ROWS, 2 * h1 + ROW_GAP)
    counts, changes = some_changes(several)
    begins = np.array([several * k * k % (k + 1) for k in range(AT_MOST)], np.uint64)
    out = np.full((AT_MOST, h1), -7, np.int16)
    totals = [sums.copy()]
    room = np.empty(SCRATCH, np.int16)
    products_of(sums, rows.ravel(), h1, several, begins, counts, changes.ravel(), room, out.ravel())
    for s in range(several):
        begin = totals[int(begins[s])]
        totals.append(with_changes(begin, rows, counts[s], changes[s]))
        f, g = np.maximum(totals[-1].astype(np.int64), 0).reshape(2, h1)
        assert np.array_equal(out[s], (f * g + 2**14) >> 15)
    assert np.array_equal(sums, totals[-1])
    assert (out[several:] == -7).all()


@pytest.mark.parametrize(("h1", "h2"), SIZES)
@pytest.mark.parametrize(("several", "share"), [(16, 0.0), (6, 0.1), (1, 0.1), (16, 1.0)])
def test_pairs_of_zeros_are_skipped(h1: int, h2: int, several: int, share: float) -> None:
    rng = np.random.default_rng(3)
    products = np.abs(drawn(4, AT_MOST, h1) // 64) * (rng.random((AT_MOST, h1)) < share)
    products = products.astype(np.int16)
    weight2 = drawn(5, h1 // 2, h2, 2)
    weights = weight2.transpose(0, 2, 1).reshape(h1, h2)
    bias = rng.integers(-(2**20), 2**20, h2).astype(np.int32)
    hidden = np.zeros((h2, AT_MOST), np.float32)
    room = np.empty(h1 // 2 + 16, np.int32)
    second_layer(products.ravel(), several, h1, h2, weight2.ravel(), bias, room, hidden.ravel())
    expected = np.maximum(products.astype(np.int64) @ weights.astype(np.int64) + bias, 0)
    assert np.array_equal(hidden[:, :several], expected.T.astype(np.float32)[:, :several])
    assert not hidden[:, several + -several % 4 :].any()


# The differences between two positions, by the sums of the first layer.


def sights_of(rows: np.ndarray, n: int = len(NUMBERS)) -> np.ndarray:
    """The sights [N, 64] of positions, whose number is a multiple of sixteen."""
    sights = np.zeros((len(rows), SIGHT), np.int8)
    sets, numbers = np.zeros(SETS, np.uint32), np.zeros(MADE * AT_ONCE, np.int16)
    matrix = np.zeros(MATRIX, np.int8)
    for first in range(0, len(rows), AT_ONCE):
        block = sights[first : first + AT_ONCE].reshape(-1)
        for lane in range(AT_ONCE):
            write_counts(rows[first + lane], lane, block)
            write_planes(block, lane * SIGHT, lane, sets)
        write_numbers(n, sets, numbers, matrix, block)
    return sights


@pytest.mark.parametrize("n", [N_OFFS, len(NUMBERS)])
def test_a_sight_has_the_counts_and_the_numbers(n: int) -> None:
    found = sights_of(ROWS[:160], n)
    assert np.array_equal(found[:, :SIZE], ROWS[:160])
    assert np.array_equal(found[:, 32 : 32 + n], numbers_of(ROWS[:160])[:, :n])
    assert not found[:, SIZE:32].any()
    assert not found[:, 32 + n :].any()


def test_the_nearest_differs_in_the_fewest_bytes() -> None:
    sights = np.random.default_rng(1).integers(0, 3, (200, SIGHT)).astype(np.int8)
    for new in range(BACK, 200):
        before = sights[new - BACK : new]
        differ = (before != sights[new]).sum(axis=1)
        found = nearest(sights.reshape(-1), new)
        assert new - BACK <= found < new
        assert differ[found - new + BACK] == differ.min()


def test_the_rows_lead_from_one_position_to_the_other() -> None:
    (part,) = unpack(pack(drawn_tensors(32, 8)))
    rows = ROWS[:64].copy()
    rows[1] = rows[0]
    rows[2], rows[3] = 0, 0
    rows[2, 6], rows[3, 6] = 15, -15  # as far apart as a place can be
    sums, sights = sums_of(rows, part), sights_of(rows)
    all_rows = np.concatenate([part.steps.reshape(-1, sums.shape[1]), part.numbers])
    work = np.zeros(WORK, np.int8)
    for old, new in [(0, 1), (2, 3), (3, 2), *((k * 7 % 64, k) for k in range(64))]:
        changes = np.zeros(MOST_ROWS, np.int32)
        count = int(list_changes(sights.reshape(-1), old, new, work, changes))
        factors, listed = changes[:count].view(np.int16).reshape(-1, 2).T
        terms = all_rows[listed].astype(int) * factors[:, None]
        assert np.array_equal((sums[old] + terms.sum(axis=0)).astype(np.int16), sums[new])
        assert len(set(listed.tolist())) == count, "no row twice"
