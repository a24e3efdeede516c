import numpy as np
import pytest
import torch

from conformance.dtype import DTYPES
from runners.reference.convert import is_convertible, to_float64, to_numpy, to_torch

CONVERTIBLE = [name for name, dtype in DTYPES.items() if is_convertible(dtype)]
SIXTEEN_BITS = np.arange(2**16, dtype=np.uint16)


def test_all_types_of_the_seed_apis_are_convertible():
    assert {"float16", "bfloat16", "float32", "float64", "int8", "int32", "int64"} <= set(CONVERTIBLE)


@pytest.mark.parametrize("name", CONVERTIBLE)
def test_a_round_trip_keeps_every_element_and_its_type(name):
    array = np.array([[0, 1], [1, 0], [1, 1]]).astype(DTYPES[name].numpy)
    tensor = to_torch(array)
    assert tensor.dtype is getattr(torch, name)
    back = to_numpy(tensor)
    assert back.dtype == array.dtype
    assert back.tolist() == array.tolist()


@pytest.mark.parametrize("name", ["bfloat16", "float16"])
def test_a_round_trip_keeps_every_bit_pattern(name):
    array = SIXTEEN_BITS.view(DTYPES[name].numpy)
    assert np.array_equal(to_numpy(to_torch(array)).view(np.uint16), SIXTEEN_BITS)


def test_bfloat16_means_the_same_number_in_torch():
    array = SIXTEEN_BITS.view(DTYPES["bfloat16"].numpy)
    assert np.array_equal(to_torch(array).double().numpy(), to_float64(array).numpy(), equal_nan=True)


def test_conversion_copies_strided_and_0_dim_arrays():
    source = np.arange(6, dtype=np.float32).reshape(2, 3)
    tensor = to_torch(source.T[::-1])
    source[:] = -1
    assert tensor.tolist() == [[2, 5], [1, 4], [0, 3]]
    assert to_torch(np.array(2.5, dtype=DTYPES["bfloat16"].numpy)).shape == ()
