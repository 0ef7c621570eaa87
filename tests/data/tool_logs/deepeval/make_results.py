"""Let DeepEval write its own results, with a metric and a judge that are made up: python make_results.py FOLDER."""

import sys

from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseMetric, GEval
from deepeval.models import DeepEvalBaseLLM
from deepeval.test_case import LLMTestCase, SingleTurnParams

TEXTS = ["a river", "a bridge", "a storm", "a market"]


class MadeUpJudge(DeepEvalBaseLLM):
    """A judge without a model: it marks from 0 to 10 by the length of what it reads."""

    def load_model(self):
        return self

    def generate(self, prompt, schema=None):
        mark = {"reason": "made up", "score": len(prompt) % 11}
        return schema(**mark) if schema else str(mark).replace("'", '"')

    async def a_generate(self, prompt, schema=None):
        return self.generate(prompt, schema)

    def get_model_name(self):
        return "made-up"


class Stars(BaseMetric):
    """A metric of one's own with marks from 1 to 5."""

    threshold = 3
    evaluation_model = "made-up"
    async_mode = False

    def measure(self, test_case, *_args, **_kwargs):
        self.score = len(test_case.input) % 5 + 1
        self.success, self.reason = self.score >= self.threshold, "made up"
        return self.score

    async def a_measure(self, test_case, *_args, **_kwargs):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Stars"


cases = [
    LLMTestCase(name=f"story-{at}", input=f"Write of {text}.", actual_output="Once.")
    for at, text in enumerate(TEXTS, 1)
]
helpful = GEval(
    name="Helpful",
    evaluation_steps=["Say how much the answer helps."],
    evaluation_params=[SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT],
    model=MadeUpJudge(),
    async_mode=False,
)
evaluate(
    cases,
    [Stars(), helpful],
    async_config=AsyncConfig(run_async=False),
    cache_config=CacheConfig(write_cache=False),
    display_config=DisplayConfig(
        show_indicator=False, print_results=False, results_folder=sys.argv[1]
    ),
)
