"""Small msopst cases of our own."""

import json


def described(name="x", **more):
    usual = {"format": ["ND"], "type": ["float"], "shape": [[3, 5]]}
    return {"name": name, **usual, "data_distribute": ["uniform"], "value_range": [[-2, 2]], **more}


def case(*inputs, op="Silu", outputs=None, **more):
    given = {"case_name": "Test_001", "op": op, "error_threshold": "[0.01, 0.05]", "st_mode": ""}
    stated = {} if outputs is None else {"output_desc": list(outputs)}
    return {**given, "input_desc": list(inputs), **stated, **more}


def write_msopst(folder, *cases, name="Silu_case.json"):
    path = folder / name
    path.write_text(json.dumps(list(cases)))
    return path
