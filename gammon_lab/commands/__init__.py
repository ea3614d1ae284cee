"""The commands of the laboratory. Each is imported when it is used."""

import click

from gammon.commands.group import CommandSet


def _load(name: str) -> click.Command:
    match name:
        case "bench":
            from gammon_lab.commands.bench import bench

            return bench
        case "grade":
            from gammon_lab.commands.bench import grade

            return grade
        case "hypergammon":
            from gammon_lab.commands.hypergammon import hypergammon

            return hypergammon
        case "noise":
            from gammon_lab.commands.reproduce import noise

            return noise
        case "reproduce":
            from gammon_lab.commands.reproduce import reproduce

            return reproduce
        case "train":
            from gammon_lab.commands.train import train

            return train
    raise KeyError(name)


#: The commands, each with the first sentence of its help. A test compares them.
COMMANDS = CommandSet(
    {
        "bench": "Measure the speed of this machine.",
        "grade": "Measure how much the plays of PLAYERS give away.",
        "hypergammon": "Show exact values of hypergammon, or play it.",
        "noise": "Study how much depth matters when the network errs.",
        "reproduce": "Repeat an experiment of the papers and compare the figures.",
        "train": "Train a network on games against itself.",
    },
    _load,
)
