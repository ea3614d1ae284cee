"""Good texts and bytes with random damage."""

import random
from collections.abc import Callable, Sequence

#: Pieces that parsers stumble over: numbers, signs, letters of other scripts, ends of lines.
_PIECES = (
    "", " ", "\n", "\r", "\t", "\0", "-", "+", ".", ",", ":", ";", "/", "(", ")", "[", "]", "{",
    "}", "*", "%", "#", "'", '"', "\\", "=", "0", "1", "-1", "9", "64", "65", "99", "128",
    "255", "1e9", "1e309", "NaN", "inf", "0x1f", "1_000", "٣", "é", "\u202e", "\ufeff",
    "\ud800", "😀",
    "9" * 25, "A" * 300, " " * 500, "(" * 200, "[" * 2000, "bar", "off", "XGID=", "null",
    "true",
)  # fmt: skip


def _cut(rng: random.Random, text: str) -> tuple[int, int]:
    """Return the begin and end of a random piece of a text; most pieces are short."""
    first = rng.randrange(len(text) + 1)
    return first, min(len(text), first + int(rng.paretovariate(0.8)))


def _flip(rng: random.Random, text: str, others: Sequence[str]) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + chr(rng.randrange(1, 127)) + text[place + 1 :]


def _drop(rng: random.Random, text: str, others: Sequence[str]) -> str:
    first, last = _cut(rng, text)
    return text[:first] + text[last:]


def _repeat(rng: random.Random, text: str, others: Sequence[str]) -> str:
    first, last = _cut(rng, text)
    return text[:last] + text[first:last] * rng.choice((1, 1, 1, 2, 50)) + text[last:]


def _insert(rng: random.Random, text: str, others: Sequence[str]) -> str:
    first, last = _cut(rng, text)
    return text[:first] + rng.choice(_PIECES) + text[rng.choice((first, last)) :]


def _graft(rng: random.Random, text: str, others: Sequence[str]) -> str:
    other = rng.choice(others)
    first, last = _cut(rng, other)
    place = rng.randrange(len(text) + 1)
    return text[:place] + other[first:last] + text[place:]


def _swap(rng: random.Random, text: str, others: Sequence[str]) -> str:
    """Swap two words, or two lines."""
    sign = rng.choice((" ", "\n", ":", ",", "="))
    words = text.split(sign)
    a, b = rng.randrange(len(words)), rng.randrange(len(words))
    words[a], words[b] = words[b], words[a]
    return sign.join(words)


def _end(rng: random.Random, text: str, others: Sequence[str]) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _case(rng: random.Random, text: str, others: Sequence[str]) -> str:
    return text.swapcase()


_DAMAGES: tuple[Callable[[random.Random, str, Sequence[str]], str], ...] = (
    _flip, _flip, _flip, _drop, _drop, _repeat, _insert, _insert, _insert, _graft, _swap, _end,
    _case,
)  # fmt: skip


def damaged(rng: random.Random, good: Sequence[str]) -> str:
    """Return a random good text with a few pieces of damage."""
    text = rng.choice(good)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        text = rng.choice(_DAMAGES)(rng, text, good)
    return text


def damaged_bytes(rng: random.Random, good: Sequence[bytes]) -> bytes:
    """Return a random good file with a few pieces of damage."""
    texts = [data.decode("latin-1") for data in good]
    return damaged(rng, texts).encode("latin-1", "replace")
