"""The words of docs/evidence/calibration.md."""

TITLE = "Calibration: how accurate are the intervals and tests?"

INTRODUCTION = """\
Does a 95% interval contain the true score in 95% of samples? Does a test at 0.05 give a false alarm in 5% of them?
This page answers by simulation. The true scores of the simulated populations are known, so one can count how often
an interval contains the true score, and how often a test finds a difference that does not exist. `make calibration`
runs the simulations and writes this page (under twenty minutes on two cores; every simulation has a fixed seed).
[Comparing systems](../howto/comparison.md) explains how to use the methods."""

RULE = """\
Every interval of a score comes from one rule, whatever the measure:

1. **Leave one out.** The score is computed without each item in turn. How much it changes shows how much the score
   varies from sample to sample (the jackknife). With test cases a whole case is left out, because another sample
   would have other cases.
2. **Add a pseudo-item.** One pseudo-item is added to the real items. Its gold class is any class in gold with equal
   probability, and its answer is right with probability one half. Among the wrong answers, each class is half as
   likely as the one a step nearer to gold. The pseudo-item changes the score. Its average change moves the middle of
   the interval. The more the change depends on the gold class and the answer of the pseudo-item, the wider the
   interval becomes. So even a system that has made no error yet gets an interval with a width.
3. **Use a scale on which the error is symmetric.** Close to a bound a score can vary less towards the bound than
   away from it. On the scale of the arcsine of the square root both directions are similar (the square root alone, for
   a measure with one finite bound). Student's t interval is computed on that scale, with as many degrees of freedom as
   there are items, or cases, minus one.
4. **Take the outer ends.** The same is done with two pseudo-items. The interval goes from the lower of the two lower
   ends to the higher of the two upper ends, and always includes the score.

This rule was chosen because of its coverage. The percentile and BCa bootstraps, which are compared with it
[below](#comparison-with-the-bootstrap), treat the sample as the population. If a sample has no error, no resample of
it has one, and a few test cases vary less than new cases would. So their coverage is far too low for nearly perfect
systems and for few test cases. One rule for all measures can be described and checked once. It needs no resamples and
no random numbers.

There are four known exceptions:

- **Fewer than three errors are expected.** The score then has so few possible values that no interval can cover exactly
  95%; this one covers more. The number of errors that a score depends on is ((perfect score - score) / standard
  error)² of the population; for accuracy it is about the number of wrong answers.
- **A rare class.** A macro average gives a class with three items as much weight as one with 300, and three items
  are not enough to predict the results on others of the same class. If a class has fewer than ten gold items, the
  result says so beside the interval (`score.warning`).
- **Squared distances, when large errors are rare.** An answer four steps away counts 16 times as much as one that is
  one step away. If such answers occur once in a few hundred items, many samples have none. Their intervals are
  too short. A t test of quadratic kappa gives too many false alarms if two systems have equal scores and one of them
  makes only such errors.
- **Fewer than ten errors are expected.** Beside so few errors, two pseudo-items make the interval a little too wide."""

ITEMS = """\
The samples have 30, 100, 300 and 1,000 items on 3 and 5 classes, with even gold or skewed gold (75, 20, 5% and 55,
25, 12, 5, 3%). The systems are right for 65% (typical), 99% and 99.9% of the items; the last kind makes no error in
most samples. Among wrong answers, a class one step farther is 0.25 or 0.5 times as likely (decay). {error}. The cells
are the lowest, the mean and the highest coverage (%) over the 32 populations of one kind."""

INSIDE = "Every interval contains its score, and none has a width of 0."
NOT_INSIDE = "**Some interval does not contain its score, or has a width of 0.**"

REASONS = {
    "few errors": ("Fewer than three errors are expected: up to 99.5%.", ""),
    "hardly any error": (
        "Fewer than three errors are expected: above 99.5%.",
        (
            "Here only a few coverages are possible. If 0.03 errors are expected, 97.0% of samples have none and "
            "99.96% have at most one, and even the exact interval of a share (Clopper and Pearson) contains the true "
            "value in both."
        ),
    ),
    "rare class": ("A rare class, for which the result has a warning.", ""),
    "squared distances": ("Squared distances, when large errors are rare.", ""),
    "safe side": ("Fewer than ten errors are expected: a little too wide.", ""),
    "simulation error": ("Within two standard errors of 93 to 97%.", ""),
    "unexplained": ("Not explained by a known exception.", ""),
}

METHODS = """\
The samples are the same (n = 30 and 100, 5 classes, even and skewed gold, decay 0.25), with intervals by `method="t"`,
`"percentile"` and `"bca"` from 999 resamples. The cells are the lowest and the mean coverage (%) over the four
populations. {error}."""

CASES = """\
The score is the mean over 5 to 100 test cases of 10 or 50 items, on 5 classes. The difficulty of a case varies (a
standard deviation of 0.5 in the logit of the share of right answers). The interval should contain the mean over all
possible cases. The cells are the coverage (%) with even / skewed gold. {error}."""

CASE_METHODS = """\
The score is the mean over typical test cases of 50 items with skewed gold, with intervals by the three methods.
{error}."""

POOLED = """\
All items of the cases are scored together (`runs.pooled()`). Cases differ in difficulty (standard deviation 1 in
logits) and in gold. `ordeval` leaves out *whole cases*; *items* treats the items as independent, as most
software does. {error}."""

WEIGHTS = """\
The weights are exponential and do not depend on which answers are right; 300 such items are as precise as about 150
items of equal weight. Multiplying all weights by 0.01 or by 100 moved no end of an interval by more than {moved}. The
cells are the coverage. {error}."""

RATINGS = """\
Three or ten raters mark 30, 100 or 1,000 items on 3 classes (even) or 5 (skewed). They are right for 70% of the items
(moderate agreement) or for 95% (high), all find the same items hard, and 30% of the marks are missing or none. The
true value is that of a very large sample. A coefficient has the rule above with two differences. Its pseudo-item is
of a class as often as marks are, and has the usual number of marks; with the chance 1/2 one of them differs. And its
scale is Fisher's z above 0 and the coefficient itself below. The scale of the arcsine, a pseudo-item of any class
equally often, the logarithm of 1 - coefficient and a correction of the bias by the jackknife were tried, too; each
kept the level worse, or made intervals wider. Other measures
are means over pairs of raters, and the ceiling is a mean over raters; both have the rule above, with one mark that
differs in the pseudo-item. {error} ({fewest} with 1,000 items). The cells are the lowest, the mean and the highest
coverage (%) over the eight populations of one kind."""

RATERS = """\
Raters differ here in how often they are right (a standard deviation of 0.5 in logits), and another sample has other
raters. `resample="both"` adds the variance over raters, by leaving one out at a time; *items* presumes the same raters,
and is far too narrow here. The luck of single marks is part of both variances, so that its variance, by leaving one
mark out at a time, is taken off once. The marks are on 5 classes with even gold, and complete. The cells are the
coverage (%) with moderate / high agreement. {error}."""

SIZE_PROMISE = """\
{t} of {each} sizes of t and {randomisation} of {each} of randomisation lie within the promised limits: 3.5 to 6.5%
with at least 100 items, at most 6.5% with fewer."""

TESTS = """\
The cells are the share of samples in which a test at 0.05 finds a difference between two systems whose scores are equal
in the population. Their errors are not equal: the second system makes larger errors (decay 0.6, not 0.25) and is weak
on the last classes. `t` is the default. `randomisation` flips the signs of studentised differences (999 draws). `swaps`
is an older test that exchanges the answers of the two systems at random for every item ({swaps} simulations per row).
Its null hypothesis is that the systems are equal, not that their scores are. For the other two tests: {error}."""

POWER = """\
The cells are the share of samples in which a test finds the difference between a system that is right for 65% of the
items and one that is right for 75%; both tend to make errors on the same items. {error}."""

CASE_TESTS = """\
The test cases have 20 items and skewed gold. Size is the share of significant results if the means over all cases are
equal and the errors differ. Power is for systems that are right for 65% and 75%. {error}."""

MANY = """\
Ten systems have equal scores and correlated answers, on skewed gold; a case has 20 items. The cells are the share
of samples in which any of the 45 pairs is called significant, with the default correction `maxt` and with Holm's,
by t tests. It should be at most 5%. {error}."""

FOUND = """\
This is the share of the 45 true differences that are found if the share of right answers goes from 62 to 68%
(narrow) or from 50 to 80% (wide):"""

RANKS = """\
These are the same samples, scored by `cem_ord`. In at least 95% of them, `best` should contain the truly best system,
and the rank intervals should contain all true ranks at once. Among equal systems every rank is true, so all ranks
hold if no pair is called different."""

THIRTY_THREE = """\
33 systems are right for 54 to 99% of the items, on 10 test cases of 50 items. They make 528 pairs. The smallest p that
the sign flips of 10 cases can give is 2 / 1,024, and Holm multiplies it by up to 528."""

TIERS = """\
By default the systems make {tiers:.1f} tiers on average, and {best:.1f} of them may be the best (means of
{simulations} samples). With randomisation and Holm the result says: "{said}\""""

PLANS = """\
`oe.plan` is used with power 0.8. The cells are the share of samples in which the t test finds the difference with the
planned number of items, or of test cases of 20 items. The pilot is large (1,000,000 items or 4,000 cases), or the true
difference is given as `difference=` and the numbers are means over ten pilots of 1,000 items or 100 cases. The
systems are right for 65% and 70% (small), or 65% and 78% (large). {error}."""

WIN = """\
`pair.win` is the probability that a is ahead again on another sample of the same size, if nothing is known about the
systems beforehand. It is accurate for systems whose true scores differ widely (a standard deviation of 0.15 in the
share of right answers). For systems that are known to be close (0.02) the leader is ahead again less often than `win`
says."""
