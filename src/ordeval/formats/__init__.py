"""How results look. Each form has one writer, and none of them knows what an ordinal class is.

A result describes itself once, as a `Sheet` of raw values under columns that say what they hold; the writers decide
about rounding, dashes, arrows, alignment, escaping and emphasis.
"""
