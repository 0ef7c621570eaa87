"""The words of docs/calibration.md."""

INTRODUCTION = """\
Does a 95% interval hold the true score in 95% of samples? Does a test at 0.05 err in 5%? `make calibration`
simulated what this page shows and wrote the page (under ten minutes on two cores; every simulation is seeded).
Populations are known here, so it can be counted how often an interval holds the truth, and how often a test finds
what is not there. [Comparing systems](comparison.md) says how to use what is measured here."""

RULE = """\
Every interval of a score comes from one rule, whatever the measure:

1. **Leave one out.** The score without an item, for each item, tells how much the score varies from sample to
   sample (the jackknife). With test cases a whole case is left out, because another sample would draw other cases.
2. **Add what was not seen yet.** A pseudo-item is put beside the real ones. It may be of any class in gold with the
   same chance, and be answered right or wrong with the same chance; of the wrong answers each class is half as likely
   as the one a step nearer. What it changes on average moves the score, and how much that varies adds to the error.
   So a system without an error so far gets an interval with a width.
3. **Use a scale on which the error is symmetric.** Close to its bounds a score can vary less towards the bound than
   away from it. On the scale of the arcsine of the root both directions are alike (the root alone, for a measure
   with one finite bound). There Student's t interval is made, with as many degrees of freedom as there are items,
   or cases, minus one.
4. **Take the outer ends.** The same is done with two pseudo-items. The interval reaches from the lower of the two
   lower ends to the higher of the two upper ends, and always includes the score.

It was chosen by what it covers. The percentile and BCa bootstraps, which stand beside it
[below](#beside-the-bootstrap), take the sample for the population: if a sample shows no error, no resample of it
does, and few test cases look more alike than the cases to come. So they cover far too little for nearly perfect
systems and over few cases. One rule for all measures can be stated, and checked, once. It needs no resamples and no
random numbers.

Four exceptions have a name:

- **Fewer than three errors are expected.** The score then takes so few values that no interval can cover just 95%;
  this one errs on the safe side. The number of errors that a score rests on is ((perfect score - score) / standard
  error)² of the population; for accuracy it is about the number of wrong answers.
- **A rare class.** A macro average gives a class with three items as much weight as one with 300, and three items
  do not tell how others of their kind would fare. Where a class has fewer than ten gold items, the result says so
  beside the interval (`score.warning`).
- **Squared distances whose far errors are rare.** An answer four steps off counts 16 times as much as one that is
  one step off. If such answers come once in a few hundred items, many samples hold none: their intervals are
  too short, and a t test of quadratic kappa errs more often than it says if one of two systems with equal scores
  makes nothing but such errors.
- **Fewer than ten errors are expected.** Two pseudo-items beside so few errors err on the safe side, too."""

ITEMS = """\
Samples of 30, 100, 300 and 1,000 items, on 3 and 5 classes, with even gold or skewed gold (75, 20, 5% and 55, 25,
12, 5, 3%), of systems that are right for 65% (typical), 99% and 99.9% of the items. A wrong answer one step farther
is 0.25 or 0.5 times as likely (decay). The last kind of system makes no error in most samples. {error}. The cells
are the lowest, the mean and the highest coverage (%) over the 32 populations of one kind."""

INSIDE = "Every interval contains its score, and none has a width of 0."
NOT_INSIDE = "**Some interval does not contain its score, or has a width of 0.**"

REASONS = {
    "few errors": ("Fewer than three errors are expected: up to 99.5%.", ""),
    "hardly any error": (
        "Fewer than three errors are expected: above 99.5%.",
        (
            "Coverage jumps here. If 0.03 errors are expected, 97.0% of samples have none and 99.96% have at most one, "
            "and even the exact interval of a share (Clopper and Pearson) holds the truth in both."
        ),
    ),
    "rare class": ("A rare class, of which the product warns.", ""),
    "squared distances": ("Squared distances whose far errors are rare.", ""),
    "safe side": ("Fewer than ten errors are expected: on the safe side.", ""),
    "simulation error": ("Within two simulation errors of 93 to 97%.", ""),
    "unexplained": ("Not explained by a named exception.", ""),
}

METHODS = """\
The same samples (n = 30 and 100, 5 classes, even and skewed gold, decay 0.25), with intervals by `method="t"`,
`"percentile"` and `"bca"` from 999 resamples. The cells are the lowest and the mean coverage (%) over the four
populations. {error}."""

CASES = """\
The mean over 5 to 100 test cases of 10 or 50 items, on 5 classes. The difficulty of a case varies (a standard
deviation of 0.5 in the logit of the share right). What is to be covered is the mean over all cases to come. The
cells are the coverage (%) with even / skewed gold. {error}."""

CASE_METHODS = """\
The mean over typical test cases of 50 items with skewed gold, by the three methods. {error}."""

POOLED = """\
All items of the cases are scored together (`runs.pooled()`). Cases differ in difficulty (standard deviation 1 in
logits) and in gold. `ordeval` leaves out *whole cases*; *items* takes the items for independent draws, as most
software does. {error}."""

WEIGHTS = """\
Exponential weights, independent of who is right: 300 such items tell about as much as 150 of equal weight.
Multiplying all weights by 0.01 or by 100 moved no end of an interval by more than {moved}. The cells are the
coverage. {error}."""

SIZE_PROMISE = """\
{t} of {each} sizes of t and {randomisation} of {each} of randomisation lie within the promise: 3.5 to 6.5% from 100
items on, at most 6.5% below."""

TESTS = """\
The share of samples in which a test at 0.05 finds a difference between two systems whose scores are equal in the
population and whose confusions are not: the second has farther errors (decay 0.6, not 0.25) and is weak on the last
classes. `t` is the default. `randomisation` flips the signs of studentised differences (999 draws). `swaps` is the
older test: a coin decides for every item whether the two systems swap their answers ({swaps} simulations a row).
Its null hypothesis is that the systems are equal, not that their scores are. For the other two: {error}."""

POWER = """\
The share of samples in which the difference is found between a system that is right for 65% of the items and one
that is right for 75%; both tend to err on the same items. {error}."""

CASE_TESTS = """\
Over test cases of 20 items with skewed gold: size at equal means over all cases and different confusions, and power
for systems that are right for 65% and 75%. {error}."""

MANY = """\
Ten systems with equal scores and correlated answers, on skewed gold; a case has 20 items. The cells are the share
of samples in which any of the 45 pairs is called significant, with the default correction `maxt` and with Holm's,
by t tests. It should be at most 5%. {error}."""

FOUND = """\
The share of the 45 true differences that are found, if the share of right answers runs from 62 to 68% (narrow) or
from 50 to 80% (wide):"""

RANKS = """\
The same samples, by `cem_ord`. `best` should hold the truly best system, and the rank intervals should hold all
true ranks at once, in at least 95% of samples. Among equal systems every rank is true, so that all ranks hold if no
pair is called different."""

THIRTY_THREE = """\
33 systems that are right for 54 to 99% of the items, on 10 test cases of 50 items: 528 pairs. The sign flips of 10
cases have a smallest p of 2 / 1,024, and Holm multiplies it by up to 528."""

TIERS = """\
By default the systems make {tiers:.1f} tiers on average, and {best:.1f} of them may be the best (means of
{simulations} samples). With randomisation and Holm the product says: "{said}\""""

PLANS = """\
`oe.plan` with power 0.8: the share of samples in which the t test finds the difference with the number of items, or
of test cases of 20 items, that was planned. The pilot is large (1,000,000 items or 4,000 cases), or the true
difference is given as `difference=` and the numbers are means over ten pilots of 1,000 items or 100 cases. The
systems are right for 65% and 70% (small), or 65% and 78% (large). {error}."""

WIN = """\
`pair.win` is the probability that a is ahead again on another sample of the same size, if nothing is known of the
systems beforehand. Among systems from a wide spread of true scores (a standard deviation of 0.15 in the share
right) that is what happens. Among systems that are known to be close (0.02) the leader is ahead again less often
than `win` says."""
