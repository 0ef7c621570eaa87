"""Answers batches of questions with irrCAC; run by the interpreter of .venv-irrcac and imported by no test.

Lines of JSON come in on stdin and go out on stdout: a list of cases becomes a list of as many numbers. A case is an
object with `ratings` (a list for each item, with a place for each rater, null where there is no mark), `categories`
(the whole scale), `weights` (a name or a matrix) and `coefficient` (a method of irrCAC's `CAC`).
"""

import json
import sys
import warnings

import pandas as pd
from irrCAC.raw import CAC


def coefficient(case: dict) -> float:
    """Return the coefficient of one case, or NaN where irrCAC divides nothing by nothing."""
    ratings = pd.DataFrame(case["ratings"], dtype=float)
    raters = CAC(ratings, weights=case["weights"], categories=case["categories"], digits=12)
    return float(getattr(raters, case["coefficient"])()["est"]["coefficient_value"])


warnings.simplefilter("ignore")
for line in sys.stdin:
    sys.stdout.write(json.dumps([coefficient(case) for case in json.loads(line)]) + "\n")
    sys.stdout.flush()
