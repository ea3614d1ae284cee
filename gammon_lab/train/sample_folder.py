"""A folder of samples from self-play (`gammon train make`), and lessons: networks learn from them.

It holds the pieces of a recipe's [[samples]]: a number of turns of a number of games. Every game
lies within one piece. The first piece is held out: networks are judged by it, and learn from the
others. Networks of chances are measured by luck-adjusted results, networks of widths by revisions.
"""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from gammon.base.errors import GammonError, SettingError
from gammon.base.files import regular, written_whole
from gammon.base.folder import check_held, run_folder
from gammon.eval.evaluators import evaluator_of, load_evaluator
from gammon.eval.integer_network_kernel import results_of
from gammon.eval.model_file import Weights, network_id
from gammon.eval.width import fold_width
from gammon.formats.position import parse_start
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import OPENING, PHASES, SIZE, phase_of
from gammon.rules.outcome import N_RESULTS, POINTS
from gammon.search import Evaluator, problem_of
from gammon_lab.train.learner import WIDTH
from gammon_lab.train.recipe import STATIC, Recipe, Samples
from gammon_lab.train.selfplay import EXACT, SAMPLED, Aim, first_states, playing_threads, start_turns
from gammon_lab.train.starts import Rows, mixed_starts

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
#: The last turns of a piece are left out, this many: their games may have no result yet.
_UNFINISHED = 100
#: Held-out revisions are counted beyond so many widths.
_MULTIPLES = (4, 6, 8)


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


class Lesson:
    """The samples that a stage learns from: their kinds and targets, and the share of each kind.

    Args:
        recipe: a recipe with samples.
        folder: the folder of the samples, which is also an attribute.

    Raises:
        GammonError: samples are missing or invalid.
    """

    def __init__(self, recipe: Recipe, folder: Path) -> None:
        self.folder = folder
        self._kinds = [_read(recipe, folder, which) for which in range(len(recipe.samples))]
        self._shares = np.cumsum([samples.share for samples in recipe.samples])

    def draw(self, random: np.random.Generator, count: int) -> tuple[Rows, Floats]:
        """Return samples int8 [N, 26] and targets, drawn with replacement.

        Targets are chances float32 [N, 6], or revisions float32 [N, 1].

        Args:
            random: the random numbers.
            count: N.
        """
        ends = np.round(count * self._shares / self._shares[-1]).astype(int)
        drawn = [
            (np.take(rows, chosen, axis=0), np.take(targets, chosen, axis=0))
            for (rows, targets), size in zip(self._kinds, np.diff(ends, prepend=0), strict=True)
            for chosen in [random.integers(len(rows), size=size)]
        ]
        rows, targets = zip(*drawn, strict=True)
        return np.concatenate(rows), np.concatenate(targets)


def _revisions(piece: Piece) -> Floats:
    """Return by how much a look ahead of one turn changes the values of a piece, [T, G, 1], in points."""
    revisions: Floats = ((piece["target"] - piece["believed"]) @ POINTS[:, None]).astype(np.float32)
    return revisions


def _read(recipe: Recipe, folder: Path, which: int) -> tuple[Rows, Floats]:
    """Return the first positions and targets of the samples, as many as the recipe asks for."""
    samples = recipe.samples[which]
    pieces = open_pieces(folder, which)
    size = sum(piece.size for piece in pieces)
    if size < samples.positions:
        missing = piece_path(folder, which, APART + 1 + len(pieces))
        raise SettingError(
            f"{str(missing)!r} is missing, and the pieces before it hold {size} of the "
            f"{samples.positions} positions that the recipe learns from: expected `gammon "
            "train make` to have made all"
        )
    rows = np.concatenate([piece["position"].reshape(-1, SIZE) for piece in pieces])
    by_turn = [
        _revisions(piece) if recipe.learns == WIDTH else traced(piece, samples.trace) for piece in pieces
    ]
    targets = np.concatenate([targets.reshape(-1, targets.shape[-1]) for targets in by_turn])
    return rows[: samples.positions], targets[: samples.positions]


@dataclass(frozen=True)
class Measure:
    """The distance of a network from the truth, in one group of the held-out positions.

    Attributes:
        share: share of the positions that are in the group.
        further: mean square distance from the luck-adjusted results of games, less the same
            distance of the network that made the samples: in squared points, times 10,000.
        error: the standard error of `further`, over games.
        ahead: root mean square distance from the exact targets one turn ahead, in points.
    """

    share: float
    further: float
    error: float
    ahead: float

    def __str__(self) -> str:
        return (
            f"{self.share:6.1%} of positions  {self.further:+6.2f} +- {self.error:.2f} further "
            f"from results (mean square x 10,000)  {self.ahead:.4f} points from one turn ahead"
        )


class HeldOutPositions:
    """The held-out positions, and the luck-adjusted results of their games.

    Args:
        folder: the folder of the samples.
        which: index of the samples in the recipe, from 0; their targets are exact.

    Raises:
        GammonError: the held-out piece is missing or invalid.
    """

    def __init__(self, folder: Path, which: int = 0) -> None:
        piece = open_piece(folder, which, APART)
        turns = max(len(piece) - _UNFINISHED, 1)
        self._positions = piece["position"][:turns]
        self._results = traced(piece, 1.0)[:turns] @ POINTS
        self._targets = piece["target"][:turns] @ POINTS
        self._believed = piece["believed"][:turns] @ POINTS
        #: bool [T, G] by the name of the group.
        self.groups = self._grouped(piece["last"][:turns])

    def _grouped(self, last: npt.NDArray[np.bool_]) -> dict[str, npt.NDArray[np.bool_]]:
        positions = self._positions
        phases = np.array([[PHASES.index(phase_of(row)) for row in games] for games in positions.tolist()])
        opening = (positions == np.array(OPENING, np.int8)).all(axis=-1)
        drawn = np.empty_like(opening)
        drawn[0] = ~opening[0]
        for t in range(1, len(drawn)):
            drawn[t] = np.where(last[t - 1], ~opening[t], drawn[t - 1])
        groups = {"all": np.ones_like(drawn)}
        groups |= {name: phases == number for number, name in enumerate(PHASES)}
        groups |= {"games from the opening": ~drawn, "games from drawn positions": drawn}
        return {name: members for name, members in groups.items() if members.any()}

    def measures(self, weights: Weights) -> dict[str, Measure]:
        """Return the measures of a network's tensors for each group."""
        values = chances(evaluator_of(weights), self._positions) @ POINTS
        before = (self._believed - self._results) ** 2
        further = 1e4 * ((values - self._results) ** 2 - before)
        squares = (values - self._targets) ** 2
        by_group = {}
        for name, members in self.groups.items():
            mean = float(further[members].mean())
            # Positions of one game are correlated, games are not.
            by_game = np.where(members, further - mean, 0.0).sum(axis=0)
            error = float(np.sqrt((by_game**2).sum()) / members.sum())
            ahead = float(np.sqrt(squares[members].mean()))
            by_group[name] = Measure(float(members.mean()), mean, error, ahead)
        return by_group


@dataclass(frozen=True)
class WidthMeasure:
    """How a network's widths fit the revisions of the held-out positions, for money without the cube.

    Attributes:
        width: the mean width, in points.
        likelihood: the mean logarithm of the likelihood of a revision, which has Laplace's
            distribution with the width as its scale.
        beyond: for 4, 6 and 8 widths: the share of the revisions that are larger, and the root
            mean square of their excess (0 for other revisions), in points.
    """

    width: float
    likelihood: float
    beyond: dict[int, tuple[float, float]]

    def __str__(self) -> str:
        parts = [f"mean width {self.width:.4f}", f"log likelihood {self.likelihood:.4f}"]
        parts += [f"beyond {k} widths {share:.3%}, {rms:.5f}" for k, (share, rms) in self.beyond.items()]
        return "  ".join(parts)


def width_measure(folder: Path, which: int, weights: Weights) -> WidthMeasure:
    """Return the measure of a network of widths.

    Args:
        folder: the folder of the samples.
        which: index of the samples in the recipe, from 0.
        weights: the network's tensors.

    Raises:
        GammonError: the held-out piece is missing or invalid.
    """
    piece = open_piece(folder, which, APART)
    revisions = np.abs(_revisions(piece)).ravel()
    outputs = chances(evaluator_of(weights, bearoff=False), piece["position"]).reshape(-1, N_RESULTS)
    widths = np.zeros_like(revisions)
    fold_width(outputs, len(outputs), BACKGAMMON.stake, BACKGAMMON.params, widths)
    likelihood = -float((np.log(2.0 * widths) + revisions / widths).mean())
    excess = {k: np.maximum(revisions - k * widths, 0.0) for k in _MULTIPLES}
    beyond = {k: (float((e > 0.0).mean()), float(np.sqrt((e**2).mean()))) for k, e in excess.items()}
    return WidthMeasure(float(widths.mean()), likelihood, beyond)


def measures(recipe: Recipe, folder: Path, weights: Weights) -> Iterator[str]:
    """Yield the measures of a network as text, for each of a recipe's samples with exact targets.

    Args:
        recipe: a recipe with samples.
        folder: the folder of the samples.
        weights: the network's tensors.
    """
    for which, samples in enumerate(recipe.samples):
        if recipe.learns == WIDTH:
            yield f"samples {which + 1}: {width_measure(folder, which, weights)}"
        elif samples.target != STATIC:
            by_group = HeldOutPositions(folder, which).measures(weights)
            width = max(map(len, by_group))
            yield from (f"{name:>{width}}: {measure}" for name, measure in by_group.items())
