"""Cross entropy of softmax, row by row, and its gradient."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.narrow import wide
from runners.reference.softmax import Rows, log_softmax, softmax

_ROW = 1


def golden(arguments: Arguments) -> Answers:
    """``loss`` = −Σ labels·log softmax(features), one a row; ``backprop`` = softmax(features) − labels, a matrix."""
    rows, labels = Rows(arguments.tensor("features"), _ROW), arguments.tensor("labels")
    return {"loss": _loss(rows, labels), "backprop": _backprop(rows, labels)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's logarithm of softmax and softmax in the dtype of features, of 16 bits in float32."""
    features, labels = wide(arguments.native("features")), wide(arguments.native("labels"))
    loss = -(labels * torch.log_softmax(features, _ROW)).sum(_ROW)
    return {"loss": loss, "backprop": torch.softmax(features, _ROW) - labels}


def _loss(rows: Rows, labels: torch.Tensor) -> Answer:
    """A label of 0 times a logarithm of −∞ is NaN as written; 0, as if the element were not there, will do."""
    logs = log_softmax(rows)
    assert logs.terms is not None
    readings = [-(labels * value) for value in (logs.value, *logs.alternatives)]
    readings += [torch.where(labels == 0, torch.zeros_like(terms), terms) for terms in readings]
    value, *others = (terms.sum(_ROW) for terms in readings)
    size = torch.where(labels == 0, torch.zeros_like(labels), labels.abs() * logs.terms).sum(_ROW)
    return Answer(value, tuple(others), terms=size, term_count=rows.length)


def _backprop(rows: Rows, labels: torch.Tensor) -> Answer:
    shares = softmax(rows)
    assert shares.terms is not None
    others = tuple(value - labels for value in shares.alternatives)
    return Answer(shares.value - labels, others, terms=shares.terms + labels.abs(), term_count=rows.length)
