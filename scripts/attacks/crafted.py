"""Files that a stranger has made up, and those that killed programs left."""

import ctypes
import json
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from attacks.faults import Faults
from gammon.commands.types import SEED
from tests.adapters.embed.crafted import crafted as crafted_engines
from tests.processes import ROOT

#: Seconds and MB that the refusal of a sparse network may take.
_LONG, _LARGE = 5.0, 300.0
#: Reads engines, whose places in a file are told on standard input, and asks one for a desk.
_HOST = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.gammon_read.restype = library.gammon_sit.restype = ctypes.c_void_p
library.gammon_read.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p]
library.gammon_sit.argtypes = [ctypes.c_void_p, ctypes.c_int]
data = open(sys.argv[2], "rb").read()
engine = library.gammon_read(data, len(data), None)
print("refused" if engine is None else "read", flush=True)
if engine is not None:
    print("sits" if library.gammon_sit(engine, 1) else "no desk")
"""


def _engines(folder: Path, words: int, seed: int, faults: Faults) -> None:
    """Give engines with a right checksum and a wrong number to a program."""
    from gammon.compiled.library import library
    from gammon_adapters.embed.image import image

    whole, count = image(library(), depths=[1], light=True), 0
    read = ctypes.CDLL(str(library().path)).gammon_read
    read.restype = ctypes.c_void_p
    read.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p]
    assert read(whole, len(whole), None)
    path = folder / "gammon.engine"
    for what, data in crafted_engines(whole, random.Random(seed), words):
        count += 1
        if read(data, len(data), None) is None:
            continue
        path.write_bytes(data)  # it is used by a program of its own
        done = subprocess.run(
            [sys.executable, "-c", _HOST, str(library().path), path],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        faults.add(f"an engine whose {what}: {done.stdout!r}, exit code {done.returncode}")
    click.echo(f"{count} engines with a right checksum and a wrong number")


def _networks(folder: Path, faults: Faults) -> None:
    """Read a sparse file of 1.2 GB that is no network."""
    path = folder / "sparse.safetensors"
    size = 1_200_000_000
    tensor = {"dtype": "F32", "shape": [size // 4], "data_offsets": [0, size]}
    text = json.dumps({"__metadata__": {"format": "gammon-network-4"}, "evil": tensor}).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + size)
    program = (
        "import resource, sys\n"
        "from gammon import GammonError\nfrom gammon.eval.model_file import load_model\n"
        "try: load_model(sys.argv[1])\nexcept GammonError as error: print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", program, path], cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime
    said, _, memory = done.stdout.strip().rpartition("\n")
    if "another name" not in said or seconds > _LONG or float(memory) > _LARGE:
        faults.add(f"a sparse network: {seconds:.1f} s, {memory} MB, {done.stdout!r}")
    click.echo(f"a network of 1.2 GB of zeros: {seconds:.1f} s, {float(memory):.0f} MB in all")


def _gammon(*words: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "gammon", *map(str, words)], cwd=ROOT, capture_output=True,
        text=True, check=False,
    )  # fmt: skip


def _links(folder: Path, faults: Faults) -> None:
    """Go on with a run whose files are links to a file that is somebody else's."""
    precious = folder / "precious"
    words = "match", "depth=1", "depth=1", "--games", "4", "--mat", "--out"
    names = "run.json", "units.jsonl", "games.jsonl", "result.json"
    for name in names:
        for there in (True, False):
            run = folder / f"run-{name}-{there}"
            _gammon(*words, run)
            precious.write_text("mine") if there else precious.unlink(missing_ok=True)
            (run / name).unlink()
            (run / name).symlink_to(precious)
            done = _gammon(*words, run)
            if done.returncode != 1 or "is a link" not in done.stderr:
                faults.add(f"{name} is a link: {done.returncode}, {done.stderr[-200:]!r}")
            if precious.exists() != there or (there and precious.read_text() != "mine"):
                faults.add(f"{name} is a link, which was followed")
    click.echo(f"runs whose {', '.join(names)} are links")


def _parts(folder: Path, kills: int, faults: Faults) -> None:
    """Kill programs that write a file, and look whether what they left goes away."""
    program = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from gammon.base.files import written_whole\n"
        "with written_whole(Path(sys.argv[1])) as beside:\n"
        "    beside.write_text('half')\n    os.kill(os.getpid(), signal.SIGKILL)"
    )
    path = folder / "parts" / "errors.csv"
    for _ in range(kills):
        done = subprocess.run([sys.executable, "-c", program, path], cwd=ROOT, check=False)
        assert done.returncode == -signal.SIGKILL
    parts = list(path.parent.iterdir())
    for part in parts:
        os.utime(part, (time.time() - 3600,) * 2)
    done = subprocess.run(
        [sys.executable, "-c", program.replace("SIGKILL", "SIGCONT"), path],
        cwd=ROOT,
        check=False,
    )
    if done.returncode or len(parts) != kills or [*path.parent.iterdir()] != [path]:
        faults.add(f"{len(parts)} parts were left, then {[*path.parent.iterdir()]}")
    click.echo(f"{kills} programs killed while they wrote a file")


@click.command()
@click.option("--words", type=click.IntRange(1), default=50, show_default=True)
@click.option("--kills", type=click.IntRange(1), default=5, show_default=True)
@click.option("--seed", type=SEED, default=1, show_default=True)
def crafted(words: int, kills: int, seed: int) -> None:
    """Use engines, networks and runs of strangers, and files that killed programs left."""
    faults = Faults()
    with tempfile.TemporaryDirectory(prefix="crafted-") as name:
        folder = Path(name)
        _engines(folder, words, seed, faults)
        _networks(folder, faults)
        _links(folder, faults)
        _parts(folder, kills, faults)
    faults.end("files that somebody made up")
