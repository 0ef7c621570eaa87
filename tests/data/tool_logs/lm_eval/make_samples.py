"""Let lm-evaluation-harness write its own samples, with a model that is made up: python make_samples.py FOLDER."""

import json
import sys
from pathlib import Path

from lm_eval.__main__ import cli_evaluate
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model

TEXTS = ["a river", "a bridge", "a storm", "a market"]


@register_model("made-up")
class MadeUp(LM):
    """A model that answers with a part of the question."""

    def __init__(self, **_options):
        super().__init__()

    def loglikelihood(self, requests, **_options):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood

    def generate_until(self, requests, **_options):
        return [request.args[0][: len(request.args[0]) // 2] for request in requests]


rows = [{"question": f"Write of {text}.", "answer": text} for text in TEXTS]
Path("questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
sys.argv = ["lm-eval", "--model", "made-up", "--tasks", "made_up", "--include_path", ".",
            "--output_path", sys.argv[1], "--log_samples"]  # fmt: skip
cli_evaluate()
