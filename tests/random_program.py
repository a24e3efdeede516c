"""A program that speaks JSON lines: randomised leaky ReLU in training; ``seedless`` and ``apart`` make it lie."""

import base64
import json
import random
import sys
from array import array
from itertools import chain
from pathlib import Path

LIE = sys.argv[1] if len(sys.argv) > 1 else ""
GUARD = 64


def load(memory):
    raw = base64.b64decode(memory["base64"]) if "base64" in memory else Path(memory["file"]).read_bytes()
    return array("f", raw)


def store(memory, values, index):
    if "file" in memory:
        Path(memory["file"]).write_bytes(values.tobytes())
        return []
    return [{"memory": index, "base64": base64.b64encode(values.tobytes()).decode()}]


def run(asked):
    given, memories = asked["arguments"], asked["memories"]
    x, noise, out = (load(memories[given[name]["memory"]]) for name in ("self", "noise", "out"))
    draws = random.Random(0 if LIE == "seedless" else f"{given['seed']['value']} {given['offset']['value']}")
    first, low, high = GUARD // 4, given["lower"]["value"], given["upper"]["value"]
    for at in range(first, len(x) - first):
        factor = draws.uniform(low, high) if x[at] < 0 else 1.0
        noise[at] = factor
        out[at] = x[at] * (draws.uniform(low, high) if LIE == "apart" and x[at] < 0 else noise[at])
    written = {"noise": noise, "out": out}
    changed = [store(memories[given[n]["memory"]], values, given[n]["memory"]) for n, values in written.items()]
    return {"results": [{"status": 0}, {"status": 0}], "workspace_bytes": 0, "memories": [*chain(*changed)]}


for line in sys.stdin:
    message = json.loads(line)
    if message["do"] == "stop":
        break
    answers = {"start": {"protocol": 1, "name": "random", "version": "1"}, "supports": {"unsupported": None}}
    print(json.dumps({"id": message["id"], **(answers.get(message["do"]) or run(message))}), flush=True)
