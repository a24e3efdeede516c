"""Cases of the suite's own APIs written for one test."""

import json
import shutil
from pathlib import Path

import pytest

from conformance.data import data_root


@pytest.fixture
def case_file(tmp_path):
    """Write a group of an API, given by its folder's name, beside a copy of the contract; refusals need ``legal``."""

    def write(api: str, arguments, expect="success", legal=None, **changes) -> Path:
        folder = tmp_path / "activation" / api
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(data_root() / "activation" / api / "contract.json", folder)
        contract = json.loads((folder / "contract.json").read_text())
        group = {"name": "only", "about": "a group as it stands in a test", "arguments": arguments, "expect": expect}
        groups = [{**group, **changes}]
        if legal:
            groups[0]["control"] = "legal"
            groups.append({**group, "name": "legal", "about": "the same without the fault", "arguments": legal})
            groups[1]["expect"] = "success"
        document = {"$schema": "../../schemas/cases-1.schema.json", "api": contract["api"], "groups": groups}
        path = folder / "numeric.json"
        path.write_text(json.dumps(document))
        return path

    return write
