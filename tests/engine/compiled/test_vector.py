"""Vectors: each helper compiled against its twin, here and on other processors."""

import hashlib
import os
import re
from collections.abc import Callable
from types import FunctionType
from typing import Annotated, Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.compiled import kinds
from gammon.compiled.jit.disk import OnDisk
from gammon.compiled.kernel import kernel
from gammon.compiled.vector import (
    as_float32,
    as_int8,
    as_int16,
    as_int32,
    bits,
    bits_of_floats,
    compressed,
    filled,
    floats_of_bits,
    halves,
    joined,
    length,
    load,
    lowest,
    number_of,
    ones,
    reverse,
    select,
    store,
    sums_of_pairs,
    total,
)

#: As many vectors and sets as `on_any` writes.
RESULTS, SETS = 19, 8
compiled_only = pytest.mark.skipif(os.environ.get("GAMMON_KERNELS") == "python", reason="nothing is compiled")


def on_any(a: Any, b: Any, out: Any, sets: Any) -> None:
    """Everything that lanes of any type can do, of two vectors."""
    v, u = load(a, 0, 16), load(b, 0, 16)
    sets[0], sets[1], sets[2], sets[3] = bits(v == u), bits(v != u), bits(v < u), bits(v > u)
    sets[4], sets[5] = bits((v > 1) & ~(u < 2) | (v == 0)), bits(load(b, 16, 16) > v)
    sets[6] = lowest(bits(v != u) | 1 << 16)
    store(out, 0, v + u)
    store(out, 16, v - u)
    store(out, 32, (v & u) | (u & 7))
    store(out, 48, ~v)
    store(out, 64, -u)
    store(out, 80, v << 3)
    store(out, 96, v >> 2)
    store(out, 112, select(v > u, v, u))
    store(out, 128, select(v != u, v, 5))
    store(out, 144, reverse(v) + 1)
    store(out, 160, v >> (u & 7))
    store(out, 176, v << (u & 7))
    store(out, 192, v * u)
    store(out, 208, v * a[3])
    store(out, 224, compressed(v, v > u))
    store(out, 240, joined(v, u))
    store(out, 272, compressed(u, v < 9))
    sets[7] = number_of(np.uint64(bits(v > u)))


def on_unsigned(a: Any, b: Any, out: Any, sets: Any) -> None:
    """The rest, for lanes without a sign."""
    v, u = load(a, 0, 16), load(b, 0, 16)
    store(out, 0, ones(v))
    store(out, 16, length(v >> 1) + filled(a[0], 16))
    store(out, 32, v >> 1)
    sets[0] = bits(v < u)


def to_int16(a: Any, out: Any) -> None:
    """The lower bits of wider lanes, and narrow ones with a sign."""
    store(out, 0, as_int16(load(a, 0, 16)))


def to_int8(a: Any, out: Any) -> None:
    """The lower bits of wider lanes."""
    store(out, 0, as_int8(load(a, 0, 16)))


def on_pairs(a: Any, b: Any, out: Any, sets: Any) -> None:
    """What makes wider lanes of int16, and narrow ones of those."""
    v, u = load(a, 0, 32), load(b, 0, 32)
    sums = sums_of_pairs(v, u)
    store(out, 0, halves(sums))
    store(out, 32, as_int16(as_int32(v) * as_int32(u) >> 3))
    store(out, 64, halves(bits_of_floats(as_float32(sums))))
    sets[0], sets[1] = bits(v > u), bits(sums != 0)
    sets[2] = total(sums >> 4)


def on_floats(a: Any, b: Any, out: Any, sets: Any) -> None:
    """What lanes of float32 can do, of whole numbers and shares of them."""
    v, u = as_float32(load(a, 0, 16)), as_float32(load(b, 0, 16))
    share = v / select(u != np.float32(0.0), u, np.float32(3.0))
    sets[0], sets[1] = bits(share < u), bits(share > np.float32(0.5))
    sets[2], sets[3] = bits(share == v), bits(share != v)
    store(out, 0, bits_of_floats(share))
    store(out, 16, bits_of_floats(share * v + u - share))
    store(out, 32, bits_of_floats(select(share > v, v, u) * np.float32(0.1)))
    store(out, 48, bits_of_floats(floats_of_bits(load(a, 0, 16) >> 9)))


CASES = [
    *((on_any, lane) for lane in (kinds.INT8, kinds.INT16, kinds.INT32, kinds.UINT32)),
    *((on_unsigned, lane) for lane in (kinds.UINT16, kinds.UINT32)),
    (on_pairs, kinds.INT16),
    (on_floats, kinds.INT32),
]


def taking(function: Any, *arguments: kinds.Kind, **options: bool) -> Any:
    """The kernel of a function that returns nothing, for arguments of these kinds."""
    again: Any = FunctionType(function.__code__, function.__globals__, function.__name__)
    names = function.__code__.co_varnames[: len(arguments)]
    given = zip(names, arguments, strict=True)
    again.__annotations__ = {name: Annotated[Any, kind] for name, kind in given}
    again.__annotations__["return"] = None
    return kernel(**options)(again)


def compiled(function: Callable[..., None], *lanes: kinds.Scalar) -> Any:
    arrays = [kinds.Array(each, 1) for each in lanes]
    return taking(function, *arrays)


def inputs(lane: Any, seed: int) -> Any:
    """Numbers of all sizes, at the edges too, int or uint [2, 32]."""
    dtype = np.dtype(str(lane))
    info = np.iinfo(dtype)
    rng = np.random.default_rng(seed)
    drawn = rng.integers(info.min, info.max, (2, 32), dtype, endpoint=True)
    drawn >>= rng.integers(0, info.bits, (2, 32), dtype)
    edges = rng.choice([info.min, info.max, 0, 1, 2, info.max // 2], (2, 32)).astype(dtype)
    return np.where(rng.integers(3, size=(2, 32)) > 0, drawn, edges)


def found(function: Any, a: Any, b: Any) -> tuple[Any, Any]:
    out, sets = np.zeros(16 * RESULTS, a.dtype), np.zeros(SETS, np.int64)
    function(a, b, out, sets)
    return out, sets


def digest() -> str:
    """A hash of what all helpers give, which another processor must give too."""
    total = hashlib.sha256()
    for function, lane in CASES:
        made = compiled(function, lane, lane, lane, kinds.INT64)
        for seed in range(50):
            for each in found(made, *inputs(lane, seed)):
                total.update(each.tobytes())
    return total.hexdigest()


@pytest.mark.smoke
@pytest.mark.parametrize(("twin", "lane"), CASES)
def test_compiled_is_the_twin(twin: Callable[..., None], lane: Any) -> None:
    made = compiled(twin, lane, lane, lane, kinds.INT64)
    for seed in range(300):
        a, b = inputs(lane, seed)
        for one, other in zip(found(made, a, b), found(twin, a, b), strict=True):
            assert np.array_equal(one, other), seed


@pytest.mark.parametrize(
    ("twin", "lane", "into"),
    [
        (to_int16, kinds.UINT32, kinds.INT16),
        (to_int16, kinds.INT8, kinds.INT16),
        (to_int8, kinds.INT16, kinds.INT8),
    ],
)
def test_lanes_of_another_width(twin: Callable[..., None], lane: Any, into: Any) -> None:
    made = compiled(twin, lane, into)
    for seed in range(50):
        a = inputs(lane, seed)[0]
        results = np.zeros((2, 16), str(into))
        for function, out in zip((made, twin), results, strict=True):
            function(a, out)
        assert np.array_equal(*results)
        lower = (1 << np.iinfo(str(into)).bits) - 1
        assert np.array_equal(results[0].astype(int) & lower, a[:16].astype(int) & lower)


@kernel()
def lowest_of(places: int) -> int:
    return lowest(places)


@given(st.integers(1, 2**63 - 1))
def test_the_lowest_place_of_a_set(places: int) -> None:
    expected = len(bin(places)) - len(bin(places).rstrip("0"))
    assert lowest_of(places) == lowest(places) == expected


def test_twins_by_example() -> None:
    counts = np.array([3, -1, 0, 2], np.int8)
    assert load(counts, 1, 3).tolist() == [-1, 0, 2]
    assert bits(counts > 0) == 0b1001
    assert reverse(counts).tolist() == [2, 0, -1, 3]
    assert select(counts < 0, -counts, counts).tolist() == [3, 1, 0, 2]
    assert length(np.array([0, 1, 7, 8, 2**31 - 1], np.uint32)).tolist() == [0, 1, 3, 4, 31]
    assert ones(np.array([0, 5, 2**32 - 1], np.uint32)).tolist() == [0, 2, 32]
    assert halves(np.array([3 + (5 << 16)], np.int32)).tolist() == [3, 5]
    pairs = np.array([2, 3, -5, 7], np.int16), np.array([10, 100, 1, 2], np.int16)
    assert sums_of_pairs(*pairs).tolist() == [320, 9]
    assert bits_of_floats(np.array([1.0], np.float32)).tolist() == [127 << 23]
    assert floats_of_bits(np.array([127 << 23], np.int32)).tolist() == [1.0]
    assert filled(np.uint32(3), 2).dtype == np.uint32
    assert compressed(counts, counts != 0).tolist() == [3, -1, 2, 0]
    assert joined(counts, -counts).tolist() == [3, -1, 0, 2, -3, 1, 0, -2]
    assert number_of(np.uint64(0b1001)) == 2
    assert total(np.array([7, -9, 2**30], np.int32)) == 2**30 - 2


def test_what_is_loaded_is_a_value() -> None:
    counts = np.arange(4, dtype=np.int8)
    loaded = load(counts, 0, 4)
    counts[0] = 9
    assert loaded[0] == 0


@compiled_only
def test_nothing_is_of_one_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same LLVM code becomes that of another kind of processor, in its vectors."""
    monkeypatch.setattr(OnDisk, "load_overload", lambda *_: None)  # it has no text of that
    arrays = [kinds.Array(each, 1) for each in (*[kinds.UINT32] * 3, kinds.INT64)]
    made = taking(on_unsigned, *arrays, inner=True)
    code = made.compiled.result.library.get_llvm_str()
    called = set(re.findall(r"@(llvm\.[\w.]+)", code))
    assert "llvm.ctpop.v16i32" in called
    assert not {name for name in called if re.search(r"x86|aarch64|arm", name)}
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple("aarch64-unknown-linux-gnu").create_target_machine()
    module = llvm.parse_assembly(re.sub(r"(?m)^target .*$|\"target-[\w-]+\"=\"[^\"]*\"", "", code))
    module.triple = machine.triple
    assert re.search(r"cnt\s+v\d+\.16b", machine.emit_assembly(module))
