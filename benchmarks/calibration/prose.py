"""The words of docs/calibration.md."""

INTRODUCTION = """\
`make calibration` simulated what this page shows and wrote it (about ten minutes on two cores; every simulation is
seeded). Populations are known here, so that it can be counted how often an interval holds the true score and how often a
test finds a difference that is not there. [Comparing systems](comparison.md) says how to use what is measured here."""

RULE = """\
Every interval of a score comes from one rule, whatever the measure:

1. **Leave one out.** The score without an item, for each item, tells how much the score varies from sample to sample (the
   jackknife). With test cases a whole case is left out, because another sample would draw other cases.
2. **Add what was not seen yet.** One pseudo-item is added to the real ones: half of it is right, half wrong, a class one
   step farther being half as likely, spread evenly over the classes in gold. So a system without an error so far gets an
   interval with a width.
3. **Take Student's t on a scale where the error is symmetric.** Near its bounds a score can vary less towards the bound
   than away from it. On the scale of the arcsine of its root both directions are alike (the root alone, for a measure with
   one bound). The quantile is that of t with as many degrees of freedom as there are items, or cases, minus one.
4. **Take the outer ends.** The same is done with two pseudo-items. The lower of the two lower ends, the higher of the two
   upper ends, and the score itself bound the interval.

The rule was chosen by measurement: among t intervals on several scales, with and without pseudo-items, BCa and the
percentile bootstrap, it is the one that kept 95% for all measures at once. Percentile and BCa bootstraps take the sample
for the population, so that a system with one error in 100 items has no chance to look worse than what was drawn: they
cover far too little near the bounds and over few cases. The rule needs no random numbers and no resamples.

Three exceptions have a name:

- **Fewer than three errors are expected.** A score then takes so few values that no interval covers exactly 95%; this one
  errs on the safe side, up to 99.5%. The number of errors that a score rests on is
  ((perfect score - score) / standard error)^2; for accuracy it is about the number of wrong answers.
- **A rare class.** A macro average gives a class with three items as much weight as one with 300, and three items do not
  tell how others of their kind would fare. Where a class has fewer than ten gold items, the result says so beside the
  interval (`score.warning`).
- **Squared distances whose far errors are rare.** One answer four steps off counts 16 times as much as a near miss. If
  such answers come once in a few hundred items, most samples hold none, and their interval is too short."""

ITEMS = """\
Samples of 30, 100, 300 and 1,000 items, on 3 and 5 classes, with even gold or skewed gold (75, 20, 5% and 55, 25, 12, 5,
3%), of systems that are right for 65% (typical), 99% and 99.9% of the items; a wrong answer one step farther is 0.25 or
0.5 times as likely. The last kind of system makes no error in most samples. {error}. The cells are the lowest, the mean and the
highest coverage (%) over the 32 populations of one kind."""

INSIDE = "Every interval contains its score, and none has a width of 0."

REASONS = {
    "few errors": "Fewer than three errors are expected; up to 99.5% is right.",
    "rare class": "A rare class; the product warns in most of the samples.",
    "squared distances": "Squared distances whose far errors are rare.",
    "simulation error": "Within two simulation errors of the band.",
    "unexplained": "Not explained by any named exception.",
}
SHORT = {
    "few errors": "fewer than three errors expected",
    "rare class": "rare class",
    "squared distances": "squared distances",
    "simulation error": "within simulation error",
    "unexplained": "not explained",
}

METHODS = """\
The same samples (n = 30 and 100, 5 classes, even and skewed gold), with intervals by `method="t"`, `"percentile"` and
`"bca"` with 999 resamples. The cells are the lowest and the mean coverage (%) over the four populations. {error}."""

CASES = """\
The mean over 5 to 100 test cases of 10 or 50 items, on 5 classes; the difficulty of a case varies (a standard deviation
of 0.5 in the logit of being right). What is to be covered is the mean over all cases to come. The cells are the coverage
(%) with even / skewed gold. {error}."""

POOLED = """\
All items of the cases are scored together (`runs.pooled()`), where cases differ in difficulty (standard deviation 1 in
logits) and in gold. *whole cases* is what `ordeval` does; *items* treats the items as if they were drawn one by one, as
it was done before and is done elsewhere. {error}."""

WEIGHTS = """\
Exponential weights, independent of who is right, so that 300 items tell about as much as 150 of equal weight. Multiplying
all weights by 0.01 or by 100 moved no end by more than {moved}. {error}."""

SIZE_PROMISE = "3.5 to 6.5% from 100 items on, at most 6.5% below"

TESTS = """\
The share of samples in which a test at 0.05 finds a difference between two systems whose scores are equal in the population
and whose confusions are not: the second has farther errors (0.6 a step in place of 0.25) and is weak on the high classes.
`t` is the default; `randomisation` flips signs of studentised differences (999 draws); `swaps` is the older test, in which
a coin decides for every item whether the systems swap their answers. Its null hypothesis is that the systems are equal,
so that it finds differences where the scores have none ({swaps} simulations a row). For the others: {error}."""

POWER = """\
The share of samples in which the difference between a system that is right for 65% and one that is right for 75% is found;
both tend to err on the same items. The older test is no stronger where both keep their level. {error}."""

CASE_TESTS = """\
Over test cases of 20 items with skewed gold: size at equal means over all cases and different confusions, and power at a
real difference. {error}."""

MANY = """\
Ten systems with equal scores, whose answers are correlated, on skewed gold: the share of samples in which any of the 45 pairs
is called significant, by the default correction `maxt` and by Holm. It should be at most 5%. {error}."""

FOUND = """\
The share of the 45 true differences that are found, where the share of right answers runs from 62 to 68% (narrow) or from
50 to 80% (wide):"""

RANKS = """\
The same samples, by `cem_ord`. `best` should hold the truly best system, and the rank intervals should hold all true ranks at
once, in at least 95% of samples. Among equal systems any rank is true, so that all ranks hold if no pair is called
different."""

THIRTY_THREE = """\
33 systems that are right for 54 to 99% of the items, on 10 test cases of 50 items: 528 pairs. The sign flips of 10 cases
have a smallest p of 2 / 1,024, which Holm multiplies by up to 528; the joint maximum does not."""

PLANS = """\
`oe.plan` at power 0.8: the number of items (or of test cases of 20 items) that it plans, and the share of samples of that
size in which the t test finds the difference. The pilot is large (200,000 items or 2,000 cases), or small (1,000 items or
100 cases) with the true difference given as `difference=`. The second system is right for 70% (small) or 78% (large) of the
items, the first for 65%. {error}."""

WIN = """\
`pair.win` is the probability that a is ahead again on another sample of the same size, if nothing is known of the systems
beforehand. Among systems drawn from a wide spread of true scores (standard deviation 0.15 of the share right) that is what
happens; among systems known to be close (0.02) the leader is ahead again less often than it says."""
