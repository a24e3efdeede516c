"""Relations see what tolerances let pass, and say nothing where a correct implementation may differ."""

from dataclasses import replace

import numpy as np
import planted
import pytest
from tiny import prelu_cases, prelu_group, session

from conformance.case import CaseFile, Group
from conformance.expand import expand
from conformance.load import load_contracts
from conformance.outcome import Phase, Rejected
from conformance.properties import InPlace
from conformance.signature import Role
from runners.fuzz.relations import compare, relations_of
from runners.fuzz.trial import Trial, difference
from runners.reference.runner import ReferenceRunner


class Honest(planted.Planted):
    pass


class Flickers(planted.Planted):
    """Every second run is one step off in one element."""

    runs = 0

    def spoil(self, call):
        self.runs += 1
        view = planted.first(call).view()
        view[(0,) * view.ndim] = np.nextafter(view[(0,) * view.ndim], 9) if self.runs % 2 else view[(0,) * view.ndim]


class KeepsPlaces(planted.Planted):
    """The third element of a run is one step off, whatever it is."""

    def spoil(self, call):
        flat = planted.first(call).view().reshape(-1)
        flat[2:3] = np.nextafter(flat[2:3], flat.dtype.type(9))


class AddsALittle(planted.Planted):
    def spoil(self, call):
        planted.first(call).view()[...] += np.float32(1e-3)


class ClearsFirst(planted.Planted):
    """Outputs are cleared before inputs are read: wrong only where they share memory."""

    def run(self, call):
        planted.first(call).view()[...] = 0
        return super().run(call)


class RefusesDense(planted.Planted):
    def after(self, call, outcome):
        dense = all(tensor.is_contiguous for _, tensor in call.tensors(written=False))
        return Rejected(Phase.WORKSPACE, 7, "no") if dense else None


def trial(path, api, runner, arguments):
    """A float32 call of tensors of 2 x 3 elements; ``arguments`` gives values, or other keys, or plain values."""
    contract = load_contracts()[api]
    made = {}
    for parameter in contract.parameters:
        given = arguments.get(parameter.name, {"values": {"list": [1, -2, 3, -4, 5, -6]}})
        tensor = {"dtype": "float32", "shape": [2, 3], **(given if isinstance(given, dict) else {})}
        made[parameter.name] = given if not isinstance(given, dict) or "scalar" in given else tensor
        if parameter.role is Role.OUTPUT:
            made[parameter.name].pop("values", None)
    body = {"name": "g", "about": "a call of a test", "arguments": made, "expect": "success"}
    (case,) = expand(CaseFile(path / "f.json", "", contract, {}, (Group("g", body, ""),)))
    made_session = session(runner)
    return Trial(contract, made_session.make_call(case), made_session.runner.run, made_session.reference)


LAMBD = {"lambd": {"scalar": 0.5, "dtype": "float32"}}
STRIDED = {**LAMBD, "self": {"values": {"list": [1, -2, 3, -4, 5, -6]}, "layout": "transposed"}}
BROKEN = [
    ("repeat", "aclnnSilu", Flickers, {}),
    ("repeat", "aclnnInplaceSigmoid", Flickers, {}),
    ("layout", "aclnnHardshrink", Flickers, STRIDED),
    ("reversal", "aclnnHardshrink", KeepsPlaces, LAMBD),
    ("split", "aclnnHardshrink", KeepsPlaces, LAMBD),
    ("split", "aclnnInplaceRelu", KeepsPlaces, {}),
    ("scaling", "aclnnSiluBackward", AddsALittle, {}),
    ("zero_sum", "aclnnSoftmaxBackward", AddsALittle, {"dim": -1}),
]


@pytest.mark.parametrize(("name", "api", "liar", "arguments"), BROKEN)
def test_a_relation_is_broken_by_its_fault_and_kept_by_the_honest(name, api, liar, arguments, tmp_path):
    assert [complaint for complaint in compare(name, trial(tmp_path, api, liar(), arguments)) if complaint]
    assert set(compare(name, trial(tmp_path, api, Honest(), arguments))) == {""}


def test_an_output_in_place_of_an_input_is_compared_where_the_contract_allows_it(tmp_path):
    apart = trial(tmp_path, "aclnnHardshrink", ClearsFirst(), LAMBD)
    assert "in_place" not in relations_of(apart.contract)
    promised = replace(apart.contract, properties=(InPlace("out", ("self",)),))
    assert "in_place" in relations_of(promised)
    cleared = Trial(promised, apart.call, ClearsFirst().run, apart.reference)
    assert "4 of" in compare("in_place", cleared)[0] or "6 of" in compare("in_place", cleared)[0]
    assert compare("in_place", Trial(promised, apart.call, Honest().run, apart.reference)) == [""]


class Undefines(ReferenceRunner):
    """The golden leaves the last element undefined, as a document does with rows of no group."""

    def golden(self, call):
        golden = super().golden(call)
        free = np.zeros(golden["gradInput"].value.shape, np.bool_)
        free.reshape(-1)[-1] = True
        return {"gradInput": replace(golden["gradInput"], free=free)}


class AddsToTheLast(planted.Planted):
    def spoil(self, call):
        planted.first(call).view().reshape(-1)[-1] += np.float32(1e-3)


def test_elements_of_which_the_document_says_nothing_are_not_scaled(tmp_path):
    whole = trial(tmp_path, "aclnnSiluBackward", AddsToTheLast(), {})
    assert "1 of 6 differ" in compare("scaling", whole)[0]
    partly = replace(whole, reference=Undefines())
    assert partly.defined("gradInput").reshape(-1).tolist() == [True] * 5 + [False]
    assert compare("scaling", partly) == [""]


def test_a_call_that_is_refused_the_other_way_is_a_complaint(tmp_path):
    strided = trial(tmp_path, "aclnnHardshrink", RefusesDense(), STRIDED)
    assert compare("layout", strided) == ["the call made the other way was rejected at workspace with 7"]


@pytest.mark.parametrize(
    ("name", "api", "arguments", "why"),
    [
        ("layout", "aclnnSilu", {"self": {"layout": "transposed"}}, "functions may differ by a step"),
        ("scaling", "aclnnSiluBackward", {"self": {"values": {"constant": 1e30}}}, "products could overflow"),
        ("repeat", "aclnnHardshrink", STRIDED, "a strided call is the business of layout"),
        ("zero_sum", "aclnnSoftmaxBackward", {"dim": 0, "gradOutput": {"values": {"constant": "nan"}}}, "NaN"),
    ],
)
def test_a_relation_is_silent_where_it_proves_nothing(name, api, arguments, why, tmp_path):
    assert compare(name, trial(tmp_path, api, AddsALittle(), arguments)) == []


def test_weights_by_channel_have_a_place_so_that_nothing_is_reversed(tmp_path):
    (case,) = prelu_cases(tmp_path, prelu_group())
    assert relations_of(case.contract) == ["repeat", "layout", "scaling"]


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [([0.0], [-0.0], 0), ([np.nan], [-np.nan], 0), ([np.nan], [1], 1), ([1, 2], [1, 3], 1), ([], [], 0)],
)
def test_every_nan_is_alike_and_so_are_the_zeros(one, other, differ):
    found = difference(np.array(one, np.float32), np.array(other, np.float32))
    assert bool(found) == bool(differ)
