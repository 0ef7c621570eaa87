"""Formulas for the terminal."""

import pytest

import ordeval as oe
from ordeval.formats.formulas import in_unicode


@pytest.mark.parametrize("name", oe.registry)
def test_no_formula_of_a_measure_shows_its_tex(name):
    text = in_unicode(oe.registry[name].formula)
    assert not {*"\\{}$"} & {*text}
    assert text.count("(") == text.count(")")
    assert "  " not in text.replace(",  ", "")


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac{1}{N} \sum_k n_{kk}", "1/N Σₖ nₖₖ"),
        (r"\frac{a + b}{c}", "(a + b) / c"),
        (r"1 - \frac{a + b}{c}", "1 - (a + b) / c"),
        (r"\frac{a + b}{c} x", "((a + b) / c) x"),
        (r"-\log_2 \frac{\mathrm{mass}(a, b)}{N}", "-log₂ (mass(a, b)/N)"),
        (r"\sqrt{\frac{1}{N}}", "√(1/N)"),
        (r"\tfrac12 \sum_{d,d'} x", "1/2 Σ_(d,d') x"),
        (r"\sum_{l=1}^{K-1} v_l^2", "Σₗ₌₁ᴷ⁻¹ vₗ²"),
        (r"n_{\cdot k} + n_{k\cdot}", "n_·k + n_k·"),
        (r"x \text{ if } a \ne b, \quad y \le z", "x if a ≠ b,  y ≤ z"),
        (r"\Bigl(\prod_k x\Bigr)^{1 / K'}", "(Πₖ x)^(1 / K')"),
        (r"\bar v_g", "v\u0304_g"),
    ],
)
def test_tex_is_written_as_text(tex, text):
    assert in_unicode(tex) == text
