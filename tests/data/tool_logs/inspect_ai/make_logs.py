"""Let Inspect AI write its own logs, with a model and judges that are made up: python make_logs.py FOLDER."""

import sys

from inspect_ai import Task, task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, accuracy, mean, scorer
from inspect_ai.solver import solver

TEXTS = ["a river", "a bridge", "a storm", "a market", "a letter", "a night"]


@solver
def answered():
    """An answer without a call of the model, which would want to count its tokens."""

    async def solve(state, generate):
        state.output = ModelOutput.from_content(str(state.model), "Once.")
        return state

    return solve


@scorer(metrics=[mean()])
def rubric():
    """A judge whose marks from 1 to 5 depend on the item and on the epoch; it fails on one of them."""

    async def score(state, target):
        at = int(str(state.sample_id)[1:])
        if at == 6 and state.epoch == 2:
            return Score.unscored(explanation="the judge gave no mark")
        return Score(value=(at + (at * state.epoch) % 2) % 5 + 1, explanation="made up")

    return score


@scorer(metrics=[accuracy()])
def verdict():
    """A judge with the values that Inspect has words for: correct, partial, incorrect, no answer."""

    async def score(state, target):
        at = int(str(state.sample_id)[1:])
        return Score(value="CPIN"[(at + state.epoch) % 4])

    return score


@scorer(metrics={"style": [mean()], "content": [mean()]})
def two_sides():
    """A judge with two marks on each item."""

    async def score(state, target):
        at = int(str(state.sample_id)[1:])
        return Score(value={"style": at % 3 + 1, "content": (at + state.epoch) % 3 + 1})

    return score


@task
def stories(epochs=3):
    """Six samples."""
    samples = [
        Sample(id=f"s{at}", input=f"Write of {text}.", target="")
        for at, text in enumerate(TEXTS, 1)
    ]
    return Task(
        dataset=samples, solver=answered(), scorer=[rubric(), verdict(), two_sides()], epochs=epochs
    )


evaluate(stories(), model="mockllm/small", log_dir=sys.argv[1], log_format="eval", display="none")
evaluate(
    stories(epochs=1), model="mockllm/large", log_dir=sys.argv[1], log_format="eval", display="none"
)
evaluate(
    stories(epochs=2),
    model="mockllm/small",
    limit=2,
    log_dir=sys.argv[1],
    log_format="json",
    display="none",
)
