"""Folders of samples: pieces that are made again are the same, and nothing else is read."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from gammon.base.errors import GammonError
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import OPENING
from gammon.search import problem_of
from gammon.train import starts
from gammon.train.recipe import Recipe, Samples, TrainingStage
from gammon.train.sample_folder import (
    APART,
    chances,
    check_samples,
    make_pieces,
    open_piece,
    open_pieces,
    samples_folder,
    traced,
)
from gammon.train.selfplay import EXACT, Aim, start_turns
from tests.engine.train.recipes import changed

pytestmark = pytest.mark.usefixtures("little_work")

SETTINGS = Samples(model="probe", positions=1, seed=5, starts=0.5, games=4, turns=120)
ROOM = SETTINGS.games * SETTINGS.turns
STAGE = TrainingStage(target="made", positions=1, rate=(1e-2, 0.0))


def made(folder: Path, positions: int, threads: int = 1, **changes: object) -> list[bytes]:
    """Make the pieces of a folder, and return what is in its files."""
    settings = changed(SETTINGS, positions=positions, **changes)
    recipe = Recipe(seed=1, hidden1=16, hidden2=4, samples=(settings,), stages=(STAGE,))
    with samples_folder(recipe, folder):
        for _ in make_pieces(recipe, folder, threads):
            pass
    return [path.read_bytes() for path in sorted(folder.glob("*.npy"))]


@pytest.mark.smoke
def test_missing_pieces_are_made_as_they_were(tmp_path: Path) -> None:
    whole = made(tmp_path / "whole", 2 * ROOM, threads=2)
    assert len(set(whole)) == 3
    assert made(tmp_path / "grown", 1) == whole[:2]
    assert made(tmp_path / "grown", ROOM + 1) == whole
    (tmp_path / "grown" / "samples-1-0001.npy").unlink()
    with pytest.raises(GammonError, match=r"samples-1-0001\.npy': no samples there"):
        open_pieces(tmp_path / "grown", 0)
    assert made(tmp_path / "grown", ROOM + 1) == whole
    assert len(open_pieces(tmp_path / "grown", 0)) == 2
    with pytest.raises(GammonError, match="holds samples from games of probe, seed 5"):
        made(tmp_path / "grown", 1, seed=6)
    assert made(tmp_path / "other", 1, seed=6)[0] != whole[0]


def test_damaged_pieces_are_made_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As after a full disk, or a copy that was cut off; or a piece of another size."""
    whole = made(tmp_path, ROOM + 1)
    first, second, third = sorted(tmp_path.glob("*.npy"))
    first.write_bytes(whole[0][: len(whole[0]) // 2])
    np.save(third, np.load(third)[:-1])
    assert caplog.messages == []
    assert made(tmp_path, ROOM + 1) == whole
    assert caplog.messages == [
        f"{str(path)!r} is damaged, and made again" for path in (first, third)
    ]
    assert made(tmp_path, ROOM + 1) == whole
    assert len(caplog.messages) == 2, "whole pieces stay"
    assert second.read_bytes() == whole[1]


def test_a_flipped_bit_is_seen(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    whole = made(tmp_path, 1)
    path = tmp_path / "samples-1-0001.npy"
    damaged = bytearray(whole[1])
    damaged[len(damaged) // 2] ^= 4
    path.write_bytes(damaged)
    with pytest.raises(GammonError, match="cannot be read as samples"):
        open_pieces(tmp_path, 0)
    assert made(tmp_path, 1) == whole
    assert caplog.messages == [f"{str(path)!r} is damaged, and made again"]


def test_samples_of_another_recipe_are_refused(tmp_path: Path) -> None:
    made(tmp_path, 1)
    recipe = Recipe(seed=1, hidden1=16, hidden2=4, samples=(SETTINGS,), stages=(STAGE,))
    check_samples(recipe, tmp_path)
    other = recipe.model_copy(update={"samples": (changed(SETTINGS, starts=0.25),)})
    with pytest.raises(GammonError, match="holds samples from games of probe, seed 5"):
        check_samples(other, tmp_path)
    (tmp_path / "run.json").unlink()
    with pytest.raises(GammonError, match=r"holds no run\.json: expected samples from games"):
        check_samples(recipe, tmp_path)
    check_samples(recipe.model_copy(update={"samples": ()}), tmp_path)


def test_what_is_in_a_piece(tmp_path: Path) -> None:
    made(tmp_path, 1)
    evaluator = load_evaluator("probe")
    pieces = [open_piece(tmp_path, 0, APART), *open_pieces(tmp_path, 0)]
    first = {tuple(row) for row in starts.mixed_starts(0.5, 5).tolist()}
    for piece in pieces:
        assert piece.shape == (SETTINGS.turns, SETTINGS.games)
        begun = {tuple(row) for row in piece["position"][0].tolist()}
        begun |= {tuple(row) for row in piece["position"][1:][piece["last"][:-1]].tolist()}
        assert begun <= first
        assert len(begun | {OPENING}) > 1, "drawn ones among them"
        assert np.array_equal(piece["believed"], chances(evaluator, piece["position"]))


def test_traced_targets_are_those_of_self_play(tmp_path: Path) -> None:
    made(tmp_path, 1, starts=0.0)
    piece = open_piece(tmp_path, 0, APART)
    games = np.arange(SETTINGS.games, dtype=np.uint64)
    with ThreadPoolExecutor(1) as pool:
        played = start_turns(
            pool, 1, problem_of(BACKGAMMON, load_evaluator("probe")),
            np.tile(np.array(OPENING, np.int8), (SETTINGS.games, 1)), games,
            np.zeros_like(games), SETTINGS.turns, SETTINGS.seed,
            np.array([OPENING], np.int8), Aim(EXACT, 0.7),
        )()  # fmt: skip
    assert np.array_equal(piece["position"], played.samples)
    assert np.array_equal(piece["last"], played.ends)
    assert piece["last"].any()
    assert traced(piece, 0.7) == pytest.approx(played.targets, abs=1e-5)
    assert np.array_equal(traced(piece, 0.0), piece["target"])


def test_static_targets_are_what_the_network_says(tmp_path: Path) -> None:
    made(tmp_path, 1, target="static", starts=0.25, families=0.5)
    first = {tuple(row) for row in starts.mixed_starts(0.25, 5, 0.5).tolist()}
    for piece in (open_piece(tmp_path, 0, APART), *open_pieces(tmp_path, 0)):
        assert np.array_equal(piece["target"], piece["believed"])
        said = chances(load_evaluator("probe"), piece["position"])
        assert np.array_equal(piece["believed"], said)
        assert {tuple(row) for row in piece["position"][0].tolist()} <= first


def test_other_files_are_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(GammonError, match="no samples there: expected a folder that"):
        open_piece(tmp_path, 0, APART)
    unread = r"samples-1-0000\.npy' cannot be read as samples: expected `gammon train make` to"
    for wrong in (np.zeros(3), np.zeros((2, 2))):
        np.save(tmp_path / "samples-1-0000.npy", wrong)
        with pytest.raises(GammonError, match=unread):
            open_piece(tmp_path, 0, APART)
    path = tmp_path / "samples-1-0000.npy"
    whole = path.read_bytes()
    # Numpy's reader of the header has errors of its own, such as TokenError and SyntaxError.
    for damaged in (
        b"\x93NUMPY",
        whole.replace(b"{", b"(", 1),
        whole.replace(b"'descr'", b"1'descr", 1),
        whole.replace(b"}", b" ", 1),
    ):
        path.write_bytes(damaged)
        with pytest.raises(GammonError, match=unread):
            open_piece(tmp_path, 0, APART)
