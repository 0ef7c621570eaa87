"""Numbers as people read them."""

from ordeval.formats.numbers import (
    amount,
    amount_in_cell,
    confidence,
    counted,
    number,
    p_in_sentence,
    percent,
)


def test_a_number_agrees_with_its_noun():
    assert counted(1, "class", "classes") == "1 class"
    assert counted(0, "class", "classes") == "0 classes"
    assert counted(1200, "item") == "1,200 items"
    assert amount(2.5) == "2.5"


def test_a_share_is_never_rounded_to_all_or_to_none():
    shares = (0, 0.005, 0.0051, 0.38, 0.9949, 0.995, 1)
    assert [percent(share) for share in shares] == [
        "0%", "under 1%", "1%", "38%", "99%", "over 99%", "100%",
    ]  # fmt: skip


def test_a_share_with_a_decimal_is_never_rounded_to_all_or_to_none():
    shares = (0, 0.0004, 0.0006, 0.375, 0.9994, 0.9996, 1)
    assert [percent(share, 1) for share in shares] == [
        "0.0%", "under 0.1%", "0.1%", "37.5%", "99.9%", "over 99.9%", "100.0%",
    ]  # fmt: skip


def test_a_p_value_in_a_sentence_has_two_or_three_decimals_or_is_below_them():
    assert [p_in_sentence(p) for p in (0.0009, 0.001, 0.0996, 0.1, 0.344)] == [
        "p < 0.001", "p = 0.001", "p = 0.100", "p = 0.10", "p = 0.34",
    ]  # fmt: skip


def test_the_level_of_an_interval_is_a_percentage_without_zeros():
    assert [confidence(level) for level in (0.95, 0.9, 0.999)] == ["95%", "90%", "99.9%"]


def test_a_zero_has_no_sign_and_what_rounds_to_it_has_none_either():
    assert [number(x, 2, sign=True) for x in (0.0, -0.0, 0.004, -0.004, 0.006, -0.006)] == [
        "0.00", "0.00", "0.00", "0.00", "+0.01", "-0.01",
    ]  # fmt: skip


def test_an_amount_in_a_small_cell_has_at_most_six_letters():
    amounts = (
        0.0123,
        7.31612,
        12,
        99.96,
        123.456,
        12_345,
        99_999,
        100_000,
        999_499,
        999_500,
        1_234_567,
        5e9,
        7e15,
    )
    assert [amount_in_cell(x) for x in amounts] == [
        "0.0123", "7.32", "12", "100", "123", "12,345", "99,999", "100k", "999k", "1M", "1.23M", "5G", "7e+03T",
    ]  # fmt: skip
