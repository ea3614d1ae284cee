"""A folder of samples from self-play, from which networks learn (`gammon train make`).

It holds the pieces of a recipe's [[samples]]: some turns of some games that begin there. No
game is in two pieces. The first piece is kept apart: networks are judged by it, and learn from
the others (`gammon.train.lesson`).
"""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
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
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.search import Evaluator, problem_of
from gammon.train.recipe import STATIC, Recipe, Samples
from gammon.train.selfplay import EXACT, SAMPLED, Aim, first_states, playing_threads, start_turns
from gammon.train.sketch import Rows
from gammon.train.starts import mixed_starts

_LOG = logging.getLogger(__name__)

#: A file's T turns of G games, [T, G]. `target` and `believed` are chances of the six results:
#: what to learn, and what the network says of the position itself. `last` tells whether the
#: game ends with the turn.
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

#: Bytes of a checksum, and those of a file that are read at a time.
_CHECKSUM, _PART = 4, 1 << 24
#: The number of the piece that is kept apart.
APART = 0


def samples_folder(recipe: Recipe, folder: Path) -> AbstractContextManager[None]:
    """Return what holds a folder while samples are made, see `gammon.base.folder`.

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
        GammonError: those of another one, or none.
        ModelError: there is no such model.
    """
    if recipe.samples:
        check_held(folder, *_run_of(recipe))


def _run_of(recipe: Recipe) -> tuple[str, dict[str, Any]]:
    """Return the title and the settings of the run that makes a recipe's samples."""
    # More positions can be asked for later: the pieces stay the same.
    facts: list[dict[str, Any]] = [
        {name: value for name, value in samples.model_dump().items() if name in _SAME}
        | {"network": network_id(samples.model)}
        for samples in recipe.samples
    ]
    first = recipe.samples[0]
    title = f"samples from games of {first.model}, seed {first.seed}"
    return title, {"samples": facts}


#: The entries by which pieces differ.
_SAME = ("model", "seed", "starts", "families", "target", "games", "turns")


def piece_path(folder: Path, which: int, number: int) -> Path:
    """Return the file of a piece; the arguments are those of `open_piece`."""
    return folder / f"samples-{which + 1}-{number:04d}.npy"


def make_pieces(recipe: Recipe, folder: Path, threads: int) -> Iterator[tuple[int, int]]:
    """Make the pieces that a folder lacks: for all samples one apart, and enough to learn from.

    A damaged piece is made again. A warning is logged that names its file.

    Args:
        recipe: with samples.
        folder: of the pieces; it is held, see `samples_folder`.
        threads: that play; the samples do not depend on their number.

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
            missing = [each for each in numbers if not _is_made(samples, folder, which, each)]
            done += len(numbers) - len(missing)
            if missing:
                starts = mixed_starts(samples.starts, samples.seed, samples.families)
            for number in missing:
                piece = _made(samples, starts, number, pool, threads)
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
    """Return the checksum of the first bytes of a file; behind them it stands in the file."""
    found = 0
    with path.open("rb") as file:
        while size > 0 and (part := file.read(min(size, _PART))):
            found, size = crc32(part, found), size - len(part)
    return found.to_bytes(_CHECKSUM, "little")


def _is_made(samples: Samples, folder: Path, which: int, number: int) -> bool:
    """Tell whether a piece is there and whole; log a warning if it is damaged."""
    path = piece_path(folder, which, number)
    try:
        piece = _opened(path)
    except FileNotFoundError:
        return False
    whole = piece is not None and piece.shape == (samples.turns, samples.games)
    if not whole:
        _LOG.warning("%r is damaged, and made again", str(path))
    return whole


def _made(samples: Samples, starts: Rows, number: int, pool: ThreadPoolExecutor, threads: int) -> Piece:
    """Return a piece: its games have numbers of their own, so it depends on no other piece."""
    evaluator = load_evaluator(samples.model)
    numbers = np.arange(samples.games, dtype=np.uint64) + np.uint64(number << 40)
    static = samples.target == STATIC
    played = start_turns(
        pool, 16 * threads, problem_of(BACKGAMMON, evaluator),
        first_states(starts, samples.seed, numbers), numbers, np.zeros_like(numbers),
        samples.turns, samples.seed, starts, Aim(SAMPLED if static else EXACT),
    )()  # fmt: skip
    piece = np.empty(played.ends.shape, _TURN)
    piece["position"] = played.samples
    piece["believed"] = chances(evaluator, played.samples)
    piece["target"] = piece["believed"] if static else played.targets
    piece["last"] = played.ends
    return piece


def chances(evaluator: Evaluator, positions: npt.NDArray[np.int8]) -> Floats:
    """Return a network's chances of the six results [..., 6] of positions int8 [..., 26]."""
    rows = positions.reshape(-1, SIZE)
    return results_of(rows, evaluator.weights).reshape(*positions.shape[:-1], N_RESULTS)


def _opened(path: Path) -> Piece | None:
    """Return a piece, of which the system keeps what is used; None if it is something else.

    Raises:
        FileNotFoundError: it is missing.
    """
    try:
        piece: Piece = np.load(regular(path), mmap_mode="r")
        size = path.stat().st_size - _CHECKSUM
        with path.open("rb") as file:
            file.seek(size)
            whole = file.read() == _checksum(path, size)
    except FileNotFoundError:
        raise
    except Exception:  # a damaged header leads to errors of many kinds
        return None
    return piece if whole and piece.dtype == _TURN and piece.ndim == 2 else None


def open_piece(folder: Path, which: int, number: int) -> Piece:
    """Return a piece [T, G], of which the system reads what is used.

    Args:
        folder: of the pieces.
        which: of a recipe's samples, from 0 on.
        number: of the piece.

    Raises:
        GammonError: it is missing, or is something else.
    """
    path = piece_path(folder, which, number)
    try:
        piece = _opened(path)
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
    """Return the pieces to learn from: one or more, up to the first one that is missing.

    Args:
        folder: as for `open_piece`.
        which: as for `open_piece`.

    Raises:
        GammonError: the first one is missing, or one is something else.
    """
    found = [open_piece(folder, which, APART + 1)]
    while piece_path(folder, which, APART + 1 + len(found)).exists():
        found.append(open_piece(folder, which, APART + 1 + len(found)))
    return found


def traced(piece: Piece, trace: float) -> Floats:
    """Return targets [T, G, 6] that take up a share of the later turns' surprises.

    They are those that self-play makes with that trace.
    """
    out = piece["target"].copy()
    for t in range(len(out) - 2, -1, -1):
        surprise = (out[t + 1] - piece["believed"][t + 1])[:, ::-1]
        out[t] += trace * np.where(piece["last"][t, :, None], 0.0, surprise)
    return out
