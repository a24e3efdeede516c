"""Small ATK cases of our own, in every form that such files have."""

import json


def tensor(name="self", shape=(3, 5), dtype="fp32", values=(-2, 2), **more):
    keys = {"required": True, "backward": False, "align_32B": None}
    span = list(values) if isinstance(values, tuple) else values
    return {"name": name, "type": "tensor", "dtype": dtype, "shape": list(shape), "range_values": span, **keys, **more}


def attribute(name, value, dtype="int", kind="attr", **more):
    return {"name": name, "type": kind, "required": True, "dtype": dtype, "shape": None, "range_values": value, **more}


def case(number, *inputs, api="Silu", **more):
    given = {"id": number, "name": "made.up", "api_type": "function", "aclnn_name": api}
    return {**given, "standard": {"acc": "single_bm", "perf": "not_key"}, "inputs": list(inputs), **more}


def write_atk(folder, *cases, api="Silu"):
    path = folder / f"atk_aclnn{api}.json"
    path.write_text(json.dumps(list(cases)))
    return path
