"""Little work: networks this small learn in one thread, from few starts, and play few games."""

from collections.abc import Iterator

import pytest
import torch

from gammon_lab.train import selfplay, starts, training


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Let PyTorch have one thread, and put back what it had."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def little_work() -> Iterator[None]:
    """Draw few starts, look for dead units in few games, and measure a network by few games.

    All of them take seconds each time.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(starts, "_ROWS", 64)
        patch.setattr(selfplay, "_GAMES", 64)
        patch.setattr(training, "_STRENGTH_GAMES", 20)
        yield
