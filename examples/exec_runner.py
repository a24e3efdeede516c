"""A runner without the suite: SiLU and hard shrink over JSON lines. Of all refusals it knows null pointers."""

import base64
import itertools
import json
import math
import struct
import sys
from pathlib import Path

APIS = {"aclnnSilu": ("self", "out"), "aclnnHardshrink": ("self", "lambd", "out")}
PRODUCTS = ("ascend910b", "ascend910_93")
SIZES = {"float16": 2, "bfloat16": 2, "float32": 4}
LETTERS = {"float16": "<e", "float32": "<f"}


def decode(dtype, raw):
    return struct.unpack("<f", b"\0\0" + raw)[0] if dtype == "bfloat16" else struct.unpack(LETTERS[dtype], raw)[0]


def encode(dtype, value):
    if dtype != "bfloat16":
        return struct.pack(LETTERS[dtype], value)
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    to_even = 0 if math.isnan(value) else 0x7FFF + (bits >> 16 & 1)
    return struct.pack("<I", bits + to_even)[2:]


def load(memory):
    return bytearray(base64.b64decode(memory["base64"]) if "base64" in memory else Path(memory["file"]).read_bytes())


def places(tensor):
    """Byte position of every element, in row-major order."""
    for index in itertools.product(*map(range, tensor["shape"])):
        at = tensor["offset"] + sum(i * stride for i, stride in zip(index, tensor["strides"], strict=True))
        yield tensor["byte_offset"] + at * SIZES[tensor["dtype"]]


def compute(api, x, limit):
    if api == "aclnnHardshrink":
        return 0.0 if abs(x) <= limit else x
    return x / (1 + math.exp(-x)) if x > -700 else x * math.exp(x) if x > -math.inf else math.nan


def run(asked):
    api, arguments, steps = asked["api"], asked["arguments"], asked["steps"]
    if [step["do"] for step in steps] != ["workspace", "run"] or steps[1]["null"]:
        return {"unsupported": "only phase 1 and then phase 2, each once"}
    missing = sorted({*steps[0]["null"], *(name for name in APIS[api] if arguments[name] is None)})
    if missing:
        return {"results": [{"status": 161001, "message": f"null: {', '.join(missing)}"}, {"status": None}]}
    x, out = arguments["self"], arguments["out"]
    if (x["shape"], x["dtype"]) != (out["shape"], out["dtype"]) or x["dtype"] not in SIZES or len(x["shape"]) > 8:
        return {"unsupported": "only float tensors of one shape and type, of up to 8 dimensions"}
    limit = float(arguments.get("lambd", {"value": 0})["value"])
    home, dtype, size = asked["memories"][out["memory"]], x["dtype"], SIZES[x["dtype"]]
    source, target = load(asked["memories"][x["memory"]]), load(home)
    for at, to in zip(places(x), places(out), strict=True):
        target[to : to + size] = encode(dtype, compute(api, decode(dtype, source[at : at + size]), limit))
    if "file" in home:
        Path(home["file"]).write_bytes(target)
    changed = [] if "file" in home else [{"memory": out["memory"], "base64": base64.b64encode(target).decode()}]
    return {"results": [{"status": 0}, {"status": 0}], "workspace_bytes": 0, "memories": changed}


def answer(asked):
    if asked["do"] == "start":
        return {"protocol": 1, "name": "exec-example", "version": "1", "facts": {"python": sys.version.split()[0]}}
    known = asked["api"] in APIS and asked["product"] in PRODUCTS
    if asked["do"] == "supports":
        return {"unsupported": None if known else f"{asked['api']} is not written for {asked['product']}"}
    return run(asked)


for line in sys.stdin:
    message = json.loads(line)
    if message["do"] == "stop":
        break
    print(json.dumps({"id": message["id"], **answer(message)}), flush=True)
