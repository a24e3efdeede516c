"""Cross entropy of softmax by rows: −Σ labels · log softmax, and softmax − labels, in float32, each rounded once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.softmax import log_softmax, softmax

_ROW = 1


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``loss``, one a row, and ``backprop`` of ``features`` and ``labels``."""
    unit, outputs = call.unit, call.spec.outputs
    x, labels = (unit.widen(call.inputs[name]) for name in ("features", "labels"))
    loss = -unit.sum_of_products(labels, log_softmax(unit, x, _ROW), _ROW)
    return {
        "loss": unit.deliver(np.reshape(loss, outputs["loss"].shape), outputs["loss"].dtype),
        "backprop": unit.deliver(softmax(unit, x, _ROW) - labels, outputs["backprop"].dtype),
    }
