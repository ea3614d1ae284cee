"""A folder of samples from self-play, from which networks learn (`gammon train make`).

It holds the pieces of a recipe's [[samples]]: a number of turns of a number of games. Every game
lies within one piece. The first piece is held out: networks are judged by it, and learn from the
others (`gammon.train.lesson`).
"""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from gammon.base.errors import GammonError, SettingError
from gammon.base.files import regular, written_whole
from gammon.base.folder import check_held, run_folder
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import results_of
from gammon.eval.model_file import network_id
from gammon.formats.position import parse_start
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.search import Evaluator, problem_of
from gammon.train.recipe import STATIC, Recipe, Samples
from gammon.train.selfplay import EXACT, SAMPLED, Aim, first_states, playing_threads, start_turns
from gammon.train.starts import Rows, mixed_starts

_LOG = logging.getLogger(__name__)

#: T turns of G games in a file, [T, G]. `target` and `believed` are chances of the six results:
#: the learning target, and the network's evaluation of the position itself. `last` is whether
#: the game ends with the turn.
_TURN = np.dtype(
    [
        ("position", np.int8, SIZE),
        ("target", np.float32, N_RESULTS),
        ("believed", np.float32, N_RESULTS),
        ("last", np.bool_),
    ]
)

Piece = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]

#: Bytes of a checksum, and bytes of a file read at a time.
_CHECKSUM, _PART = 4, 1 << 24
#: The number of the held-out piece.
APART = 0


def samples_folder(recipe: Recipe, folder: Path) -> AbstractContextManager[None]:
    """Return a context that locks a folder while samples are made, see `gammon.base.folder`.

    Raises:
        SettingError: the recipe has no samples.
        ModelError: there is no such model.
    """
    if not recipe.samples:
        raise SettingError("the recipe has no [[samples]]: expected some to make")
    return run_folder(folder, *_run_of(recipe))


def check_samples(recipe: Recipe, folder: Path) -> None:
    """Check that a folder has the samples of a recipe.

    Raises:
        GammonError: it has samples of another recipe, or none.
        ModelError: there is no such model.
    """
    if recipe.samples:
        check_held(folder, *_run_of(recipe))


def _run_of(recipe: Recipe) -> tuple[str, dict[str, Any]]:
    """Return the title and the settings of the run that makes a recipe's samples."""
    # The number of positions may grow later without changing the pieces, so it is left out.
    facts: list[dict[str, Any]] = [
        {name: value for name, value in samples.model_dump().items() if name in _SAME}
        | {"network": network_id(samples.model)}
        for samples in recipe.samples
    ]
    first = recipe.samples[0]
    title = f"samples from games of {first.model}, seed {first.seed}"
    return title, {"samples": facts}


#: The entries on which the content of the pieces depends.
_SAME = ("model", "seed", "starts", "families", "opening", "blunders", "target", "games", "turns")


def piece_path(folder: Path, which: int, number: int) -> Path:
    """Return the file of a piece; args as for `open_piece`."""
    return folder / f"samples-{which + 1}-{number:04d}.npy"


def make_pieces(recipe: Recipe, folder: Path, threads: int) -> Iterator[tuple[int, int]]:
    """Make the missing pieces of a folder: for each kind of samples one held out, and the rest to learn from.

    A damaged piece is made again, and a warning with the name of its file is logged.

    Args:
        recipe: a recipe with samples.
        folder: the folder of the pieces, locked by `samples_folder`.
        threads: threads that play; the samples do not depend on their number.

    Yields:
        After each piece: how many there are, and how many there will be.

    Raises:
        ModelError: there is no such model.
        GammonError: a piece cannot be written.
    """
    wanted = [
        range(1 + -(-samples.positions // (samples.games * samples.turns))) for samples in recipe.samples
    ]
    done, total = 0, sum(map(len, wanted))
    with playing_threads(threads) as pool:
        for which, (samples, numbers) in enumerate(zip(recipe.samples, wanted, strict=True)):
            missing = [number for number in numbers if not _is_valid(samples, folder, which, number)]
            done += len(numbers) - len(missing)
            if missing:
                opening = parse_start(samples.opening)
                starts = mixed_starts(samples.starts, samples.seed, samples.families, opening)
            for number in missing:
                piece = _make_piece(samples, starts, number, pool, threads)
                path = piece_path(folder, which, number)
                with written_whole(path) as beside:
                    with beside.open("wb") as file:
                        np.save(file, piece)
                    size = beside.stat().st_size
                    with beside.open("ab") as file:
                        file.write(_checksum(beside, size))
                done += 1
                yield done, total


def _checksum(path: Path, size: int) -> bytes:
    """Return the checksum of the first bytes of a file; the file stores it after them."""
    checksum = 0
    with path.open("rb") as file:
        while size > 0 and (part := file.read(min(size, _PART))):
            checksum, size = crc32(part, checksum), size - len(part)
    return checksum.to_bytes(_CHECKSUM, "little")


def _is_valid(samples: Samples, folder: Path, which: int, number: int) -> bool:
    """Return whether a piece exists and is intact; log a warning if it is damaged."""
    path = piece_path(folder, which, number)
    try:
        piece = _open(path)
    except FileNotFoundError:
        return False
    intact = piece is not None and piece.shape == (samples.turns, samples.games)
    if not intact:
        _LOG.warning("%r is damaged, and made again", str(path))
    return intact


def _make_piece(samples: Samples, starts: Rows, number: int, pool: ThreadPoolExecutor, threads: int) -> Piece:
    """Return a new piece: its games have their own numbers, so it depends on no other piece."""
    evaluator = load_evaluator(samples.model)
    numbers = np.arange(samples.games, dtype=np.uint64) + np.uint64(number << 40)
    static = samples.target == STATIC
    played = start_turns(
        pool, 16 * threads, problem_of(BACKGAMMON, evaluator),
        first_states(starts, samples.seed, numbers), numbers, np.zeros_like(numbers),
        samples.turns, samples.seed, starts, Aim(SAMPLED if static else EXACT, blunders=samples.blunders),
    )()  # fmt: skip
    piece = np.empty(played.ends.shape, _TURN)
    piece["position"] = played.samples
    parts = np.array_split(played.samples, threads)
    piece["believed"] = np.concatenate(list(pool.map(partial(chances, evaluator), parts)))
    piece["target"] = piece["believed"] if static else played.targets
    piece["last"] = played.ends
    return piece


def chances(evaluator: Evaluator, positions: npt.NDArray[np.int8]) -> Floats:
    """Return a network's chances of the six results [..., 6] for positions int8 [..., 26]."""
    rows = positions.reshape(-1, SIZE)
    return results_of(rows, evaluator.weights).reshape(*positions.shape[:-1], N_RESULTS)


def _open(path: Path) -> Piece | None:
    """Return a piece, memory-mapped, or None if the file is no intact piece.

    Raises:
        FileNotFoundError: the file is missing.
    """
    try:
        piece: Piece = np.load(regular(path), mmap_mode="r")
        size = path.stat().st_size - _CHECKSUM
        with path.open("rb") as file:
            file.seek(size)
            intact = file.read() == _checksum(path, size)
    except FileNotFoundError:
        raise
    except Exception:  # a damaged header leads to errors of many kinds
        return None
    return piece if intact and piece.dtype == _TURN and piece.ndim == 2 else None


def open_piece(folder: Path, which: int, number: int) -> Piece:
    """Return a piece [T, G], memory-mapped.

    Args:
        folder: the folder of the pieces.
        which: index of the samples in the recipe, from 0.
        number: number of the piece.

    Raises:
        GammonError: the piece is missing or damaged.
    """
    path = piece_path(folder, which, number)
    try:
        piece = _open(path)
    except FileNotFoundError:
        raise GammonError(
            f"{str(path)!r}: no samples there: expected a folder that `gammon train make` has filled"
        ) from None
    if piece is None:
        raise GammonError(
            f"{str(path)!r} cannot be read as samples: expected `gammon train make` to make them again"
        )
    return piece


def open_pieces(folder: Path, which: int) -> list[Piece]:
    """Return the pieces to learn from: one or more, up to the first missing number.

    Args:
        folder: as for `open_piece`.
        which: as for `open_piece`.

    Raises:
        GammonError: the first piece is missing, or a piece is damaged.
    """
    pieces = [open_piece(folder, which, APART + 1)]
    while piece_path(folder, which, APART + 1 + len(pieces)).exists():
        pieces.append(open_piece(folder, which, APART + 1 + len(pieces)))
    return pieces


def traced(piece: Piece, trace: float) -> Floats:
    """Return targets [T, G, 6] that include a fraction of the later turns' surprises.

    Self-play with that trace gives the same targets.
    """
    out = piece["target"].copy()
    for t in range(len(out) - 2, -1, -1):
        surprise = (out[t + 1] - piece["believed"][t + 1])[:, ::-1]
        out[t] += trace * np.where(piece["last"][t, :, None], 0.0, surprise)
    return out
