"""Faults that only one product shows: its types, its rules, its cores."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from conformance.contract import Basis, Constraint, Contract
from conformance.dtype_rules import DTypeIn, DTypeLists, DTypeNotIn
from conformance.product import PRODUCTS, Product
from conformance.tensor import Array
from runners.faults.contracts import Refusing, Rewrite, checking
from runners.faults.fault import EASY, MEDIUM, Applies, Fault, FaultClass
from runners.faults.kernels import Output, changing_outputs
from runners.faults.views import tensors_read
from runners.faults.where import broadcasts, declares, only, withholds

_fault = partial(Fault, FaultClass.PRODUCT)
_HAS_BFLOAT16 = "dtype/*/bfloat16/{product}"
_NEW, _OLD, _MIDDLE = ("ascend950",), ("ascend910",), ("ascend910b",)


def _every_type(constraints: list[Constraint]) -> list[Constraint]:
    """Types that some product takes are taken everywhere."""
    kept = [one for one in constraints if not isinstance(one.rule, DTypeNotIn)]
    return [
        replace(one, rule=replace(one.rule, dtypes=DTypeLists(one.rule.dtypes.everywhere)))
        if isinstance(one.rule, DTypeIn)
        else one
        for one in kept
    ]


def _rules_of(name: str) -> Rewrite:
    """The constraints of one product hold on all."""
    return lambda constraints: [replace(one, products=None) for one in constraints if one.applies_to(PRODUCTS[name])]


def _rules_differ(name: str) -> Applies:
    """APIs where a constraint that document and implementation share holds on one of two products."""
    return lambda contract, product: any(
        one.basis is Basis.BOTH and one.applies_to(product) != one.applies_to(PRODUCTS[name])
        for one in contract.constraints
    )


def _bfloat16(refused: bool = True) -> Refusing:
    return Refusing(
        lambda call: refused and any(t.dtype.name == "bfloat16" for t in tensors_read(call).values()),
    )


def _cores_of_the_older(output: Output) -> Array:
    """The work is dealt to the cores of this product, and as many run as 910B has."""
    size, cores = output.values.size, output.call.product.vector_cores
    share = -(-size // cores)
    return output.unwritten(slice(share * PRODUCTS["ascend910b"].vector_cores, None)) if size > 1024 else output.values


def _mixed(contract: Contract, product: Product) -> bool:
    return only("aclnnSiluBackward")(contract, product)


FAULTS = (
    _fault(
        "bfloat16_taken_everywhere", EASY, "bfloat16 is taken on 910, which does not list it", "ops-nn@61f4b7d38",
        checking(_every_type), withholds("bfloat16"), _OLD,
    ),
    _fault(
        "bfloat16_refused_on_910b", EASY, "bfloat16 is refused on 910B", "ops-nn@dea19dca2", _bfloat16,
        declares(_HAS_BFLOAT16), _MIDDLE,
    ),
    _fault(
        "bfloat16_refused_on_950", EASY, "bfloat16 is refused on 950", "ops-nn@dea19dca2", _bfloat16,
        declares(_HAS_BFLOAT16), _NEW,
    ),
    _fault(
        "rules_of_950_on_910b", MEDIUM, "910B checks what 950 checks", "ops-nn@61f4b7d38",
        checking(_rules_of("ascend950")), _rules_differ("ascend950"), _MIDDLE,
    ),
    _fault(
        "rules_of_910b_on_950", MEDIUM, "950 checks what 910B checks", "ops-nn@61f4b7d38",
        checking(_rules_of("ascend910b")), _rules_differ("ascend910b"), _NEW,
    ),
    _fault(
        "rules_of_910b_on_910", MEDIUM, "910 checks what 910B checks", "ops-nn@61f4b7d38",
        checking(_rules_of("ascend910b")), _rules_differ("ascend910b"), _OLD,
    ),
    _fault(
        "broadcast_refused_on_950", MEDIUM, "950 refuses to broadcast", "ops-nn@f98f04ca8",
        lambda: Refusing(lambda call: len({t.shape for n, t in tensors_read(call).items() if n != "weight"}) > 1),
        broadcasts, _NEW,
    ),
    _fault(
        "mixed_types_refused_on_950", MEDIUM, "950 refuses mixed types", "xla#7090",
        lambda: Refusing(lambda call: len({t.dtype.name for _, t in call.tensors(written=False)}) > 1), _mixed, _NEW,
    ),
    _fault(
        "cores_of_910b_on_950", MEDIUM, "of the 64 cores of 950 as many run as 910B has", "ops-nn@6f2c99daa",
        changing_outputs(_cores_of_the_older), products=_NEW,
    ),
)  # fmt: skip
"""Faults of this class."""
