"""The ways to correct what a judge says, by the names that arguments have and as people read them."""

from typing import Literal, TypeAlias, get_args

Method: TypeAlias = Literal["naive", "rogan_gladen", "ppi", "ppi++", "poststratification"]
NAIVE, ROGAN_GLADEN, PPI, PPI_TUNED = "naive", "rogan_gladen", "ppi", "ppi++"
POSTSTRATIFIED, HUMAN = "poststratification", "human"
METHODS: tuple[str, ...] = get_args(Method)
ALL_METHODS = (*METHODS, HUMAN)
IN_WORDS = {
    NAIVE: "the judge as it stands",
    ROGAN_GLADEN: "Rogan-Gladen",
    PPI: "PPI",
    PPI_TUNED: "PPI++",
    POSTSTRATIFIED: "post-stratification",
    HUMAN: "the human marks alone",
}


def no_worth(method: str) -> str:
    """Say why a number that is defined is worth no number of human marks."""
    if method == NAIVE:
        return "the bias of the judge as it stands is not known, so it is worth no number of human marks"
    return "the marks show no variation, so what the judge is worth in human marks is not known"
