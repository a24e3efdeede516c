"""The one table of products: our name, document names, SoC name prefixes, architecture and core figures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Product:
    """An Ascend product family, as documents distinguish them.

    ``soc_prefixes`` match what ``aclrtGetSocName`` returns; ``unified_buffer`` is in bytes a vector core.
    """

    name: str
    documents: tuple[str, ...]
    soc_prefixes: tuple[str, ...]
    arch: str
    vector_cores: int
    unified_buffer: int

    def __str__(self) -> str:
        return self.name


_KIB = 1024
PRODUCTS: dict[str, Product] = {
    product.name: product
    for product in (
        Product(
            "ascend950",
            ("Ascend 950PR/Ascend 950DT", "950"),
            ("Ascend950",),
            "DAV_3510",
            64,
            248 * _KIB,
        ),
        Product(
            "ascend910_93",
            ("Atlas A3 训练系列产品/Atlas A3 推理系列产品", "A3"),
            ("Ascend910_93",),
            "DAV_2201",
            48,
            192 * _KIB,
        ),
        Product(
            "ascend910b",
            ("Atlas A2 训练系列产品/Atlas A2 推理系列产品", "A2", "910b"),
            ("Ascend910B1", "Ascend910B2", "Ascend910B3", "Ascend910B4"),
            "DAV_2201",
            48,
            192 * _KIB,
        ),
        Product(
            "ascend310b",
            ("Atlas 200I/500 A2 推理产品", "310b"),
            ("Ascend310B",),
            "DAV_3002",
            1,
            248 * _KIB,
        ),
        Product(
            "ascend310p",
            ("Atlas 推理系列产品", "310p"),
            ("Ascend310P",),
            "DAV_2002",
            8,
            256 * _KIB,
        ),
        # "Ascend910B" without a digit is the old chip, so the newer family above lists its digits.
        Product(
            "ascend910",
            ("Atlas 训练系列产品", "910"),
            ("Ascend910A", "Ascend910ProA", "Ascend910PremiumA", "Ascend910B", "Ascend910ProB"),
            "DAV_1001",
            32,
            256 * _KIB,
        ),
    )
}


def product_of_soc(soc_name: str) -> Product | None:
    """Product that a SoC name string belongs to; the longest matching prefix wins."""
    hits = [(len(p), product) for product in PRODUCTS.values() for p in product.soc_prefixes if soc_name.startswith(p)]
    return max(hits, key=lambda hit: hit[0])[1] if hits else None
