"""The expected measure of a batch as a loss for torch: its value, its gradient, and what it refuses."""

import copy
import dataclasses
import io
import pickle

import numpy as np
import pytest

import ordeval as oe
from ordeval.metrics import float_range

pytestmark = pytest.mark.full

# torch is installed by `make test-full` alone, so it is imported by the tests, and not as this file is read
LABELS = [1, 2, 3, 4, 5]
AS_LOSS = [name for name, metric in oe.registry.items() if metric.per_item is None]
PER_ITEM = [name for name, metric in oe.registry.items() if metric.per_item is not None]
SETTINGS = ["weighted_kappa(weights='quadratic')", "krippendorff_alpha(level='interval')"]


@pytest.fixture(scope="module")
def loss_of(torch):
    from ordeval.adapters.torch import expected_loss

    return expected_loss


@pytest.fixture
def batch(torch):
    """Logits and gold of 40 items, with every class in gold."""
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(40, 5, dtype=torch.float64, generator=generator, requires_grad=True)
    return logits, torch.arange(40) % 5


def by_hand(metric, shares, probabilities):
    """The loss from the measure of the soft table: 1 minus it where greater is better."""
    value = metric(oe.Table.from_soft(shares, probabilities, labels=LABELS))
    if not metric.greater_is_better:
        return value
    return -value if metric.name == "mutual_information" else 1 - value  # which has no upper bound


@pytest.mark.parametrize("name", AS_LOSS + SETTINGS)
def test_the_loss_is_the_measure_of_the_soft_table(name, loss_of, batch):
    logits, gold = batch
    shares, probabilities = np.eye(5)[gold], logits.softmax(1).detach().numpy()
    loss = loss_of(name, labels=LABELS)
    assert loss.measure == oe.registry[name]
    wanted = by_hand(oe.registry[name], shares, probabilities)
    assert loss(logits, gold).item() == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("name", AS_LOSS + SETTINGS)
def test_the_gradient_of_a_loss_passes_the_check_of_torch(name, torch, loss_of, batch):
    loss = loss_of(name, labels=LABELS)
    assert torch.autograd.gradcheck(loss, batch, eps=1e-6, atol=1e-7, rtol=1e-5)


@pytest.mark.parametrize("name", ["cem_ord", "macro_f1", "rmse", "spearman"])
def test_the_gradient_by_probabilities_soft_gold_and_weights_passes_the_check(
    name, torch, loss_of, batch
):
    shares = torch.softmax(3 * torch.randn(40, 5, dtype=torch.float64), dim=1)
    weight = torch.linspace(0, 2, 40, dtype=torch.float64)
    from_logits = loss_of(name, classes=5)
    assert torch.autograd.gradcheck(
        from_logits, (batch[0], shares, weight), atol=1e-7, rtol=1e-5, eps=1e-6
    )
    probabilities = batch[0].softmax(1).detach().requires_grad_()
    loss = loss_of(name, classes=5, from_logits=False)
    # steps within which the rows still sum to 1, but for rounding
    inputs = (probabilities, shares, weight)
    assert torch.autograd.gradcheck(loss, inputs, eps=1e-7, atol=1e-6, rtol=1e-4)


def test_the_gradient_of_accuracy_is_minus_one_over_n_at_the_gold_class(torch, loss_of):
    # 1 - (p_1 + p_2 + p_3) / 3 on rows that keep their sum; a change of one p alone also changes N by as much, so that
    # the derivative of right / N by p_d(a) is ([a = gold] - accuracy) / 3
    probabilities = torch.tensor([[0.5, 0.5], [0.2, 0.8], [1.0, 0.0]], requires_grad=True)
    loss = loss_of("accuracy", classes=2, from_logits=False)
    value = loss(probabilities, torch.tensor([0, 1, 0]))
    value.backward()
    assert value.item() == pytest.approx(1 - (0.5 + 0.8 + 1.0) / 3)
    right = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    assert probabilities.grad.numpy() == pytest.approx((-(right - 2.3 / 3) / 3).numpy(), abs=1e-6)
    # what moves within a row costs 1/3 for each unit that leaves the gold class
    moved = (probabilities.grad[:, 0] - probabilities.grad[:, 1]).tolist()
    assert moved == pytest.approx([-1 / 3, 1 / 3, -1 / 3], abs=1e-6)


@pytest.mark.parametrize("name", ["cem_ord", "macro_mae", "weighted_kappa", "kendall_tau_b"])
def test_steps_down_the_gradient_improve_the_measure_of_the_answers(name, torch, loss_of):
    generator = torch.Generator().manual_seed(1)
    features = torch.randn(300, 4, generator=generator)
    latent = features @ torch.tensor([1.0, -1.0, 0.5, 0.0])
    gold = torch.bucketize(latent, torch.tensor([-1.5, -0.5, 0.5, 1.5]))
    model = torch.nn.Linear(4, 5)
    torch.nn.init.zeros_(model.weight)
    torch.nn.init.zeros_(model.bias)
    loss, metric = loss_of(name, labels=LABELS), oe.registry[name]
    optimiser = torch.optim.Adam(model.parameters(), lr=0.1)
    first = loss(model(features), gold).item()
    for _ in range(60):
        optimiser.zero_grad()
        value = loss(model(features), gold)
        value.backward()
        optimiser.step()
    answers = np.array(LABELS)[model(features).argmax(1)]
    score = metric(np.array(LABELS)[gold], answers, labels=LABELS)
    always = metric(np.array(LABELS)[gold], [3] * 150 + [2] * 150, labels=LABELS)
    assert value.item() < 0.6 * first
    assert score > always + 0.2 if metric.greater_is_better else score < always - 0.2


@pytest.mark.parametrize("name", ["cem_ord", "macro_f1", "mutual_information"])
def test_a_cell_of_a_millionth_of_the_items_counts(name, torch, loss_of):
    wrong = torch.tensor([[14.0, 0.0, 0.0], [0.0, 14.0, 0.0], [0.0, 0.0, 14.0]]).double()
    loss = loss_of(name, labels=[1, 2, 3])(wrong, torch.arange(3))
    table = oe.Table.from_soft(np.eye(3), wrong.softmax(1).numpy(), labels=[1, 2, 3])
    value = oe.registry[name](table)
    best = 0 if name == "mutual_information" else 1
    assert 1e-7 < 1 - value / oe.registry[name]([1, 2, 3], [1, 2, 3]) < 1e-4
    assert loss.item() == pytest.approx(best - value, abs=1e-14)


@pytest.mark.parametrize("name", AS_LOSS)
def test_a_model_that_is_sure_has_a_finite_loss_and_gradient(
    name, torch, loss_of, batch, monkeypatch
):
    monkeypatch.setattr(float_range, "WIDE", None)  # as on machines whose long double is a double
    gold = batch[1]
    sure = (
        400.0 * torch.eye(5, dtype=torch.float64)[gold.roll(3) // 2 * 2]
    )  # some right, some wrong
    sure.requires_grad_()
    loss = loss_of(name, classes=5)(sure, gold)
    loss.backward()
    assert loss.isfinite()
    assert sure.grad.isfinite().all()


@pytest.mark.parametrize("number", ["float16", "bfloat16", "float32"])
def test_a_loss_of_lower_precision_is_summed_in_higher(number, torch, loss_of, batch):
    logits = batch[0].detach().to(getattr(torch, number)).requires_grad_()
    many, gold = logits.repeat(500, 1), batch[1].repeat(500)
    loss = loss_of("macro_f1", classes=5)
    value = loss(many, gold)
    value.backward()
    assert value.dtype is torch.float32
    assert logits.grad.dtype is logits.dtype
    assert value.item() == pytest.approx(loss(logits.double(), batch[1]).item(), abs=1e-6)


def test_an_ignored_item_has_no_influence_whatever_its_answer(torch, loss_of, batch):
    logits, gold = batch[0].detach(), batch[1]
    more = torch.cat([logits, torch.full((2, 5), torch.nan)]).requires_grad_()
    loss = loss_of("cem_ord", classes=5)
    value = loss(more, torch.cat([gold, torch.tensor([-100, -100])]))
    value.backward()
    assert value.item() == loss(logits, gold).item()
    assert (more.grad[-2:] == 0).all()
    assert (
        loss_of("cem_ord", classes=5, ignore_index=5)(more, torch.cat([gold, torch.tensor([5, 5])]))
        == value
    )
    weight = torch.ones(42)
    weight[-2:] = 0
    assert loss(more, torch.cat([gold, torch.tensor([0, 1])]), weight).item() == value.item()


def test_a_weight_of_two_is_an_item_twice(torch, loss_of, batch):
    logits, gold = batch[0].detach(), batch[1]
    loss = loss_of("weighted_kappa", classes=5)
    twice = loss(torch.cat([logits, logits[:10]]), torch.cat([gold, gold[:10]]))
    weight = torch.ones(40)
    weight[:10] = 2
    assert loss(logits, gold, weight).item() == pytest.approx(twice.item(), abs=1e-14)


def test_answers_that_hold_nan_give_nan_as_the_losses_of_torch_do(torch, loss_of, batch):
    logits = batch[0].detach().clone()
    logits[3, 2] = torch.nan
    logits.requires_grad_()
    loss = loss_of("cem_ord", classes=5)(logits, batch[1])
    loss.backward()
    assert loss.isnan()
    assert logits.grad[3].isnan().all()


def test_a_loss_works_without_a_graph_compiled_copied_and_in_a_model(torch, loss_of, batch):
    logits, gold = batch
    loss = loss_of("cem_ord", labels=LABELS)
    value = loss(logits, gold).item()
    with torch.no_grad():
        assert loss(logits, gold).item() == value
    assert torch.compile(loss, backend="eager")(logits, gold).item() == value
    assert copy.deepcopy(loss)(logits, gold).item() == value
    assert pickle.loads(pickle.dumps(loss))(logits, gold).item() == value  # noqa: S301
    model = torch.nn.ModuleDict({"loss": loss_of("mae", classes=3, from_logits=False)})
    assert "ExpectedLoss(measure=mae, classes=3, from_logits=False)" in str(model)
    torch.save(model.state_dict(), io.BytesIO())


def test_the_table_goes_to_the_host_once(torch, loss_of, batch, monkeypatch):
    moves = []
    to_host = torch.Tensor.cpu
    monkeypatch.setattr(
        torch.Tensor, "cpu", lambda self: moves.append(self.numel()) or to_host(self)
    )
    for single in ("item", "tolist", "__bool__", "__int__", "__float__"):
        monkeypatch.setattr(torch.Tensor, single, lambda _: pytest.fail("waits for the device"))
    loss = loss_of("cem_ord", classes=5, from_logits=False)
    loss(batch[0].softmax(1), batch[1], torch.ones(40)).backward()
    assert moves == [5 * 5 + 3]


@pytest.mark.parametrize("name", PER_ITEM)
def test_a_measure_of_single_items_is_refused_and_told_what_to_use(name, loss_of):
    with pytest.raises(oe.errors.ParameterError, match=r"probabilities of each item.*Instead, "):
        loss_of(name, classes=5)


def test_what_takes_the_place_of_a_mean_over_items_is_the_same(loss_of, batch):
    """As the messages promise, for gold labels."""
    logits, gold = batch
    probabilities = logits.softmax(1).detach().numpy()
    labels = np.array(LABELS)[gold]
    mae, accuracy = (
        loss_of(name, labels=LABELS)(logits, gold).item() for name in ("mae", "accuracy")
    )
    assert mae / 4 == pytest.approx(oe.wasserstein(labels, probabilities, labels=LABELS))
    assert 2 * accuracy == pytest.approx(oe.manhattan(labels, probabilities, labels=LABELS))


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        (lambda counts: np.floor(counts.sum(axis=(-1, -2)) * 0), "gradient is 0"),
        (lambda counts: (counts.sum(axis=-1) ** 2).sum(axis=-1), "gradient is 0"),  # of gold alone
        (lambda counts: np.full(counts.shape[:-2], np.nan), "undefined"),
    ],
)
def test_a_measure_that_no_answer_improves_is_refused(kernel, why, loss_of):
    flat = dataclasses.replace(oe.kendall_tau_a, name="flat", kernel=kernel)
    with pytest.raises(oe.errors.ParameterError, match=why):
        loss_of(flat, classes=3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs the classes once"),
        ({"classes": 3, "labels": [1, 2, 3]}, "needs the classes once"),
        ({"classes": 1}, "classes=1 is not a number of classes"),
        ({"classes": True}, "classes=True is not a number of classes"),
        ({"labels": ["only"]}, "has one class"),
        ({"classes": 3, "values": [1, 1, 2]}, "strictly increasing"),
        ({"classes": 3, "ignore_index": 2}, "ignore_index=2"),
        ({"classes": 3, "from_logits": 1}, "from_logits is 1"),
    ],
)
def test_settings_that_a_loss_cannot_have_are_refused(arguments, message, loss_of):
    with pytest.raises(oe.OrdevalError, match=message):
        loss_of("cem_ord", **arguments)
    with pytest.raises(oe.errors.MetricError, match="Did you mean cem_ord"):
        loss_of("cem_odr", classes=3)


BATCHES = {
    "gold is 5 at item 4 of the batch; .* 8 items are wrong": lambda z, g: (z, g + 1),
    "gold is -1 at item 0": lambda z, g: (z, g - 1),
    r"gold is \[": lambda z, _: (z, z),
    "weight is -1.0 at item 1 ": lambda z, g: (z, g, (g != 1).double() * 2 - 1),
    "weight is inf at item 3 .* 1 item is wrong": lambda z, g: (
        z,
        g,
        (g >= 0).double().index_fill(0, g[3:4] * 0 + 3, float("inf")),
    ),
    "answers are 40 x 4 of torch.float64": lambda z, g: (z[:, :4], g),
    "answers are 40 x 5 x 1 of": lambda z, g: (z[..., None], g),
    "answers are 40 of torch.int64": lambda _, g: (g, g),
    "gold is 39 of torch.int64; it must be 40 class indices": lambda z, g: (z, g[1:]),
    "gold is 40 of torch.float32": lambda z, g: (z, g.float()),
    "weight is 2 of": lambda z, g: (z, g, z[0, :2]),
    r"gold is \[0, 1\]; it must be a tensor": lambda z, _: (z, [0, 1]),
    "there are no items to score": lambda z, g: (z[:0], g[:0]),
    "has no value: gold or the predictions are all of one class": lambda z, g: (z, g * 0),
}


@pytest.mark.parametrize("message", BATCHES)
def test_a_batch_that_cannot_be_scored_is_refused_with_the_reason(message, loss_of, batch):
    with pytest.raises(oe.OrdevalError, match=message):
        loss_of("pearson", classes=5)(*BATCHES[message](*batch))


def test_logits_that_were_called_probabilities_are_refused(loss_of, batch):
    with pytest.raises(oe.errors.LabelError, match="Pass from_logits=True for logits"):
        loss_of("cem_ord", classes=5, from_logits=False)(*batch)
    half = batch[0].softmax(1).half()  # whose rows sum to 1 as well as their numbers allow
    assert loss_of("cem_ord", classes=5, from_logits=False)(half, batch[1]).isfinite()
