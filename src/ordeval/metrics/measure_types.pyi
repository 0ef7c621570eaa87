# What type checkers know of each measure: the settings that it takes, and what it gives back.
# `make door` writes this file from the registry; do not edit it by hand. At run time every measure is a Metric.

from collections.abc import Iterable, Sequence
from typing import Any, Literal, overload

from ordeval.metrics.agreement_weights import KappaWeights, Weights
from ordeval.metrics.core import Values
from ordeval.metrics.metric import Metric
from ordeval.ratings import Ratings
from ordeval.table import Table

class MeasureWithReference(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
        reference: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, reference: Any = None) -> float: ...
    @overload
    def __call__(self, y_true: Table, *, reference: Any = None) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
        reference: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
        reference: Any = None,
    ) -> float | Values: ...
    def with_parameters(self) -> MeasureWithReference: ...  # type: ignore[override]

class MeasureWithoutSettings(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings) -> float: ...
    @overload
    def __call__(self, y_true: Table) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self) -> MeasureWithoutSettings: ...  # type: ignore[override]

class AccuracyWithin(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        n: int = 1,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, n: int = 1) -> float: ...
    @overload
    def __call__(self, y_true: Table, *, n: int = 1) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        n: int = 1,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        n: int = 1,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self, *, n: int = 1) -> AccuracyWithin: ...  # type: ignore[override]

class ThresholdLoss(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        penalty: Literal["hinge", "logistic", "zero_one"] = "hinge",
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(
        self,
        y_true: Ratings,
        *,
        penalty: Literal["hinge", "logistic", "zero_one"] = "hinge",
    ) -> float: ...
    @overload
    def __call__(
        self,
        y_true: Table,
        *,
        penalty: Literal["hinge", "logistic", "zero_one"] = "hinge",
    ) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        penalty: Literal["hinge", "logistic", "zero_one"] = "hinge",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        penalty: Literal["hinge", "logistic", "zero_one"] = "hinge",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(  # type: ignore[override]
        self,
        *,
        penalty: Literal["hinge", "logistic", "zero_one"] = "hinge",
    ) -> ThresholdLoss: ...

class WeightedKappa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        weights: KappaWeights = "linear",
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, weights: KappaWeights = "linear") -> float: ...
    @overload
    def __call__(self, y_true: Table, *, weights: KappaWeights = "linear") -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        weights: KappaWeights = "linear",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        weights: KappaWeights = "linear",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self, *, weights: KappaWeights = "linear") -> WeightedKappa: ...  # type: ignore[override]

class KrippendorffAlpha(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        level: Literal["ordinal", "interval", "ratio", "nominal"] = "ordinal",
        weights: Weights | None = None,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(
        self,
        y_true: Ratings,
        *,
        level: Literal["ordinal", "interval", "ratio", "nominal"] = "ordinal",
        weights: Weights | None = None,
    ) -> float: ...
    @overload
    def __call__(
        self,
        y_true: Table,
        *,
        level: Literal["ordinal", "interval", "ratio", "nominal"] = "ordinal",
        weights: Weights | None = None,
    ) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        level: Literal["ordinal", "interval", "ratio", "nominal"] = "ordinal",
        weights: Weights | None = None,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        level: Literal["ordinal", "interval", "ratio", "nominal"] = "ordinal",
        weights: Weights | None = None,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(  # type: ignore[override]
        self,
        *,
        level: Literal["ordinal", "interval", "ratio", "nominal"] = "ordinal",
        weights: Weights | None = None,
    ) -> KrippendorffAlpha: ...

class GwetAc2(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        weights: Weights = "ordinal",
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, weights: Weights = "ordinal") -> float: ...
    @overload
    def __call__(self, y_true: Table, *, weights: Weights = "ordinal") -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        weights: Weights = "ordinal",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        weights: Weights = "ordinal",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self, *, weights: Weights = "ordinal") -> GwetAc2: ...  # type: ignore[override]

class FleissKappa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        weights: Weights = "identity",
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, weights: Weights = "identity") -> float: ...
    @overload
    def __call__(self, y_true: Table, *, weights: Weights = "identity") -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        weights: Weights = "identity",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        weights: Weights = "identity",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self, *, weights: Weights = "identity") -> FleissKappa: ...  # type: ignore[override]

class CongerKappa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        weights: Weights = "identity",
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, weights: Weights = "identity") -> float: ...
    @overload
    def __call__(self, y_true: Table, *, weights: Weights = "identity") -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        weights: Weights = "identity",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        weights: Weights = "identity",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self, *, weights: Weights = "identity") -> CongerKappa: ...  # type: ignore[override]

class BrennanPrediger(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        weights: Weights = "identity",
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, weights: Weights = "identity") -> float: ...
    @overload
    def __call__(self, y_true: Table, *, weights: Weights = "identity") -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        weights: Weights = "identity",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        weights: Weights = "identity",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self, *, weights: Weights = "identity") -> BrennanPrediger: ...  # type: ignore[override]

class OrdinalClassificationIndex(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        beta: float = 0.75,
        gamma: float = 1.0,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, beta: float = 0.75, gamma: float = 1.0) -> float: ...
    @overload
    def __call__(
        self,
        y_true: Table,
        *,
        beta: float = 0.75,
        gamma: float = 1.0,
    ) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        beta: float = 0.75,
        gamma: float = 1.0,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        beta: float = 0.75,
        gamma: float = 1.0,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(  # type: ignore[override]
        self,
        *,
        beta: float = 0.75,
        gamma: float = 1.0,
    ) -> OrdinalClassificationIndex: ...

class UniformOrdinalIndex(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        beta: float = 0.75,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, beta: float = 0.75) -> float: ...
    @overload
    def __call__(self, y_true: Table, *, beta: float = 0.75) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        beta: float = 0.75,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        beta: float = 0.75,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self, *, beta: float = 0.75) -> UniformOrdinalIndex: ...  # type: ignore[override]

class ProbabilisticMeasureWithoutSettings(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings) -> float: ...
    @overload
    def __call__(self, y_true: Table) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self) -> ProbabilisticMeasureWithoutSettings: ...  # type: ignore[override]

class ProbabilisticMeasureWithReference(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
        reference: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, reference: Any = None) -> float: ...
    @overload
    def __call__(self, y_true: Table, *, reference: Any = None) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
        reference: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
        reference: Any = None,
    ) -> float | Values: ...
    def with_parameters(self) -> ProbabilisticMeasureWithReference: ...  # type: ignore[override]

class LogLoss(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        epsilon: float = 2.220446049250313e-16,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, epsilon: float = 2.220446049250313e-16) -> float: ...
    @overload
    def __call__(
        self,
        y_true: Table,
        *,
        epsilon: float = 2.220446049250313e-16,
    ) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        epsilon: float = 2.220446049250313e-16,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        epsilon: float = 2.220446049250313e-16,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self, *, epsilon: float = 2.220446049250313e-16) -> LogLoss: ...  # type: ignore[override]

class CalibrationError(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        bins: int = 10,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, bins: int = 10) -> float: ...
    @overload
    def __call__(self, y_true: Table, *, bins: int = 10) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        bins: int = 10,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        bins: int = 10,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self, *, bins: int = 10) -> CalibrationError: ...  # type: ignore[override]

class Wasserstein(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        divide_by: Literal["range", "classes"] = "range",
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(
        self,
        y_true: Ratings,
        *,
        divide_by: Literal["range", "classes"] = "range",
    ) -> float: ...
    @overload
    def __call__(
        self,
        y_true: Table,
        *,
        divide_by: Literal["range", "classes"] = "range",
    ) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        divide_by: Literal["range", "classes"] = "range",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        divide_by: Literal["range", "classes"] = "range",
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(  # type: ignore[override]
        self,
        *,
        divide_by: Literal["range", "classes"] = "range",
    ) -> Wasserstein: ...

class CrossEntropy(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        epsilon: float = 1e-12,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: Literal["error", "zero", "farthest", "drop"] = "error",
        unknown: Literal["error", "missing"] = "error",
        gold_missing: Literal["error", "drop"] = "error",
        round: Literal["error", "nearest"] = "error",
        sample_weight: Any = None,
        count: Any = None,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, epsilon: float = 1e-12) -> float: ...
    @overload
    def __call__(self, y_true: Table, *, epsilon: float = 1e-12) -> float | Values: ...
    @overload  # type: ignore[override]
    def from_counts(
        self,
        counts: Sequence[Sequence[float]],
        *,
        epsilon: float = 1e-12,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float: ...
    @overload
    def from_counts(
        self,
        counts: Any,
        *,
        epsilon: float = 1e-12,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
    ) -> float | Values: ...
    def with_parameters(self, *, epsilon: float = 1e-12) -> CrossEntropy: ...  # type: ignore[override]
