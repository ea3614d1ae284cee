"""Changes of recipes, and a recipe of a training that takes seconds."""

from typing import TypeVar

from gammon.train.recipe import Recipe, Samples, TrainingStage

# Changes of recipes and of their parts.

Record = TypeVar("Record", Recipe, Samples, TrainingStage)


def changed(record: Record, **entries: object) -> Record:
    """Return the same with other entries, checked again."""
    return type(record)(**{**dict(record), **entries})


# A recipe of a training that takes seconds.

SMALL = """seed = 1
[network]
hidden1 = 16
hidden2 = 4
[[stage]]
target = "sampled"
positions = 960
games = 16
turns = 2
batch = 16
rate = [1e-2, 1e-3]
average = 10
"""
