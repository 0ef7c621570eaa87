"""What tests of the adapters for torch share; only `make test-full` installs torch."""

import pytest


@pytest.fixture(scope="module")
def torch():
    import torch

    torch.set_num_threads(1)
    return torch


@pytest.fixture(scope="module")
def adapter(torch):
    from ordeval.adapters import torchmetrics

    return torchmetrics


@pytest.fixture
def batch(torch):
    """Answers and gold of 200 items and 5 classes, with every class in gold."""
    generator = torch.Generator().manual_seed(0)
    target = torch.arange(200) % 5
    preds = (target + torch.randint(-1, 3, (200,), generator=generator)).clamp(0, 4)
    return preds, target
