"""What the public functions are called with: odd values, values that fit, and the functions themselves, as Python."""

from tools.fuzz.folder import BAD, GOOD

# fmt: off
ODD = [
    "None", "True", "0", "1", "-1", "3", "0.5", "1e308", "5e-324", "float('inf')", "float('nan')", "10**30",
    "-10**30", "2**63", "2**64", "10**400", "1j", "b'abc'", "b'\\xff'", "''", "' '", "'\\n'", "'\\0'",
    "'a' * 5000", "'9' * 5000", "'é'", "'\\ud800'", "'1e999'", "'0x10'", "'\uff11'", "'1_000'", "'inf'", "'a'",
    "'truth'", "'cem_ord'", "'cem_ord('", "'accuracy_within(n=10**9)'", "object()", "int", "len",
    "lambda *given: 0", "...", "NotImplemented", "Exception()", "(i for i in [1, 2, 3])", "iter([])", "[]",
    "()", "{}", "set()", "{1, 2}", "range(3)", "slice(3)", "loop", "[[1, 2], [3]]", "[[]]", "[[[1]]]",
    "{None: 1}", "{1: 2}", "{'a': {'b': 1}}", "datetime.date(2020, 1, 1)", "datetime.timedelta(1)",
    "np.datetime64('NaT')", "np.array(1)", "np.array([])", "np.zeros((0, 3))", "np.zeros((2, 2, 2))",
    "np.full((3, 3), -1)", "np.full((3, 3), np.nan)", "np.eye(3) * 1e308", "np.eye(3, dtype=object)",
    "np.eye(3) > 0", "np.ma.masked_array([1, 2, 3, 1, 2, 3], [0, 1, 0, 0, 0, 0])",
    "np.array([(1, 2.0)] * 6, dtype='i4,f8')", "np.arange(6, dtype='float16')", "np.arange(6, dtype='m8[s]')",
    "np.arange(6, dtype='complex64')", "np.array(['a', None, 1, 2.0, b'x', ()], object)",
    "np.array([1, 2, 3, 1, 2, 2**64 - 1], 'u8')", "np.array([b'1'] * 6)", "np.str_('1')", "np.bool_(True)",
    "np.longdouble(1)", "memoryview(b'abc')", "array.array('i', [1, 2, 3, 1, 2, 3])", "decimal.Decimal('NaN')",
    "decimal.Decimal('sNaN')", "decimal.Decimal('1e400')", "fractions.Fraction(1, 3)", "pathlib.Path()",
    "io.StringIO('x')", "io.BytesIO(b'x')", "pd.Series([1, 2, 3, 1, 2, 3], dtype='Int8')",
    "pd.Series([1, None, 3, 1, 2, 3], dtype='Int64')", "pd.Series(pd.date_range('2020', periods=6))",
    "pd.DataFrame()", "pd.DataFrame(np.eye(3), columns=['x', 'x', 'y'])",
    "pd.MultiIndex.from_tuples([(1, 2)] * 6)", "pd.Interval(0, 1)", "pd.Categorical(['a', 'b', 'c'] * 2)",
    "pd.Series(pd.interval_range(0, 6))", "pd.Series([1, 2] * 3, dtype='Sparse[int]')",
    "pl.Series([{'a': 1}] * 6)", "pl.Series([[1], [2]] * 3)", "pl.DataFrame()", "pl.Series([b'x'] * 6)",
    "pl.Series([datetime.timedelta(1)] * 6)", "pl.LazyFrame({'truth': GOLD, 'a': A})",
    "pa.array([], pa.null())", "pa.nulls(6)", "pa.chunked_array([[1, 2, 3], [1, 2, 3]])", "pa.table({})",
    "pa.array([{'a': 1}] * 6)", "pa.array([decimal.Decimal('1.5')] * 6)", "pa.scalar(1)",
    "collections.deque([1, 2, 3, 1, 2, 3])", "collections.UserList([1, 2, 3, 1, 2, 3])",
    "collections.Counter('abc')", "types.MappingProxyType({'a': 1})", "types.SimpleNamespace()", "table",
    "runs", "comparison", "evaluation", "frame", "scale", "oe.accuracy", "oe", "oe.Table",
    "np.random.default_rng(0)", "ratings", "agreement", "MARKS", "SHARES", "oe.Ratings",
]
# Where an odd value, X, stands.
AROUND = [
    "X", "X", "X", "[X]", "[X] * 6", "[1, 2, 3, 1, 2, X]", "(X, X)", "{'a': X}", "{'a': A, 'b': X}",
    "lambda *given: X",
]
# What a parameter may well be given, where a call is to get past its first line.
FITTING: dict[str, list[str]] = {
    "path": [repr(name) for name in GOOD + BAD],
    "y_true": ["GOLD", "ratings", "SHARES", "A", "np.array(GOLD)", "pd.Series(A)", "list('abcabc')"],
    "y_pred": ["GOLD", "SHARES", "A", "np.array(GOLD)", "pd.Series(A)", "list('abcabc')"],
    "sample_weight": ["[0.5, 1, 2, 1, 1, 0]"], "count": ["[1, 0, 2, 1, 1, 3]", "'half'", "1"],
    "item": ["list('uvwxyz')", "'id'"], "case": ["list('ccdddd')", "'case'"],
    "labels": ["[1, 2, 3]", "['a', 'b', 'c']"], "values": ["[1, 2, 4]", "[0.5, 1, 7]"],
    "missing": ["'zero'", "'drop'", "'farthest'"], "unknown": ["'missing'"], "gold_missing": ["'drop'"],
    "round": ["'nearest'"], "duplicates": ["'first'"], "metrics": ["['accuracy', 'cem_ord']", "'mae'"],
    "metric": ["'accuracy'", "oe.cem_ord"], "primary": ["'accuracy'"], "level": ["0.9", "None"],
    "n_resamples": ["9"], "resamples": ["9"], "flips": ["99"], "rng": ["1", "np.random.default_rng(1)"],
    "resample": ["'items'", "'cases'"], "method": ["'t'", "'percentile'", "'bca'"], "distribution": ["'fixed'"],
    "test": ["'randomisation'", "'t'"], "correction": ["'holm'", "'maxt'", "'none'"],
    "undefined": ["'zero'", "'error'"], "margin": ["0.1"], "by": ["'half'", "list('uvuvuv')"],
    "data": ["runs", "rated", "table", "GOLD", "'wide.jsonl'", "{'x': table, 'y': table}"],
    "systems": ["{'a': A, 'b': GOLD}", "['a']", "['a.csv', 'b.csv']", "'*.csv'"], "other": ["table"],
    "power": ["0.9"], "difference": ["0.1"], "comparisons": ["3"], "counts": ["[[2, 0], [1, 3]]", "np.eye(3)"],
    "gold_counts": ["[1, 2, 3]"], "unanswered": ["[1, 2, 0]", "[1, 0]"],
    "reference": ["[1, 2, 3]", "'accuracy'"],
    "frame": ["frame", "pl.from_pandas(frame)", "pa.table(frame.to_dict('list'))"],
    "gold": ["'truth'", "'gold.csv'", "GOLD"], "predicted": ["'a'", "['a', 'b']"], "weight": ["'w'"],
    "text": ["table.to_json()", "ratings.to_json()"], "axes": ["[('x', [1, 2])]"],
    "form": ["'json'", "'text'", "'csv'", "'markdown'", "'latex'"], "what": ["'pairs'", "'scores'", "'cases'"],
    "backend": ["'polars'", "'pandas'"], "width": ["40"], "items": ["4", "500"], "classes": ["3"],
    "imbalance_items": ["6"], "properties": ["['imbalance']"], "budget": ["0.2"], "comparison": ["comparison"],
    "result": ["comparison", "evaluation", "table"], "limit": ["1"], "label": ["'tab:x'"], "cases": ["3"],
    "parts": ["2"], "repeats": ["1"], "splits": ["9"], "over": ["['systems']"], "columns": ["GOLD"],
    "name": ["'system'"], "names": ["'system'"], "entries": ["'a'"], "kinds": ["['maj', 'rand']"],
    "ratios": ["[0.1, 0.5]"], "scale_type": ["'interval'", "'nominal'"], "system": ["'a'", "'system'"],
    "shards": ["True"], "skip_bad": ["True"], "proba": ["True"], "marks": ["MARKS", "np.array(MARKS)"],
    "ratings": ["ratings"], "rater": ["'half'", "'rater'"], "raters": ["['a', 'b']", "'a'", "list('abc')"],
    "rule": ["'median'", "'closest'"], "ceiling": ["['mae']", "None"], "shares": ["SHARES", "ratings"],
    "agreement": ["agreement"],
}
CALLED = [
    "oe.evaluate", "oe.compare", "oe.plan", "oe.proximity", "oe.proximity.from_counts", "oe.Scale",
    "oe.Scale.infer", "scale.position", "oe.Table.from_labels", "oe.Table.from_frame", "oe.Table.from_counts",
    "oe.Table.from_file", "oe.Table.from_json", "table.select", "table.pooled", "table.axis", "table.__add__",
    "table.to_text", "table.to_latex", "table.write", "oe.Runs.from_labels", "oe.Runs.from_frame",
    "oe.Runs.from_wide", "oe.Runs.from_files", "runs.select", "comparison.to_frame", "comparison.to_text",
    "comparison.write", "comparison.planned", "comparison.to_latex", "evaluation.__getitem__",
    "evaluation.to_frame", "oe.registry.__getitem__", "oe.registry.get", "plan.detectable",
    "oe.properties.check", "oe.meta.uir", "oe.meta.coverage", "oe.meta.robustness",
    "oe.meta.discriminative_power", "oe.meta.rank_agreement", "oe.meta.split_halves", "oe.meta.study",
    "oe.simulate.collection", "oe.plot.forest", "oe.plot.contingency", "oe.plot.costs", "oe.plot.gold",
    "oe.plot.proximity", "oe.plot.cases", "oe.plot.pairs", "oe.plot.ranks", "oe.plot.agreement",
    "oe.Table.from_soft", "oe.Ratings.from_array", "oe.Ratings.from_frame", "oe.Ratings.from_wide",
    "oe.Ratings.from_file", "oe.Ratings.from_json", "ratings.select", "ratings.leave_out", "ratings.consensus",
    "ratings.__add__", "oe.agree", "agreement.__getitem__", "agreement.to_frame", "agreement.to_text",
    "agreement.write", "agreement.to_latex", "beside.to_frame", "beside.write", "oe.plot.raters",
    "oe.plot.rater_differences", "oe.plot.confusion", "oe.plot.disagreement",
]
# What keeps a call that says nothing of it short.
SHORT = {
    "n_resamples": "9", "resamples": "9", "flips": "99", "splits": "9", "repeats": "1", "budget": "0.2",
    "cases": "3", "parts": "2",
}
# fmt: on
OF_EACH_MEASURE = ["oe.{}", "oe.{}", "oe.{}.from_counts", "oe.{}.with_parameters"]
SETTINGS = ["n", "penalty", "weights", "level", "beta", "gamma", "reference"]
