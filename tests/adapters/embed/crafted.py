"""Engines that a stranger made up: the checksum is right, and a number is not."""

import random
import struct
from collections.abc import Iterator

from gammon_adapters.embed.packed_engine import _CONSTANT, _HEAD, _KERNEL, _PLAN, _SCRATCH, _UNCHECKED, _WORD
from gammon_adapters.embed.packed_engine import _checksum as checksum

_HEADS = "size", "searchers", "constants", "gap_at", "gap"
_PLANS = (
    "depth", "scratch", "words", "words_at", "question", "whole", "whole_width", "real",
    "real_width", "stop", "progress",
)  # fmt: skip
#: No place and no number of things is so large, or so small.
WILD = -1, 10**7 << 10, 1 << 61


def _with(whole: bytes, place: int, number: int) -> bytes:
    """Return a file with another number at a place, and the checksum that it then has."""
    found = bytearray(whole)
    struct.pack_into("<q", found, place, number)
    struct.pack_into("<Q", found, 8, checksum(bytes(found[_UNCHECKED:])))
    return bytes(found)


def crafted(whole: bytes, rng: random.Random, words: int) -> Iterator[tuple[str, bytes]]:
    """Yield what is wrong, and the bytes of the file.

    Args:
        whole: an engine's file, of one core.
        rng: which words of the core.
        words: how many of each kind.
    """
    end = _HEAD.size - 8 * len(_HEADS)
    for number, name in enumerate(_HEADS):
        for wild in WILD:
            yield f"{name} {wild}", _with(whole, end + 8 * number, wild)
    plan = _PLAN.unpack_from(whole, _HEAD.size)
    for number, name in enumerate(_PLANS[1:], 1):
        for wild in WILD:
            yield f"{name} {wild}", _with(whole, _HEAD.size + 8 * number, wild)
    count, begin = plan[2], plan[3]
    at = {place: _WORD.unpack_from(whole, begin + _WORD.size * place) for place in range(count)}
    for kind in (_CONSTANT, _SCRATCH, _KERNEL):
        places = [place for place, (found, _) in at.items() if found == kind]
        for place in rng.sample(places, min(words, len(places))):
            word = begin + _WORD.size * place
            wild = rng.choice(WILD)
            yield f"word {place}: kind {wild}", _with(whole, word, wild)
            yield f"word {place}: {wild}", _with(whole, word + 8, wild)
            if kind != _KERNEL:
                for name, back in (("items", 2), ("size", 1)):
                    other = word - back * _WORD.size + 8
                    yield f"{name} of {place}: {wild}", _with(whole, other, wild)
    gap = end + 8 * _HEADS.index("gap")
    yield "a gap of 8 bytes", _with(whole, gap, 8)
