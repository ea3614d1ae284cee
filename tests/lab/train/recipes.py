"""Changes of recipes and of their parts."""

from typing import TypeVar

from gammon_lab.train.recipe import Recipe, Samples, TrainingStage

Record = TypeVar("Record", Recipe, Samples, TrainingStage)


def changed(record: Record, **entries: object) -> Record:
    """Return the same with other entries, checked again."""
    return type(record)(**{**dict(record), **entries})
