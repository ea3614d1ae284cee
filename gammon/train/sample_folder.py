"""A folder of samples from self-play, to compare networks that learn from the same ones.

It holds pieces, each some turns of some games that begin there, with exact targets one turn
ahead. No game is in two pieces. The first piece is kept apart: networks are judged by it, and
learn from the others (`gammon.train.offline`).
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon.base.errors import GammonError
from gammon.base.files import regular, written_whole
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import results_of
from gammon.eval.model_file import network_id
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.runs.folder import run_folder
from gammon.search import Evaluator, problem_of
from gammon.train.deep import deepen, is_deep
from gammon.train.selfplay import EXACT, first_states, start_turns
from gammon.train.starts import mixed_starts

__all__ = [
    "APART", "Piece", "SampleSettings", "chances", "make_pieces", "open_piece", "open_pieces",
    "samples_folder", "traced",
]  # fmt: skip

#: A file's T turns of G games, [T, G]. `target` and `believed` are chances of the six results:
#: the exact ones one turn ahead, and what the network says of the position itself. `last` tells
#: whether the game ends with the turn, `deep` whether the target looks two turns ahead.
_TURN = np.dtype([
    ("position", np.int8, SIZE),
    ("target", np.float32, N_RESULTS),
    ("believed", np.float32, N_RESULTS),
    ("last", np.bool_),
    ("deep", np.bool_),
])  # fmt: skip

Piece = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]

#: The number of the piece that is kept apart.
APART = 0


@dataclass(frozen=True)
class SampleSettings:
    """Whose games are sampled, and how.

    Attributes:
        model: the network that plays, and whose values are the targets.
        seed: of dice and drawn positions.
        starts: the share of games that begin in drawn positions (`gammon.train.starts`).
        deep: the share of targets that look two turns ahead (`gammon.train.deep`); none in
            the piece that is kept apart.
        games: G, of a piece.
        turns: T, of each game in a piece; the usual number takes a few minutes.
    """

    model: str = "leaf"
    seed: int = 4242
    starts: float = 0.0
    deep: float = 0.0
    games: int = 1024
    turns: int = 1024


def samples_folder(settings: SampleSettings, folder: Path) -> AbstractContextManager[None]:
    """Return what holds a folder while samples are made, see `gammon.runs.folder`.

    Raises:
        ModelError: there is no such model.
    """
    title = f"samples from games of {settings.model}, seed {settings.seed}"
    return run_folder(folder, title, {**vars(settings), "network": network_id(settings.model)})


def _path(folder: Path, number: int) -> Path:
    return folder / f"piece-{number:04d}.npy"


def make_pieces(
    settings: SampleSettings, folder: Path, positions: int, threads: int
) -> Iterator[tuple[int, int]]:
    """Make the pieces that a folder lacks: one apart, and enough to learn from.

    Args:
        settings: the same ones in every call.
        folder: of the pieces; it is held, see `samples_folder`.
        positions: to learn from, at least.
        threads: that play; the samples do not depend on their number.

    Yields:
        After each piece: how many there are, and how many there will be.

    Raises:
        ModelError: there is no such model.
        GammonError: a piece cannot be written.
    """
    evaluator = load_evaluator(settings.model)
    total = 1 - -positions // (settings.games * settings.turns)
    missing = [number for number in range(total) if not _path(folder, number).exists()]
    pool = ThreadPoolExecutor(threads)
    try:
        for done, number in enumerate(missing, total - len(missing) + 1):
            piece = _made(settings, evaluator, number, pool, threads)
            with written_whole(_path(folder, number)) as beside, beside.open("wb") as file:
                np.save(file, piece)
            yield done, total
    finally:  # after an interrupt, what has not begun is dropped
        pool.shutdown(wait=False, cancel_futures=True)


def _made(
    settings: SampleSettings, evaluator: Evaluator, number: int, pool: ThreadPoolExecutor,
    threads: int,
) -> Piece:  # fmt: skip
    """Return a piece: its games have numbers of their own, so it depends on no other piece."""
    numbers = np.arange(settings.games, dtype=np.uint64) + np.uint64(number << 40)
    starts = mixed_starts(settings.starts, settings.seed)
    share = 0.0 if number == APART else settings.deep
    played = start_turns(
        pool, 16 * threads, problem_of(BACKGAMMON, evaluator),
        first_states(starts, settings.seed, numbers), numbers, np.zeros_like(numbers),
        settings.turns, settings.seed, starts, EXACT, 0.0,
        partial(deepen, evaluator, share) if share else None,
    )()  # fmt: skip
    piece = np.empty(played.ends.shape, _TURN)
    piece["position"] = played.samples
    piece["target"] = played.targets
    piece["believed"] = chances(evaluator, played.samples)
    piece["last"] = played.ends
    piece["deep"] = is_deep(played.samples, share)
    return piece


def chances(evaluator: Evaluator, positions: npt.NDArray[np.int8]) -> Floats:
    """Return a network's chances of the six results [..., 6] of positions int8 [..., 26]."""
    rows = positions.reshape(-1, SIZE)
    return results_of(rows, evaluator.weights).reshape(*positions.shape[:-1], N_RESULTS)


def open_piece(folder: Path, number: int) -> Piece:
    """Return a piece [T, G], of which the system reads what is used.

    Raises:
        GammonError: it is missing, or is something else.
    """
    path = _path(folder, number)
    try:
        piece: Piece = np.load(regular(path), mmap_mode="r")
    except (OSError, ValueError, EOFError):
        piece = np.empty(0)
    if piece.dtype != _TURN or piece.ndim != 2:
        raise GammonError(
            f"{str(path)!r}: no samples there: expected a folder that `learn_offline.py make` "
            "has filled"
        )
    return piece


def open_pieces(folder: Path) -> list[Piece]:
    """Return the pieces to learn from: one or more, up to the first one that is missing.

    Raises:
        GammonError: the first one is missing, or one is something else.
    """
    found = [open_piece(folder, APART + 1)]
    while _path(folder, APART + 1 + len(found)).exists():
        found.append(open_piece(folder, APART + 1 + len(found)))
    return found


def traced(piece: Piece, trace: float) -> Floats:
    """Return targets [T, G, 6] that take up a share of the later turns' surprises.

    They are those that self-play makes with that trace; deep targets stay as they are.
    """
    out = piece["target"].copy()
    alone = piece["last"] | piece["deep"]
    for t in range(len(out) - 2, -1, -1):
        surprise = (out[t + 1] - piece["believed"][t + 1])[:, ::-1]
        out[t] += trace * np.where(alone[t, :, None], 0.0, surprise)
    return out
