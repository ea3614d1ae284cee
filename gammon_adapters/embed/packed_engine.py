"""Engines as files for programs in other languages.

Such a file has the arrays that are never written, and for each depth a searcher: the words of its
`CoreState` as the library takes them (`gammon.compiled.flat`), and the size of its memory, which is
zero at the beginning. Words for places and functions are marked; the library's C code
(`scripts/library/gammon.c`) replaces them by addresses.

A file belongs to one build of the library, as it has the numbers of its kernels, and must be
trusted like the library. A light file leaves out the bearoff tables, nine tenths of the file; its
reader computes them.
"""

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import gammon
from gammon.compiled import kinds
from gammon.compiled.library import Built
from gammon.compiled.records import kind_of
from gammon.eval.integers import header_of
from gammon.eval.race_cube import N_TABLES
from gammon.search.stats import STOPPED
from gammon_adapters.embed.core_state import CoreState

#: The notice of the match equity table, which must accompany every engine.
NOTICE = Path(gammon.__file__).with_name("data") / "NOTICE.txt"
#: The files that must accompany every engine: that notice, and gammon's own licence.
TERMS = NOTICE, NOTICE.with_name("LICENSE.txt")
#: The depths of an engine's searchers.
DEPTHS = (1, 3, 5, 7)
_NUMBER, _CONSTANT, _SCRATCH, _KERNEL = range(4)
_LINE = 64
#: Magic, checksum, build; size, number of searchers, begin of the constants, begin and size of a gap.
_HEAD = struct.Struct("<8sQ32s5q")
_UNCHECKED = 16
_PLAN = struct.Struct("<11q")
_WORD = struct.Struct("<2q")
_SCALARS = {
    kinds.INT64: "<q",
    kinds.UINT64: "<Q",
    kinds.UINT32: "<Q",
    kinds.BOOLEAN: "<q",
    kinds.FLOAT64: "<d",
    kinds.FLOAT32: "<f4x",
}

Array = npt.NDArray[Any]


def _rounded(size: int) -> int:
    return -(-size // _LINE) * _LINE


class _Places:
    """Places for arrays, each aligned to 64 bytes."""

    def __init__(self) -> None:
        self.size = 0
        self._known: dict[int, int] = {}
        self.arrays: list[Array] = []

    def __contains__(self, array: Array) -> bool:
        return id(array) in self._known

    def of(self, array: Array) -> int:
        """Return the place of an array, a new one at the first call."""
        if array not in self:
            self._known[id(array)] = self.size
            self.arrays.append(array)
            self.size += _rounded(array.nbytes)
        return self._known[id(array)]


def _constants(core: CoreState) -> Iterator[Array]:
    """Yield the arrays of a state that are never written."""
    problem = core.search.problem
    yield from (problem.leaf.weights, problem.probe.weights, problem.width.weights, problem.parameters)
    yield from (core.main, core.post_crawford, core.weights, core.starts)
    yield from (core.work.table.numbers, problem.noise_seed)


def _tables(weights: Array) -> tuple[int, int]:
    """Return the begin and the end of the bearoff tables in a network's weights."""
    first = header_of(weights).tables
    return first, first + N_TABLES


def _words(
    kind: kinds.Kind, value: Any, library: Built, constants: _Places, scratch: _Places
) -> Iterator[tuple[int, int]]:
    """Yield the words of a value, each with the kind of the word and its number."""
    if isinstance(kind, kinds.Scalar):
        packed = struct.pack(_SCALARS[kind], value)
        yield _NUMBER, int.from_bytes(packed, "little", signed=True)
    elif isinstance(kind, kinds.Array):
        at = _CONSTANT if value in constants else _SCRATCH
        place = (constants if at == _CONSTANT else scratch).of(value)
        facts = 0, 0, value.size, value.itemsize
        yield from ((_NUMBER, number) for number in facts)
        yield at, place
        yield from ((_NUMBER, number) for number in (*value.shape, *value.strides))
    elif isinstance(kind, kinds.Function):
        yield from ((_NUMBER, 0), (_NUMBER, 0), (_KERNEL, library.number(value.name)))
    elif isinstance(kind, kinds.Record):
        for part, element in zip(kind.parts, value, strict=True):
            yield from _words(part, element, library, constants, scratch)
    else:
        raise TypeError(f"{kind} has no words")


def _checksum(data: bytes) -> int:
    """Return the checksum of whole words of 8 bytes; it differs if any single word does."""
    total, most = 0x9E3779B97F4A7C15, (1 << 64) - 1
    for word in np.frombuffer(data, "<u8").tolist():
        total = (total ^ word) * 0x100000001B3 & most
        total ^= total >> 29
    return total


def packed_engine(
    library: Built, model: str = "leaf", depths: Iterable[int] = DEPTHS, light: bool = False
) -> bytes:
    """Return an engine as the bytes of its file.

    Args:
        library: the library that is to read the file.
        model: a shipped model's name, or its file.
        depths: the depths of the searchers.
        light: whether to leave out the bearoff tables.

    Raises:
        ModelError: there is no such model, or it is damaged.
        LibraryError: the library was not built from the present sources.
    """
    cores = [CoreState.allocate(depth, model) for depth in depths]
    constants, scratches = _Places(), [_Places() for _ in cores]
    for core in cores:
        for array in _constants(core):
            constants.of(array)
    words = [
        list(_words(kind_of(CoreState), core, library, constants, scratch))
        for core, scratch in zip(cores, scratches, strict=True)
    ]
    packed = [b"".join(_WORD.pack(*word) for word in line) for line in words]
    ends = np.cumsum([_HEAD.size + _PLAN.size * len(cores), *map(len, packed)]).tolist()
    begin = _rounded(ends[-1])
    plans = [
        _PLAN.pack(
            core.depth,
            scratch.size,
            len(line),
            at,
            scratch.of(core.question),
            scratch.of(core.whole),
            core.whole.shape[1],
            scratch.of(core.real),
            core.real.shape[1],
            scratch.of(core.work.stats) + STOPPED * core.work.stats.itemsize,
            scratch.of(core.candidates.progress),
        )
        for core, scratch, line, at in zip(cores, scratches, words, ends, strict=False)
    ]
    body = b"".join([*plans, *packed]).ljust(begin - _HEAD.size, b"\0")
    body += b"".join(a.tobytes().ljust(_rounded(a.nbytes), b"\0") for a in constants.arrays)
    gap_at, gap = _HEAD.size + len(body), 0
    if light:
        weights = cores[0].search.problem.leaf.weights
        place = begin + constants.of(weights) - _HEAD.size
        first, end = (place + weights.itemsize * at for at in _tables(weights))
        gap_at, gap = _HEAD.size + first, end - first
        body = body[:first] + body[end:]
    size = _HEAD.size + len(body)
    facts = library.build.encode(), size, len(cores), begin, gap_at, gap
    head = _HEAD.pack(b"gammon\r\n", 0, *facts)
    total = _checksum((head + body)[_UNCHECKED:])
    return _HEAD.pack(b"gammon\r\n", total, *facts) + body
