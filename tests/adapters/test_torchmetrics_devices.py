"""Metrics of torchmetrics where models train: on a GPU, compiled, in Lightning, and in several processes."""

import inspect
import itertools
import re
import subprocess
import sys
import warnings

import pytest

import ordeval as oe

pytestmark = pytest.mark.full

WHOLE = ["int64", "int32", "int16", "int8", "uint8", "bool"]
# What makes the host wait for a GPU, or gives a result whose shape only the GPU knows.
WAITS = {
    "_local_scalar_dense",
    "bincount",
    "equal",
    "index",
    "is_nonzero",
    "item",
    "masked_select",
    "nonzero",
    "repeat_interleave",
    "_to_copy",  # to the host, or from it; another type is a copy, too, and is told apart below
    "_unique2",
    "unique_dim",
    "histogram",
}


@pytest.fixture(scope="module")
def counting(torch):
    from ordeval.adapters import torch_counts

    return torch_counts


@pytest.fixture
def watched(torch):
    """A mode that keeps the names of the steps of torch, and refuses those for which a host would wait."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Watched(TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.steps = []

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            name = func.overloadpacket.__name__
            kwargs = kwargs or {}
            self.steps.append(name)
            moves = name == "_to_copy" and "device" not in kwargs
            if name in WAITS and not moves:
                raise AssertionError(f"{name} makes the host wait")
            if name == "histc":
                low, high = args[2:4] if len(args) > 2 else (0, 0)
                assert low < high, "histc would look for both ends"
            return func(*args, **kwargs)

    return Watched()


@pytest.fixture
def as_gpu(adapter, counting, monkeypatch):
    """The metrics, counting as they do on a GPU."""
    monkeypatch.setattr(adapter, "count_pairs", counting.count_on_gpu)
    return adapter


# --- the way of a GPU, taken on the CPU ---


@pytest.mark.parametrize("types", list(itertools.product(WHOLE, WHOLE)), ids="-".join)
@pytest.mark.parametrize("k", [2, 3, 6, 40])
@pytest.mark.parametrize("ignore_index", [None, -100, 0, 1])
def test_both_ways_count_the_same(types, k, ignore_index, torch, counting):
    generator = torch.Generator().manual_seed(0)
    preds, target = torch.randint(-2, k + 2, (2, 500), generator=generator)
    preds, target = preds.to(getattr(torch, types[0])), target.to(getattr(torch, types[1]))
    host = counting.count_on_host(preds, target, k, ignore_index)
    gpu = counting.count_on_gpu(preds, target, k, ignore_index)
    assert torch.equal(host, gpu)
    assert host.shape == (k * k + 1,)
    left_out = 0 if ignore_index is None else int((target.long() == ignore_index).sum())
    assert host.sum() == 500 - left_out


def test_a_program_that_must_be_deterministic_counts_the_same_without_waiting(
    torch, counting, watched
):
    """`Trainer(deterministic=True)` makes torch refuse `histc` on a GPU."""
    preds, target = torch.randint(-2, 7, (2, 500), generator=torch.Generator().manual_seed(0))
    host = counting.count_on_host(preds, target, 5, None)
    torch.use_deterministic_algorithms(True)
    try:
        with watched:
            gpu = counting.count_on_gpu(preds, target, 5, None)
    finally:
        torch.use_deterministic_algorithms(False)
    assert "histc" not in watched.steps
    assert torch.equal(host, gpu)


# times the side of the table, the last three are near 0 again, modulo 2**64
@pytest.mark.parametrize(
    "label",
    [
        -(2**63),
        2**63 - 1,
        2**62,
        2**40,
        -100,
        -1,
        5,
        7,
        35,
        -7,
        2**64 // 6 + 1,
        2**64 // 7 + 1,
        2**61,
    ],
)
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("k", [4, 5, 6])
def test_on_a_gpu_a_label_that_is_not_a_class_is_counted_apart(label, side, k, torch, counting):
    sides = [torch.zeros(10, dtype=torch.int64) for _ in range(2)]
    label += k - 5 if label in {5, 7} else 0
    sides[side][4] = label
    counts = counting.count_on_gpu(*sides, k, None)
    assert counts[0] == 9
    assert counts[-1] == 1
    assert counts.sum() == 10


@pytest.mark.parametrize("number", ["bfloat16", "float16", "float32", "float64"])
def test_both_ways_count_floats_the_same(number, torch, counting):
    labels = [0.0, 1.0, 2.0, 1.5, -1.0, 3.0, float("nan"), float("inf"), -0.5, 2.5]
    preds = torch.tensor(labels).to(getattr(torch, number))
    target = preds.roll(1)
    host = counting.count_on_host(preds, target, 3, 2)
    assert torch.equal(host, counting.count_on_gpu(preds, target, 3, 2))
    # the target follows the answer: (1, 0) and (2, 1) are classes, and with the target 2 an item is left out
    assert (host[1], host[5], host[-1], host.sum()) == (1, 1, 7, 9)


@pytest.mark.parametrize("kind", ["int64", "uint8", "bfloat16", "logits"])
@pytest.mark.parametrize("options", [{}, {"ignore_index": -100}, {"ignore_index": 1}])
def test_an_update_on_a_gpu_does_nothing_that_the_host_would_wait_for(
    kind, options, torch, as_gpu, watched
):
    target = torch.arange(100) % 5
    preds = torch.randn(100, 5) if kind == "logits" else target.to(getattr(torch, kind))
    metrics = as_gpu.collection(["cem_ord", "qwk"], num_classes=5, **options)
    with watched:
        for _ in range(2):
            metrics.update(preds, target)
    assert "histc" in watched.steps
    wanted = 160 if options.get("ignore_index") == 1 else 200
    assert metrics["cem_ord"].table().n == wanted


@pytest.mark.parametrize("options", [{}, {"ignore_index": -100}])
def test_a_weighted_update_does_nothing_that_the_host_would_wait_for(
    options, torch, adapter, watched
):
    metric = adapter.CemOrd(5, weighted=True, **options)
    target = torch.arange(100) % 5
    with watched:
        metric.update(target, target, torch.ones(100, dtype=torch.float64))
    assert "index_add_" in watched.steps


def test_what_is_watched_for_is_found(torch, watched):
    mask = torch.tensor([True, False])
    waiting = [
        lambda: torch.bincount(mask.long()),
        lambda: torch.tensor([1, 2])[mask],
        lambda: mask.sum().item(),
        lambda: torch.unique(mask.long()),
        mask.nonzero,
        lambda: torch.histc(torch.ones(3)),
    ]
    for call in waiting:
        with watched, pytest.raises(AssertionError, match=r"wait|look for"):
            call()


# --- compiled ---


@pytest.mark.parametrize("kind", ["indices", "logits", "weights", "gpu", "collection"])
def test_an_update_is_compiled_as_one_graph_and_once(kind, torch, adapter, counting, monkeypatch):
    from torch._dynamo.testing import CompileCounterWithBackend

    torch._dynamo.reset()
    if kind == "gpu":
        monkeypatch.setattr(adapter, "count_pairs", counting.count_on_gpu)
    plain = adapter.CemOrd(5, weighted=kind == "weights", ignore_index=-100)
    metric = plain.clone()
    if kind == "collection":
        metric = adapter.collection(["cem_ord", "mae"], num_classes=5, ignore_index=-100)
    counter = CompileCounterWithBackend("aot_eager")
    update = torch.compile(metric.update, fullgraph=True, backend=counter)
    generator = torch.Generator().manual_seed(0)
    for n in range(50, 65):
        target = torch.randint(5, (n,), generator=generator)
        target[::9] = -100
        preds = torch.randn(n, 5, generator=generator)
        preds = preds if kind == "logits" else preds.argmax(dim=1)
        given = (preds, target, torch.rand(n)) if kind == "weights" else (preds, target)
        update(*given)
        plain.update(*given)
    assert counter.frame_count <= 3  # for a size, for any size, and after the first update
    found = metric["cem_ord"] if kind == "collection" else metric
    assert torch.allclose(found.counts, plain.counts)
    assert found.update_called
    assert found.compute().item() == pytest.approx(plain.compute().item())


def test_a_compiled_update_forgets_what_was_computed_before(torch, adapter):
    torch._dynamo.reset()
    metric = adapter.Accuracy(2)
    update = torch.compile(metric.update, fullgraph=True, backend="aot_eager")
    zeros, ones = torch.zeros(4, dtype=torch.int64), torch.ones(4, dtype=torch.int64)
    update(zeros, zeros)
    assert metric.compute() == 1
    update(ones, zeros)
    assert metric.compute() == 0.5


# --- Lightning ---


def test_lightning_logs_metrics_and_keeps_the_best_epoch(torch, adapter, tmp_path):
    import lightning as pl

    class Model(pl.LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(4, 5)
            # It starts by giving every item one class, so every run learns the same, in small steps.
            torch.nn.init.zeros_(self.layer.weight)
            torch.nn.init.zeros_(self.layer.bias)
            self.val_cem = adapter.CemOrd(num_classes=5)
            self.many = adapter.collection(["mae", "qwk"], num_classes=5, prefix="val_")
            self.expected = []
            self.seen = []

        def training_step(self, batch, _):
            return torch.nn.functional.cross_entropy(self.layer(batch[0]), batch[1])

        def validation_step(self, batch, _):
            logits = self.layer(batch[0])
            self.val_cem.update(logits, batch[1])
            self.many.update(logits, batch[1])
            self.log("val_cem", self.val_cem, on_step=False, on_epoch=True)
            self.log_dict(self.many, on_step=False, on_epoch=True)
            self.seen.append((batch[1], logits.argmax(dim=1)))

        def on_validation_epoch_end(self):
            gold, answers = (torch.cat(side) for side in zip(*self.seen, strict=True))
            self.seen.clear()
            pair = gold.tolist(), answers.tolist()
            scores = oe.cem_ord, oe.mae, oe.registry["qwk"]
            self.expected.append([score(*pair, labels=range(5)) for score in scores])

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters(), lr=0.02)

    generator = torch.Generator().manual_seed(0)
    features = torch.randn(120, 4, generator=generator)
    data = torch.utils.data.TensorDataset(
        features, torch.bucketize(features[:, 0].clone(), torch.tensor([-1.0, 0, 1, 2]))
    )
    loader = torch.utils.data.DataLoader(data, batch_size=32)
    keep = pl.pytorch.callbacks.ModelCheckpoint(tmp_path, monitor="val_cem", mode="max")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Lightning, about workers and its own dependencies
        trainer = pl.Trainer(
            max_epochs=3, accelerator="cpu", logger=False, callbacks=[keep],
            enable_progress_bar=False, enable_model_summary=False, default_root_dir=tmp_path,
            num_sanity_val_steps=0,
        )  # fmt: skip
        model = Model()
        trainer.fit(model, loader, loader)
    logged = [trainer.callback_metrics[name].item() for name in ("val_cem", "val_mae", "val_qwk")]
    assert logged == pytest.approx(model.expected[-1], abs=1e-6)
    best = max(epoch[0] for epoch in model.expected)
    assert keep.best_model_score.item() == pytest.approx(best, abs=1e-6)
    assert len(model.expected) == 3
    assert best > model.expected[0][0]


# --- several processes ---


def score_in_process(rank, folder):
    """Score one half of the items in one of two processes, and write what both together score."""
    import torch
    import torch.distributed as dist

    from ordeval.adapters import torchmetrics

    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    generator = torch.Generator().manual_seed(0)
    target, preds = torch.randint(5, (2, 300), generator=generator)
    mine = slice(None, 100) if rank == 0 else slice(100, None)
    weight = torch.arange(300.0)[mine]
    metrics = torchmetrics.collection(["cem_ord", "qwk", "kendall_tau_b"], num_classes=5)
    weighted = torchmetrics.CemOrd(5, weighted=True)
    metrics.update(preds[mine], target[mine])
    weighted.update(preds[mine], target[mine], weight)
    values = [value.item() for value in metrics.compute().values()] + [weighted.compute().item()]
    own = metrics["cem_ord"].table().n  # after computing, a process has its own counts again
    wrong = torchmetrics.CemOrd(5)
    wrong.update(preds[mine] + 7 * rank, target[mine])  # wrong in the second process alone
    try:
        wrong.compute()
    except oe.errors.LabelError as error:
        refused = str(error)
    (folder / f"{rank}").write_text(repr((values, own, refused)))
    dist.destroy_process_group()


def test_two_processes_compute_the_score_of_all_items(torch, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nimport ordeval as oe\n\n"
        f"{inspect.getsource(score_in_process)}\n"
        "score_in_process(int(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    command = [sys.executable, "-W", "error", str(script)]
    both = [subprocess.Popen([*command, str(rank), str(tmp_path)]) for rank in range(2)]
    assert [process.wait(timeout=120) for process in both] == [0, 0]
    generator = torch.Generator().manual_seed(0)
    target, preds = (side.tolist() for side in torch.randint(5, (2, 300), generator=generator))
    measures = oe.cem_ord, oe.kendall_tau_b, oe.registry["qwk"]  # a collection sorts its names
    wanted = [measure(target, preds, labels=range(5)) for measure in measures]
    wanted.append(oe.cem_ord(target, preds, labels=range(5), sample_weight=range(300)))
    for rank, items in ((0, 100), (1, 200)):
        values, own, refused = eval((tmp_path / f"{rank}").read_text())  # noqa: S307
        assert values == pytest.approx(wanted)
        assert own == items
        assert re.match("200 items have a label that is not a class", refused)
