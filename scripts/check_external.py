"""Play matches with GNU Backgammon over a socket, in both directions, and check every board.

    python scripts/check_external.py --length 25 --plays 5000 --seed 1

1. GNU Backgammon asks us (`gammon external`): one match of us against it, then matches in which
   we play both sides, until there are enough plays. GNU Backgammon does not check a play, so
   this script checks its export of each match against the rules, and compares it with the requests
   and our replies: each position, its stakes and roll, the play, each double and answer.
2. We ask GNU Backgammon (`external=ADDRESS` in `gammon match`): two matches of us against its
   command `external`, with the same dice. All its decisions are compared with the decisions of the
   program in the usual mode, with the same settings.

The script prints how many decisions were compared, and each mismatch. GNU Backgammon plays at 0-ply.
"""

import os
import re
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click
import numpy as np

from gammon.base.errors import GammonError
from gammon.commands.group import OneLine
from gammon.commands.options import SEED
from gammon.engine.bot import Bot
from gammon.engine.engine import Engine
from gammon.formats.play import find_play
from gammon.match.game import play_matches
from gammon.match.player import AllTerms, Answers, Boards, Ints, MatchPlayer, Player, match_player_of
from gammon.rules.board import flipped, is_over
from gammon.rules.dice import ROLLS
from gammon.rules.sequences import plays_of
from gammon.rules.terms import Score, Terms
from gammon.search import Cubes
from gammon_adapters.address import listening
from gammon_adapters.external import ExternalPlayer, answer_requests, parse_board
from gammon_lab.programs.gnubg import GnuBackgammon, installed_program
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.transcript import ActionKind

#: Settings for 0-ply with the cube, for the program's two kinds of decisions.
SETTINGS = [
    f"set {what} {kind} eval {rest}"
    for what in ("evaluation", "player 0", "player 1")
    for kind in ("chequerplay", "cubedecision")
    for rest in ("plies 0", "cubeful on", "prune on", "noise 0", "deterministic on")
]
#: A decision in a form that can be compared: its kind, points, terms, roll and choice.
Decision = tuple[object, ...]


def started(folder: Path, commands: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start GNU Backgammon with these commands and its files in a folder."""
    program = installed_program()
    with (folder / "gnubg.log").open("wb") as log:
        process = subprocess.Popen(
            [program, "-t", "-q", "-r"],
            cwd=folder,
            env=os.environ | {"HOME": str(folder)},
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in commands).encode())
    process.stdin.flush()
    return process


# GNU Backgammon asks us.


@dataclass
class Responder:
    """Our players, who reply to GNU Backgammon, with a record of their decisions."""

    bot: Bot
    decisions: list[Decision] = field(default_factory=list)
    requests: int = 0
    errors: list[str] = field(default_factory=list)

    def serve(self, listener: socket.socket) -> None:
        """Answer all connections."""
        while True:
            connection = listener.accept()[0]
            threading.Thread(target=self._answer, args=[connection], daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        player = ExternalPlayer(self.bot)

        def reply(request: str) -> str:
            answer = player.reply(request)
            self.requests += 1
            if answer.startswith("Error"):
                self.errors.append(f"{request} -> {answer}")
            else:
                self._note(request, answer)
            return answer

        with connection:
            answer_requests(connection, reply)

    def _note(self, request: str, answer: str) -> None:
        position, _ = parse_board(request)
        situation = position.points, position.context.terms()
        if position.context.offer:
            self.decisions.append(("answer", *situation, answer == "take"))
        elif position.dice is None:
            if answer == "double":
                self.decisions.append(("double", *situation))
        else:
            after = find_play(position, position.dice, answer).points if answer else situation[0]
            self.decisions.append(("play", *situation, tuple(sorted(position.dice)), after))


def exported(path: Path, sides: Sequence[int]) -> Iterator[Decision]:
    """Yield the decisions of some sides in a match file; moves against the rules raise errors."""
    for game in read_transcript(path).games:
        for moment in game.moments():
            action, position = moment.action, moment.position
            if action.side not in sides:
                continue
            situation = position.points, position.context.terms()
            if action.kind is ActionKind.DOUBLE:
                yield "double", *situation
            elif action.kind in (ActionKind.TAKE, ActionKind.PASS):
                yield "answer", *situation, action.kind is ActionKind.TAKE
            elif action.dice is not None:
                plays = plays_of(position.points, action.dice).items()
                after = next(points for points, moves in plays if moves == action.moves)
                yield "play", *situation, tuple(sorted(action.dice)), after


def play_asked(responder: Responder, place: str, length: int, both: bool, seed: int) -> tuple[int, int]:
    """Let GNU Backgammon play a match in which it asks us, and compare our replies with its export.

    Returns:
        The plays that were compared, and the mismatches.
    """
    before, errors = len(responder.decisions), len(responder.errors)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process = started(
            folder,
            [
                *SETTINGS,
                "set display off",
                "set automatic game on",
                "set rng mersenne",
                f"set seed {seed}",
                f"set player 0 external {place}",
                f"set player 1 {f'external {place}' if both else 'gnubg'}",
                f"new match {length}",
                f"export match mat {folder}/match.mat",
                "quit",
                "y",
            ],
        )
        process.communicate(timeout=1200)
        expected = list(exported(folder / "match.mat", (0, 1) if both else (0,)))
    replied = responder.decisions[before:]
    mismatches = sum(a != b for a, b in zip(replied, expected, strict=False))
    mismatches += abs(len(replied) - len(expected))
    plays = sum(decision[0] == "play" for decision in expected)
    players = "us against us" if both else "us against GNU Backgammon"
    click.echo(
        f"asked, {length} points, {players}: {len(expected)} decisions in its export, {plays} of "
        f"them plays; {mismatches} mismatches, {len(responder.errors) - errors} refusals"
    )
    for ours, theirs in zip(replied, expected, strict=False):
        if ours != theirs:
            click.echo(f"  asked {ours}\n  export {theirs}")
            break
    for line in responder.errors[errors : errors + 3]:
        click.echo(f"  {line}")
    return plays, mismatches + len(responder.errors) - errors


# We ask GNU Backgammon.


class Compared:
    """A player whose decisions are compared with GNU Backgammon's own at 0-ply."""

    def __init__(self, player: MatchPlayer, program: GnuBackgammon) -> None:
        self.player, self.program = player, program
        self.plays_seen = self.cubes_seen = self.equal = 0
        self.different: list[str] = []

    def plays(self, states: Boards, outcomes: Ints, terms: AllTerms, seeds: Ints) -> Boards:
        """Return the positions after the plays."""
        after = self.player.plays(states, outcomes, terms, seeds)
        dice = [ROLLS[outcome] for outcome in outcomes]
        own = self.program.best_plays_at(states.tolist(), dice, 0, terms)
        self.plays_seen += len(after)
        for n, (ours, theirs) in enumerate(zip(after.tolist(), own, strict=True)):
            if tuple(ours) == theirs:
                continue
            if self._values(ours, terms[n]) == self._values(theirs, terms[n]):
                self.equal += 1
            else:
                where = f"{dice[n]} at {terms[n]} from {states[n].tolist()}"
                self.different.append(f"play of {where}: {ours}, own {list(theirs)}")
        return after

    def _values(self, after: Sequence[int], terms: Terms) -> object:
        """Return the program's values of a position after a play; None if the game is over."""
        if is_over(after):
            return None
        return self.program.cube_values([flipped(after)], 0, [terms.for_opponent()])

    def cubes(self, states: Boards, terms: AllTerms, seeds: Ints) -> Answers:
        """Return the answers about doubles."""
        answers = self.player.cubes(states, terms, seeds)
        values = np.array(self.program.cube_values(states.tolist(), 0, terms))
        own = Cubes(values[:, 0], values[:, 1], 1.0)
        self.cubes_seen += len(terms)
        for n, at in enumerate(terms):
            ours = bool(answers.doubles[n]), bool(answers.takes[n])
            theirs = bool(own.doubles[n]), bool(own.takes[n])
            if ours != theirs:
                where = f"{at} from {states[n].tolist()}, whose values are {values[n]}"
                self.different.append(f"cube at {where}: {ours}, own {theirs}")
        return answers

    def cpu_seconds(self) -> float | None:
        """Return the processor time of the player."""
        return self.player.cpu_seconds()


@contextmanager
def gnubg_listening() -> Iterator[str]:
    """Start GNU Backgammon's command `external` at a free port, and yield the address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        place = f"127.0.0.1:{free.getsockname()[1]}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process = started(folder, [*SETTINGS, f"external {place}"])
        try:
            for _ in range(200):
                if re.search(rb"Waiting for a connection", (folder / "gnubg.log").read_bytes()):
                    break
                time.sleep(0.1)
            yield place
        finally:
            process.kill()
            process.wait()


def ask(length: int, depth: int, seed: int) -> int:
    """Play two matches with the same dice against GNU Backgammon, and return the mismatches."""
    with gnubg_listening() as place, GnuBackgammon() as program:
        theirs = Compared(match_player_of(Player(program=("external", place)), Terms()), program)
        us = match_player_of(Player(depth), Terms())
        batch = play_matches((us, theirs), [0], seed, None, Score(length))
    won = sum(1 for game in batch.games if game["score"][0] + max(game["points"], 0) >= length)
    click.echo(
        f"asking, 2 matches of {length} points, of which we won {won}: {len(batch.games)} "
        f"games, {theirs.plays_seen} plays, {theirs.cubes_seen} cube decisions; "
        f"{len(theirs.different)} differ from the program's own, {theirs.equal} plays are "
        "equal to it in its own view"
    )
    for line in theirs.different[:10]:
        click.echo(f"  {line}")
    return len(theirs.different)


@click.command(cls=OneLine)
@click.option("--length", default=25, show_default=True, help="Points of the matches.")
@click.option("--plays", default=5000, show_default=True, help="Plays of ours to compare, in part 1.")
@click.option("--depth", default=1, show_default=True, help="Depth of our search.")
@click.option("--seed", default=1, show_default=True, type=SEED, help="Seed of all dice.")
def main(length: int, plays: int, depth: int, seed: int) -> None:
    """Play with GNU Backgammon over a socket, in both directions, and check every board."""
    responder = Responder(Bot(Engine(depth)))
    with listening("127.0.0.1:0") as listener:
        threading.Thread(target=responder.serve, args=[listener], daemon=True).start()
        place = "{}:{}".format(*listener.getsockname())
        seen, wrong = play_asked(responder, place, length, False, seed)
        while seen < plays:
            seed += 1
            more, mismatches = play_asked(responder, place, length, True, seed)
            if not more:
                raise GammonError("GNU Backgammon ended without a play")
            seen, wrong = seen + more, wrong + mismatches
        click.echo(f"asked in all: {responder.requests} requests, {seen} plays, {wrong} mismatches")
    wrong += ask(length, depth, seed)
    if wrong:
        raise GammonError(f"{wrong} mismatches")


if __name__ == "__main__":
    main()
