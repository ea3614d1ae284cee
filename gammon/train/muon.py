"""Muon in full precision, for processors that have no instructions for products of bfloat16.

`torch.optim.Muon` computes its directions in bfloat16. A processor that has to emulate it takes
ten times as long for an update.
"""

from collections.abc import Sequence
from typing import cast

import torch

#: Those of `torch.optim.Muon`: of the polynomial, and of the momentum.
_A, _B, _C = 3.4445, -4.7750, 2.0315
_STEPS, _MOMENTUM, _EPS = 5, 0.95, 1e-7


def _direction(gradient: torch.Tensor) -> torch.Tensor:
    """Return a matrix of the same rows and columns whose singular values are all near 1."""
    wide = gradient.size(0) <= gradient.size(1)
    found = gradient if wide else gradient.T
    found = found / found.norm().clamp(min=_EPS)
    for _ in range(_STEPS):
        gram = found @ found.T
        found = torch.addmm(
            found, torch.addmm(gram, gram, gram, beta=_B, alpha=_C), found, beta=_A
        )
    return found if wide else found.T


class Muon(torch.optim.Optimizer):
    """`torch.optim.Muon` with Nesterov's momentum, no decay, and steps as large as Adam's.

    Args:
        matrices: the weights, of two dimensions each.
    """

    def __init__(self, matrices: Sequence[torch.Tensor]) -> None:
        super().__init__(matrices, {"lr": 1e-3})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Change the weights by their gradients."""
        for group in self.param_groups:
            for weight in group["params"]:
                gradient = cast(torch.Tensor, weight.grad)
                kept = self.state[weight]
                if not kept:
                    kept["momentum_buffer"] = torch.zeros_like(gradient)
                momentum = kept["momentum_buffer"].lerp_(gradient, 1 - _MOMENTUM)
                pace = 0.2 * max(weight.shape) ** 0.5
                change = _direction(gradient.lerp(momentum, _MOMENTUM))
                weight.add_(change, alpha=-pace * group["lr"])
