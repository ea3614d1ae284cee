"""Updates of networks this small take longer where threads share them."""

from tests.engine.train.conftest import _one_thread

__all__ = ["_one_thread"]
