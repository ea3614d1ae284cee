"""Files with one flipped bit: each must be refused, or made again with a notice."""

import ctypes
import logging
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click

from attacks.faults import Faults
from attacks.same import differences
from gammon.base.errors import GammonError
from gammon.commands.options import SEED
from tests.processes import ROOT

#: The notices that have been logged.
_NOTICES: list[str] = []


class _Listener(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        _NOTICES.append(record.getMessage())


def _flipped(data: bytes, rng: random.Random) -> bytes:
    """Return a file with one bit flipped; in every third file it is near the beginning."""
    most = len(data) if rng.random() < 2 / 3 else min(len(data), 4096)
    place = rng.randrange(most)
    damaged = bytearray(data)
    damaged[place] ^= 1 << rng.randrange(8)
    return bytes(damaged)


#: A function that damages a file, uses it, and returns how the damage was noticed, or a fault.
Flip = Callable[[random.Random], str]
REFUSED, REPAIRED = "refused", "repaired with a notice"


def _models(folder: Path) -> Flip:
    from gammon.base.files import shipped_files
    from gammon.eval.array_cache import read_array
    from gammon.eval.model_file import load_model, shipped_models

    paths = [*shipped_models(), *shipped_files(".network")]
    files = [(path.suffix, path.read_bytes()) for path in paths]
    place = folder / "model"

    def flip(rng: random.Random) -> str:
        suffix, whole = rng.choice(files)
        place.write_bytes(_flipped(whole, rng))
        try:
            if suffix == ".network":
                return REFUSED if read_array(place) is None else "a damaged network of races is used"
            load_model(place)
        except GammonError:
            return REFUSED
        return "a damaged network is used"

    return flip


def _tables(folder: Path) -> Flip:
    """Damage the cached file of tables; building them again returns the sound ones."""
    from gammon.eval.array_cache import cached_array
    from gammon.eval.bearoff_file import bearoff_tables, tables_path

    sound = bearoff_tables()
    whole = tables_path().read_bytes()
    place = folder / "bearoff.tables"

    def flip(rng: random.Random) -> str:
        place.write_bytes(_flipped(whole, rng))
        before = len(_NOTICES)
        tables = cached_array(place, "the bearoff tables", lambda: sound, sound.size)
        if tables.tobytes() != sound.tobytes() or place.read_bytes() != whole:
            return "damaged tables are used"
        notices = len(_NOTICES) - before
        return REPAIRED if notices == 1 else f"{notices} notices of damaged tables"

    return flip


def _library(folder: Path) -> Flip:
    """Damage the library of kernels or its manifest, and load it."""
    from gammon.compiled.library import FOLDER, KernelLibrary, LibraryError

    files = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    for name, data in files.items():
        folder.joinpath(name).write_bytes(data)

    def flip(rng: random.Random) -> str:
        name = rng.choice(list(files))
        folder.joinpath(name).write_bytes(_flipped(files[name], rng))
        try:
            KernelLibrary(folder)
        except LibraryError:
            return REFUSED
        finally:
            folder.joinpath(name).write_bytes(files[name])
        return "a damaged library is loaded"

    return flip


def _engines(folder: Path) -> Flip:
    """Damage an engine's file, and let the library read it."""
    from gammon.compiled.library import library
    from gammon_adapters.embed.packed_engine import packed_engine

    whole = packed_engine(library(), depths=[1])
    read = ctypes.CDLL(str(library().path)).gammon_read
    read.restype, read.argtypes = (ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p])
    assert read(whole, len(whole), None)

    def flip(rng: random.Random) -> str:
        refused = read(_flipped(whole, rng), len(whole), None) is None
        return REFUSED if refused else "a damaged engine is read"

    return flip


def _runs(folder: Path) -> Flip:
    """Damage the files of an interrupted match, rollout or review, and resume it."""
    from gammon import Position, rollout
    from gammon.match.match import MatchSettings, run_match
    from gammon.match.player import parse_player
    from gammon_study import read_transcript, review

    player = parse_player("depth=1")
    match = read_transcript(ROOT / "tests/golden/matches/hand.mat")
    opening = Position.opening()

    def play(out: Path) -> object:
        return run_match(MatchSettings(player, player, 8, out))[0]

    def roll(out: Path) -> object:
        rolled = rollout(opening, (3, 1), ["8/5 6/5"], trials=36, truncate=2, out=out)
        return rolled.candidates

    def analyze(out: Path) -> object:
        return review(match, 1, out=out).choices

    runs = {"match": play, "rollout": roll, "review": analyze}
    whole = {name: run(folder / name) for name, run in runs.items()}

    def flip(rng: random.Random) -> str:
        name = rng.choice(list(runs))
        out = folder / "damaged"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(folder / name, out)
        path = rng.choice([out / "run.json", out / "units.jsonl", out / "units.jsonl"])
        path.write_bytes(_flipped(path.read_bytes(), rng))
        before = len(_NOTICES)
        try:
            result = runs[name](out)
        except GammonError:
            return REFUSED
        if result != whole[name]:
            return f"the result of a {name} differs"
        if list(differences(folder / name, out)):
            return f"files of a {name} differ: {list(differences(folder / name, out))}"
        notices = len(_NOTICES) - before
        return REPAIRED if notices == 1 else f"{notices} notices of a damaged {path.name} of a {name}"

    return flip


def _checkpoints(folder: Path) -> Flip:
    from attacks.kills import RECIPE
    from gammon_lab.train.recipe import read_recipe
    from gammon_lab.train.training import Training, training_folder

    recipe_file = folder / "recipe.toml"
    recipe_file.write_text(RECIPE.replace("8000", "320"))
    recipe = read_recipe(recipe_file)
    out = folder / "run"
    with training_folder(recipe, out):
        training = Training(recipe, out)
        next(training.steps(60.0, 0.0))
        training.save()
    data = {name: (out / name).read_bytes() for name in ("checkpoint.safetensors", "run.json")}

    def flip(rng: random.Random) -> str:
        for name, whole in data.items():
            (out / name).write_bytes(whole)
        name = rng.choice(["checkpoint.safetensors"] * 3 + ["run.json"])
        (out / name).write_bytes(_flipped(data[name], rng))
        try:
            with training_folder(recipe, out):
                Training(recipe, out)
        except GammonError:
            return REFUSED
        return f"a damaged {name} is used"

    return flip


#: The kinds of files, by name: the share of all flips in per cent, and the attack.
_KINDS: dict[str, tuple[int, Callable[[Path], Flip]]] = {
    "networks": (25, _models),
    "bearoff tables": (15, _tables),
    "runs": (25, _runs),
    "checkpoints": (15, _checkpoints),
    "library": (10, _library),
    "engines": (10, _engines),
}


@click.command()
@click.option("--flips", type=click.IntRange(20), default=1000, show_default=True)
@click.option("--kind", "names", type=click.Choice(list(_KINDS)), multiple=True)
@click.option("--seed", type=SEED, default=1, show_default=True)
def flips(flips: int, names: tuple[str, ...], seed: int) -> None:
    """Flip bits in networks, tables, files of runs, checkpoints, the library and engines.

    Each must be noticed: the file is refused in one line, or a notice reports that it is made
    again, and then the result is the same as with the sound file.
    """
    logging.getLogger("gammon").addHandler(_Listener())
    logging.getLogger("gammon").propagate = False
    faults = Faults()
    total = 0
    for name in names or _KINDS:
        share, make = _KINDS[name]
        counts = Counter[str]()
        with tempfile.TemporaryDirectory(prefix="flips-") as folder:
            flip = make(Path(folder))
            for number in range(flips * share // 100):
                counts[flip(random.Random(f"{seed} {name} {number}"))] += 1
        total += sum(counts.values())
        for what, count in counts.items():
            if what not in (REFUSED, REPAIRED):
                faults.add(f"{name}: {count} times {what}")
        words = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
        click.echo(f"{name:16} {sum(counts.values()):6,} flips: {words}")
    faults.end(f"{total:,} flips")
