"""Updates of networks this small take longer where threads share them."""

from tests.train.conftest import _one_thread

__all__ = ["_one_thread"]
