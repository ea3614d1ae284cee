"""Muon in full precision takes the steps of the one that computes in bfloat16."""

import torch

from gammon.train.muon import Muon


def test_steps_are_those_of_torch_but_for_its_precision() -> None:
    torch.manual_seed(1)
    first = [torch.randn(24, 10), torch.randn(6, 30)]
    own, their = ([each.clone().requires_grad_() for each in first] for _ in range(2))
    muon = Muon(list(own))
    known = torch.optim.Muon(their, weight_decay=0.0, adjust_lr_fn="match_rms_adamw")
    for _ in range(4):
        for optimizer, weights in ((muon, own), (known, their)):
            optimizer.zero_grad()
            for group in optimizer.param_groups:
                group["lr"] = 0.01
            sum((each**3).sum() for each in weights).backward()
            optimizer.step()
    for begun, one, other in zip(first, own, their, strict=True):
        moved = (other - begun).norm()
        assert moved > 0.1
        assert (one - other).norm() < 0.02 * moved
