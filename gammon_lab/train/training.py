"""A training run: self-play and learning side by side, checkpoints, progress.

A stage may also learn from samples that were made before; then nobody plays. Otherwise threads
of compiled code play while the learner works on the samples of the round before. The players'
weights are therefore always one round old, so a run is the same whatever the number of threads.
"""

import os
import platform
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from gammon.base.errors import ModelError, SettingError
from gammon.base.folder import run_folder, version_with_commit
from gammon.eval.baseline import BASELINE
from gammon.eval.evaluators import evaluator_of
from gammon.eval.features import encode
from gammon.eval.model_file import Weights, load_model, network_id, parts_of, save_model
from gammon.eval.network import Network, network_of, plans, tensors
from gammon.formats.position import parse_start
from gammon.games.backgammon import BACKGAMMON
from gammon.match.quick import compare
from gammon.match.result import MatchResult
from gammon.rules.board import SIZE
from gammon.rules.outcome import N_RESULTS, count_possible
from gammon.search import Evaluator, problem_of
from gammon_lab.train.learner import (
    WIDTH,
    Learner,
    checked_count,
    load_checkpoint,
    save_checkpoint,
    take_array,
    take_samples,
)
from gammon_lab.train.recipe import MADE, Recipe, TrainingStage
from gammon_lab.train.sample_folder import Lesson, measures
from gammon_lab.train.selfplay import (
    TARGETS,
    Aim,
    first_states,
    played_positions,
    playing_threads,
    start_turns,
)
from gammon_lab.train.starts import Rows, mixed_starts

_CHUNK = 4096


def activity(network: Network, samples: npt.NDArray[np.int8]) -> torch.Tensor:
    """Return how often each unit is active.

    Args:
        network: a network of P parts with H1 units each.
        samples: int8 [N, 26], positions seen from the player on roll.

    Returns:
        float32 [P, H1], as a share of the positions that the unit's part judges; nan if the part
        judges none.
    """
    active = torch.zeros(len(network.parts), len(network.get_parameter("parts.0.gate.bias")))
    judged = torch.zeros(len(network.parts), 1)
    with torch.no_grad():
        for begin in range(0, len(samples), _CHUNK):
            features = torch.from_numpy(encode(samples[begin : begin + _CHUNK]))
            plan_of_row = plans(features, len(network.parts))
            for number, part in enumerate(network.parts):
                inputs = features[plan_of_row == number, : network.inputs]
                first, second = (part.get_submodule(name)(inputs) for name in ("hidden1", "gate"))
                active[number] += ((first > 0) & (second > 0)).sum(dim=0)
                judged[number] += len(inputs)
    return active / judged


def renew(network: Network, fresh: Network, units: torch.Tensor) -> None:
    """Give units the incoming weights of another network, and outgoing weights of 0.

    Args:
        network: the network to change.
        fresh: a network of the same shape.
        units: bool [P, H1], the units to change.
    """
    with torch.no_grad():
        for part, other, chosen in zip(network.parts, fresh.parts, units, strict=True):
            for name in ("hidden1.weight", "hidden1.bias", "gate.weight", "gate.bias"):
                part.get_parameter(name)[chosen] = other.get_parameter(name)[chosen]
            part.get_parameter("hidden2.weight")[:, chosen] = 0.0


def sorted_by_activity(weights: Weights, samples: npt.NDArray[np.int8]) -> Weights:
    """Return the same network with the most active units of each part first.

    Rarely active units are then neighbours, so compiled code that takes several at a time can
    skip more of them.

    Args:
        weights: tensors by name, as in a model file.
        samples: int8 [N, 26], the positions on which activity is measured.
    """
    result: dict[str, npt.NDArray[np.float32]] = {}
    orders = activity(network_of(weights), samples).argsort(dim=1, descending=True, stable=True)
    for name, value in weights.items():
        _, part, inner = name.split(".", 2)
        order = orders[int(part)].numpy()
        if inner.startswith(("hidden1.", "gate.")):
            result[name] = value[order]
        elif inner == "hidden2.weight":
            result[name] = value[:, order]
        else:
            result[name] = value
    return result


@dataclass
class SampleMemory:
    """A ring of at most M samples. New samples replace the oldest ones.

    Attributes:
        samples: int8 [M, 26], positions seen from the player on roll.
        targets: float32 [M, 6], chances of the six results.
        added: the number of samples added so far.
    """

    samples: npt.NDArray[np.int8]
    targets: npt.NDArray[np.float32]
    added: int = 0

    @classmethod
    def empty(cls, size: int) -> "SampleMemory":
        """Return an empty memory for `size` samples."""
        return cls(np.zeros((size, SIZE), np.int8), np.zeros((size, N_RESULTS), np.float32))

    def add(self, samples: npt.NDArray[np.int8], targets: npt.NDArray[np.float32]) -> None:
        """Add at most M new samples."""
        slots = (self.added + np.arange(len(samples))) % len(self.samples)
        self.samples[slots] = samples
        self.targets[slots] = targets
        self.added += len(samples)

    def draw(
        self, random: np.random.Generator, count: int
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
        """Return `count` random samples and their targets, drawn with replacement."""
        chosen = random.integers(min(self.added, len(self.samples)), size=count)
        # Six times as fast as indexing.
        return np.take(self.samples, chosen, axis=0), np.take(self.targets, chosen, axis=0)


def fresh_network(recipe: Recipe, stage: int = 0) -> Network:
    """Return a network with random weights, different for each stage."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed((recipe.seed + stage) % 2**64)
        return Network(recipe.hidden1, recipe.hidden2, recipe.tactics, recipe.parts)


def first_network(recipe: Recipe) -> Network:
    """Return the network that a recipe begins with.

    If the recipe starts from a model, the network takes over its weights. If the model has fewer
    parts, they are repeated. Features and units that the model did not have get outgoing weights
    of 0, so that the network first computes the same function. Their incoming weights are
    random, so that they can learn. Units that are dead in the model's own games are treated
    alike.

    Raises:
        ModelError: there is no such model, or it is larger than the recipe's network.
    """
    network = fresh_network(recipe)
    if not recipe.start:
        return network
    parts = parts_of(load_model(recipe.start).weights)
    if len(parts) > recipe.parts:
        raise ModelError(
            f"model {recipe.start!r}: {len(parts)} parts, expected no more than the recipe's {recipe.parts}"
        )
    with torch.no_grad():
        for key, parameter in network.named_parameters():
            _, part, name = key.split(".", 2)
            old = torch.from_numpy(parts[int(part) % len(parts)][name])
            if any(had > has for had, has in zip(old.shape, parameter.shape, strict=True)):
                raise ModelError(
                    f"model {recipe.start!r}: {key} is {list(old.shape)}, expected no more "
                    f"than the recipe's {list(parameter.shape)}"
                )
            if parameter.ndim == 2:
                parameter[: len(old), old.shape[1] :] = 0.0
            parameter[tuple(slice(had) for had in old.shape)] = old
    player = evaluator_of(tensors(network), bearoff=False)
    dead = activity(network, played_positions(player, recipe.seed)) == 0
    renew(network, fresh_network(recipe), dead)
    return network


_SAVE_SECONDS = 60.0
#: Positions drawn from samples, on which the activity of units is measured.
_DRAWN = 1 << 16
_STRENGTH_GAMES = 2000


def _machine(learner: Learner) -> str:
    """Describe the machine that plays, and the device that learns."""
    device = learner.device
    place = torch.cuda.get_device_name(device) if device.type == "cuda" else "one of them"
    precision = " in mixed precision" if learner.mixed else ""
    processors = f"{platform.machine()}, {os.cpu_count()} processors"
    return f"{processors}, learner on {place}{precision}"


@dataclass
class TrainingProgress:
    """A report on the progress of a run."""

    stage: int
    positions: int
    games: int
    seconds: float
    loss: float
    rate: float
    strength: MatchResult | None

    def __str__(self) -> str:
        # In its first round a stage plays and has no loss yet.
        loss = "" if np.isnan(self.loss) else f"loss {self.loss:.5f}  "
        text = (
            f"stage {self.stage + 1}  {self.positions / 1e6:8.3f} M positions  "
            f"{self.games:9d} games  {self.seconds:7.0f} s  {loss}rate {self.rate:.1e}"
        )
        return f"{text}  baseline {self.strength}" if self.strength else text


@contextmanager
def _one_thread() -> Iterator[None]:
    """Restrict torch to one thread, since the other cores play."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def training_folder(recipe: Recipe, folder: Path) -> AbstractContextManager[None]:
    """Return a context that locks the folder of a training run, see `gammon.base.folder`.

    Raises:
        ModelError: there is no such model as the recipe names.
    """
    networks = {recipe.start: network_id(recipe.start)} if recipe.start else {}
    facts = {**recipe.model_dump(), "networks": networks}
    title = f"a training of {recipe.hidden1} and {recipe.hidden2} units, seed {recipe.seed}"
    return run_folder(folder, title, facts)


class Training:
    """A run in a folder, which a later process can resume. `training_folder` locks the folder.

    A resumed run learns the same weights on the same kind of device: `cuda`, a processor that
    multiplies bfloat16, or another processor.

    Args:
        recipe: what to learn, and from what.
        folder: the folder of the checkpoint and the model.
        threads: threads of self-play, which always runs on the processor's cores.
        device: the learner's device, `cpu` or `cuda`.
        samples: the folder of the recipe's samples; see `gammon_lab.train.sample_folder`.

    Attributes:
        learner: the network that learns. The moving average of its weights plays, and is the
            result of the run.
        positions: samples learned from so far.
        seconds: time spent so far, over all processes.
    """

    def __init__(
        self, recipe: Recipe, folder: Path, threads: int = 1, device: str = "cpu", samples: Path | None = None
    ) -> None:
        self.recipe = recipe
        self.folder = folder
        self.threads = threads
        self.learner = Learner(first_network(recipe), device, recipe.learns)
        self.lesson: Lesson | None = None
        if any(stage.target == MADE for stage in recipe.stages):
            if samples is None:
                raise SettingError("samples: expected the folder in which the recipe's are made")
            self.lesson = Lesson(recipe, samples)
        self.stage = 0
        self.round = 0
        self.positions = 0
        self.finished_games = 0
        self.seconds = 0.0
        # Samples of the last round, from which the learner has not learned yet.
        self.waiting: tuple[Any, Any] | None = None
        self.memory = SampleMemory.empty(0)
        self._start_stage()
        if self._checkpoint.exists():
            self._load()

    @property
    def _checkpoint(self) -> Path:
        return self.folder / "checkpoint.safetensors"

    def _first_positions(self, stage: TrainingStage) -> Rows:
        opening = parse_start(stage.opening)
        return mixed_starts(stage.starts, self.recipe.seed, stage.families, opening)

    def _start_stage(self) -> None:
        stage = self.recipe.stages[self.stage]
        # Numbers of this stage's games, disjoint from the numbers of other stages.
        self.numbers = np.arange(stage.games, dtype=np.uint64) + np.uint64(self.stage << 40)
        self.starts = self._first_positions(stage)
        self.states = first_states(self.starts, self.recipe.seed, self.numbers)
        self.turns = np.zeros(stage.games, np.uint64)
        size = stage.memory or stage.round
        # With only a few samples a network would memorize them and forget the rest.
        same_target = self.stage > 0 and self.recipe.stages[self.stage - 1].target == stage.target
        if not same_target or len(self.memory.samples) != size:
            try:
                self.memory = SampleMemory.empty(size)
            except MemoryError:
                raise SettingError(f"memory {size}: this machine has no room for that many samples") from None
        self._start_learner(stage)

    def _start_learner(self, stage: TrainingStage) -> None:
        self.learner.start(stage.optimizer, stage.average)
        self.learner.encoding = self.threads if stage.target == MADE else 1  # else the threads play

    def _renew_units(self) -> None:
        """Restart the units that have died in the stages so far."""
        learner = self.learner
        positions = self._judged_positions()
        dead = activity(network_of(tensors(learner.network)), positions) == 0
        fresh = fresh_network(self.recipe, self.stage).to(learner.device)
        for network in (learner.network, learner.mean):
            renew(network, fresh, dead)

    def _judged_positions(self) -> npt.NDArray[np.int8]:
        """Return positions int8 [N, 26] such as the network judges: of its games, or from samples."""
        if self.recipe.learns == WIDTH:
            assert self.lesson is not None, "widths are learned from samples"
            return self.lesson.draw(np.random.default_rng(self.recipe.seed), _DRAWN)[0]
        return played_positions(self.evaluator(), self.recipe.seed)

    def _load(self) -> None:
        arrays, facts = load_checkpoint(self._checkpoint)
        try:
            self._restore(dict(arrays), facts)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            reason = str(error).splitlines()[0][:100]
            raise ModelError(
                f"{str(self._checkpoint)!r}: not what `gammon train` writes for this recipe ({reason})"
            ) from None

    def _restore(self, arrays: dict[str, npt.NDArray[Any]], facts: dict[str, Any]) -> None:
        """Resume from a checkpoint of this recipe.

        Raises:
            KeyError, TypeError, ValueError, RuntimeError: it is no such checkpoint.
        """
        for name in self._COUNTS:
            setattr(self, name, checked_count(facts[name]))
        self.seconds = float(facts["seconds"])
        last = len(self.recipe.stages) - 1
        # A finished run still has its last stage's optimizers, games and samples.
        stage = self.recipe.stages[min(self.stage, last)]
        if self.stage > last + 1 or self.round >= stage.rounds:
            raise ValueError(f"stage {self.stage + 1}, round {self.round}")

        self.starts = self._first_positions(stage)
        self.states = take_array(arrays, "states", np.int8, (stage.games, SIZE))
        if count_possible(self.states, False) < len(self.states):
            raise ValueError("a game in an impossible position")
        self.numbers = take_array(arrays, "numbers", np.uint64, (stage.games,))
        self.turns = take_array(arrays, "turns", np.uint64, (stage.games,))
        samples, targets = take_samples(arrays, "memory")
        if len(samples) != (stage.memory or stage.round):
            raise ValueError(f"memory of {len(samples)}")
        self.memory = SampleMemory(samples, targets, checked_count(facts["added"]))
        waits = self.round > 0 and stage.target != MADE
        self.waiting = take_samples(arrays, "waiting") if waits else None
        self._start_learner(stage)
        self.learner.load(arrays)

    _COUNTS = ("stage", "round", "positions", "finished_games")

    def save(self) -> None:
        """Write the checkpoint as a whole file.

        Raises:
            GammonError: the checkpoint cannot be written.
        """
        arrays: dict[str, npt.NDArray[Any]] = {
            "states": self.states,
            "numbers": self.numbers,
            "turns": self.turns,
            "memory.samples": self.memory.samples,
            "memory.targets": self.memory.targets,
            **self.learner.state(),
        }
        if self.waiting is not None:
            arrays["waiting.samples"], arrays["waiting.targets"] = self.waiting
        facts = {name: getattr(self, name) for name in self._COUNTS}
        facts |= {"added": self.memory.added, "seconds": self.seconds}
        save_checkpoint(self._checkpoint, arrays, facts)

    def export(self) -> Path:
        """Write the network so far as a model file with its card, and return the path."""
        path = self.folder / "model.safetensors"
        card = {
            "origin": self._origin(),
            "gammon": version_with_commit(),
            "torch": torch.__version__,
            "made": time.strftime("%Y-%m-%d", time.gmtime()),
            "licence": "MIT",
            "limits": "models/README.md, Limits",
            "recipe": self.recipe.model_dump(),
            "positions": self.positions,
            "games": self.finished_games,
            "minutes": round(self.seconds / 60, 1),
            "threads": self.threads,
            "machine": _machine(self.learner),
            **self._figures(),
        }
        save_model(path, sorted_by_activity(self.weights(), self._judged_positions()), card)
        return path

    def _figures(self) -> dict[str, Any]:
        """Return the entries of the card about how good the network is."""
        if self.recipe.learns == WIDTH:
            assert self.lesson is not None, "widths are learned from samples"
            lines = measures(self.recipe, self.lesson.folder, self.weights())
            figures = dict(line.split(": ", 1) for line in lines)
            return {"purpose": "widths (gammon/eval/width.py), not chances", "held_out": figures}
        strength = compare(self.evaluator(), BASELINE, 5 * _STRENGTH_GAMES, seed=1)
        return {
            "purpose": "chances of the six results of backgammon positions (gammon/eval/network.py)",
            "against_baseline": f"{strength}, depth 1, against gammon/eval/baseline.py",
        }

    def _origin(self) -> str:
        """Describe what the network learned from."""
        sources = []
        if teachers := dict.fromkeys(samples.model for samples in self.recipe.samples):
            kind = "revisions of {}" if self.recipe.learns == WIDTH else "targets of {} (distillation)"
            sources.append("positions and " + kind.format(", ".join(teachers)))
        if any(stage.target != MADE for stage in self.recipe.stages):
            sources.append("self-play")
        start = self.recipe.start or "random weights"
        return f"`gammon train` from {start}, by {', then '.join(sources)}"

    def weights(self) -> Weights:
        """Return the weights of the network that plays now."""
        return tensors(self.learner.mean)

    def evaluator(self) -> Evaluator:
        """Return the network that plays now, compiled."""
        return evaluator_of(self.weights())

    def _learn_round(self) -> float:
        """Add the waiting round's samples to the memory, learn, and return the mean loss."""
        assert self.waiting is not None
        self.memory.add(*self.waiting)
        # The waiting samples belong to the round before the one in play.
        return self._learn(self.memory, self.round - 1)

    def _learn(self, source: SampleMemory | Lesson, number: int) -> float:
        """Learn from as many samples as a round has, and return the mean loss.

        Args:
            source: the source of the samples.
            number: number of the round whose updates are made.
        """
        stage = self.recipe.stages[self.stage]
        random = np.random.default_rng([self.recipe.seed, self.stage, self.round])
        losses = []
        for update in range(number * stage.updates, (number + 1) * stage.updates):
            samples, targets = source.draw(random, stage.batch)
            losses.append(self.learner.learn(samples, targets, stage.rate_at(update)))
        return float(torch.stack(losses).mean())

    def _play_round(self, pool: ThreadPoolExecutor) -> Callable[[], tuple[Any, Any]]:
        """Start a round of all games; return a function that waits for its samples and targets."""
        stage = self.recipe.stages[self.stage]
        # Sampled targets are so fast that copying the bearoff tables for each round would dominate.
        exact = stage.target == "exact"
        player = evaluator_of(tensors(self.learner.mean), bearoff=exact)
        first_numbers = self.numbers.copy()
        # More pieces than threads: a thread that finishes early takes another piece, and an
        # interrupt waits only for pieces that have begun.
        played = start_turns(
            pool, 16 * self.threads, problem_of(BACKGAMMON, player), self.states, self.numbers,
            self.turns, stage.turns, self.recipe.seed, self.starts,
            Aim(TARGETS.index(stage.target), stage.trace),
        )  # fmt: skip

        def wait() -> tuple[Any, Any]:
            turns = played()
            self.finished_games += int((self.numbers - first_numbers).sum()) // stage.games
            return turns.samples.reshape(-1, SIZE), turns.targets.reshape(-1, N_RESULTS)

        return wait

    def steps(self, seconds: float, report_every: float = 10.0) -> Iterator[TrainingProgress]:
        """Train for a number of seconds, or to the end of the recipe, and yield reports.

        After an error or an interrupt, a new Training resumes from the last checkpoint, which
        is at most a minute old, or a round if that takes longer. This object is then in the
        middle of a round, and must not be used again.
        """
        begun = last = reported = saved = strength_at = time.monotonic()
        earlier = self.seconds
        losses: list[float] = []
        with playing_threads(self.threads) as pool, _one_thread():
            while self.stage < len(self.recipe.stages) and last - begun < seconds:
                stage = self.recipe.stages[self.stage]
                rate = stage.rate_at(self.round * stage.updates)
                if stage.target == MADE:
                    assert self.lesson is not None, "such a stage has samples"
                    losses.append(self._learn(self.lesson, self.round))
                else:
                    wait = self._play_round(pool)
                    if self.waiting:
                        losses.append(self._learn_round())
                    self.waiting = wait()
                self.positions += stage.round
                self.round += 1
                last = time.monotonic()
                self.seconds = earlier + last - begun
                done = self.round >= stage.rounds
                if done:
                    if self.waiting:
                        losses.append(self._learn_round())
                        self.waiting = None
                    self.stage, self.round = self.stage + 1, 0
                    if self.stage < len(self.recipe.stages):
                        self._renew_units()
                        self._start_stage()
                if done or last - saved > _SAVE_SECONDS:
                    self.save()
                    saved = last
                if done or last - reported > report_every:
                    strength = None
                    plays = self.recipe.learns != WIDTH
                    if plays and (done or last - strength_at > 12 * report_every):
                        strength = compare(self.evaluator(), BASELINE, _STRENGTH_GAMES)
                        strength_at = last
                    yield TrainingProgress(
                        self.stage - done,
                        self.positions,
                        self.finished_games,
                        self.seconds,
                        float(np.mean(losses or np.nan)),
                        rate,
                        strength,
                    )
                    losses.clear()
                    reported = last
        self.save()
