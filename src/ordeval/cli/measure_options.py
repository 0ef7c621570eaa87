"""How options about measures and their intervals are read; names are checked before any file is opened."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from ordeval.cli.help import MEASURES, option
from ordeval.errors import ParameterError

if TYPE_CHECKING:
    from ordeval.runs import Runs
    from ordeval.table import Table


PLUGINS = "ordeval.plugins"  # where a context keeps their names, which no command is given


def load_plugins(ctx: click.Context, parameter: click.Parameter, modules: tuple[str, ...]) -> None:
    """Load measures of one's own, before the names of measures are read."""
    if ctx.resilient_parsing:
        return
    ctx.meta[PLUGINS] = modules
    if modules:
        from ordeval.metrics.plugins import load_plugin

        for module in modules:
            load_plugin(module)


def plugin_option(group: str) -> Callable[[Any], Any]:
    """Return `--plugin`, which is read before all other options, listed under the heading of a group."""
    return option(
        group, "--plugin", multiple=True, metavar="MODULE", is_eager=True, expose_value=False, callback=load_plugins,
        help="Load measures of your own from this module, or from this file that ends in .py; may be repeated.",
    )  # fmt: skip


PLUGIN = plugin_option(MEASURES)


def read_level(ctx: click.Context, parameter: click.Parameter, text: str) -> float | None:
    """Read a confidence level, or none."""
    if text.lower() == "none":
        return None
    try:
        level = float(text)
    except ValueError:
        level = 0.0
    if not 0 < level < 1:
        raise click.BadParameter(
            f"{text!r} is not a confidence level; pass a number between 0 and 1, or none."
        )
    return level


def read_metrics(
    ctx: click.Context, parameter: click.Parameter, text: str | None
) -> tuple[str, ...] | None:
    """Read the names of measures; None if the option was not given."""
    if text is None or ctx.resilient_parsing:  # the latter while a shell completes words
        return None
    from ordeval.metrics.names import split_names
    from ordeval.metrics.registry import resolve

    return tuple(resolve(split_names(text)))


def read_measures_of_labels(
    ctx: click.Context, parameter: click.Parameter, text: str | None
) -> tuple[str, ...] | None:
    """Read the names of measures of labels; None if the option was not given."""
    if text is None or ctx.resilient_parsing:
        return None
    from ordeval.metrics.names import split_names

    return measures_of_labels(split_names(text))


def read_metric(ctx: click.Context, parameter: click.Parameter, text: str) -> str:
    """Read the name of one measure."""
    if ctx.resilient_parsing:
        return text
    from ordeval.metrics.registry import resolve

    return next(iter(resolve([text])))


def measures_of_labels(names: list[str]) -> tuple[str, ...]:
    """Return the full names of measures; refuse those of class probabilities, because these are labels."""
    from ordeval.metrics.registry import resolve

    measures = resolve(names)
    for name, measure in measures.items():
        if measure.takes_probabilities:
            raise ParameterError(
                f"{name} takes class probabilities, and these are labels. Leave it out."
            )
    return tuple(measures)


def check_measures(names: Iterable[str] | None, data: "Runs | Table") -> None:
    """Refuse measures of class probabilities where gold and answers are labels; None are those that fit the data."""
    if names is not None and not getattr(data, "soft", False):
        measures_of_labels(list(names))
