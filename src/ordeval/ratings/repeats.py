"""Which raters are repeats of one: judges that marked the same items several times."""

from collections.abc import Iterable

from ordeval.inputs.repeated_raters import RepeatedRater as RepeatedRater  # noqa: PLC0414 - given on
from ordeval.ratings.ratings import Ratings


def repeats_of(ratings: Ratings) -> dict[str, tuple[int, ...]]:
    """Return the places of each rater's repeats among the raters; one place for a rater without repeats.

    >>> ratings = Ratings.from_array([[1, 2, 2]], raters=["ann", "gpt", "llama"])
    >>> repeats_of(ratings)
    {'ann': (0,), 'gpt': (1,), 'llama': (2,)}
    """
    places: dict[str, tuple[int, ...]] = {}
    for place, name in enumerate(ratings.raters):
        rater = name.rater if isinstance(name, RepeatedRater) else name
        places[rater] = (*places.get(rater, ()), place)
    return places


def raters_named(ratings: Ratings, names: Iterable[str]) -> list[str]:
    """Return the raters with these names, each with all of its repeats; refuse a name that nobody has.

    >>> ratings = Ratings.from_array([[1, 2, 2]], raters=["ann", "gpt", "llama"])
    >>> raters_named(ratings, ["llama", "gpt"])
    ['gpt', 'llama']
    """
    repeats = repeats_of(ratings)
    places = [repeats[name] if name in repeats else (ratings.place_of(name),) for name in names]
    return [ratings.raters[place] for place in sorted({at for part in places for at in part})]
