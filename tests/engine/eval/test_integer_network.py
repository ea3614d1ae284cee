"""The definition of the network in integers: the same bits everywhere, near the float one."""

import hashlib

import numpy as np
import pytest

from gammon.eval.bearoff import N_NUMBERS, chances
from gammon.eval.integer_network import results_of_integers
from gammon.eval.integer_network_kernel import (
    probabilities,
    results,
    results_of,
    scratch_for,
)
from gammon.eval.integers import header_of, pack, unpack
from gammon.eval.model_file import load_model
from gammon.eval.numbers import numbers_of
from gammon.eval.plan import plan_of
from gammon.eval.power import FEWEST, MAGIC, POLYNOMIAL, power_of_two
from gammon.rules.board import CHECKERS
from gammon.rules.home import HOME
from gammon.rules.plays import MAX_ROWS, successors
from tests.conftest import Played
from tests.emulated import on_cpu, said, x86_only
from tests.engine.eval.tensors import drawn_tensors
from tests.processes import printed

#: SHA-256 of the chances of `ROWS`, by model. A new network has a new one; every CPU the same.
GOLDEN = {
    "leaf": "e95faf2670038e163eb271bb3e7aadc9b9658ae9d6765b5aabc5d8015b53ba79",
    "large": "e8339aafed905a6da00673a65034765f4397ebfb3ea480d419c221b0e8c770db",
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
    said = printed(
        command, NPY_DISABLE_CPU_FEATURES=" ".join(found), OPENBLAS_CORETYPE="Prescott"
    )
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
    """It is compiled each time; `compiled/test_same_everywhere.py` asks the library."""
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


def by_hand(row: np.ndarray, packed: np.ndarray) -> list[float]:
    """The chances of a position, number by number; whole ones are Python's, without limits."""
    parts = unpack(packed)
    part = parts[plan_of(row, len(parts))]
    header = header_of(packed)
    sums = part.bias1.astype(int).tolist()
    for s in range(2 * header.h1):
        for place, count in enumerate(row.tolist()):
            for step in range(min(count, 0), max(count, 0)):
                sums[s] += (1 if count > 0 else -1) * int(part.steps[place, CHECKERS + step, s])
        for number, of_one in zip(numbers_of(row[None])[0], part.numbers[:, s], strict=False):
            sums[s] += int(number) * int(of_one)
        sums[s] = (sums[s] + 2**15) % 2**16 - 2**15
    products = [
        (max(sums[i], 0) * max(sums[header.h1 + i], 0) + 2**14) // 2**15
        for i in range(header.h1)
    ]
    logits = [np.float32(bias) for bias in part.bias3]
    for j in range(header.h2):
        second = int(part.bias2[j])
        for i, product in enumerate(products):
            second += product * int(part.weight2[i // 2, j, i % 2])
        assert abs(second) < 2**31
        for k in range(6):
            logits[k] = logits[k] + part.weight3[k, j] * np.float32(max(second, 0))
    powers = []
    for logit in logits:
        x = max(logit - max(logits), FEWEST)
        whole = (x + MAGIC) - MAGIC
        power = POLYNOMIAL[0]
        for coefficient in POLYNOMIAL[1:]:
            power = power * (x - whole) + coefficient
        powers.append(np.float32(np.ldexp(power, int(whole))))
    total = powers[0]
    for power in powers[1:]:
        total = total + power
    share = np.float32(1.0) / total
    lose_bg, lose_g, lose, win, win_g, win_bg = (power * share for power in powers)
    none = np.float32(0.0)
    if row[row > 0].sum() < CHECKERS:
        lose_bg, lose_g, lose = none, none, lose + (lose_bg + lose_g)
    if -row[row < 0].sum() < CHECKERS:
        win, win_g, win_bg = win + (win_g + win_bg), none, none
    return list(map(float, (lose_bg, lose_g, lose, win, win_g, win_bg)))


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


def compiled(
    parent: np.ndarray, rows: np.ndarray, packed: np.ndarray, scratch: np.ndarray
) -> np.ndarray:
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
