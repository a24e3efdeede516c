"""Which device a process takes, and what the record says of driver and packages."""

import pytest

from runners.aclnn.device import NoDevice, pick_device
from runners.aclnn.library import Installation, Library, Place
from runners.aclnn.provenance import driver_facts, version_facts


@pytest.mark.parametrize(
    ("device", "worker", "number"),
    [("0", None, 0), ("3", "gw7", 3), ("4,5", None, 4), ("4,5", "gw0", 4), ("4, 5", "gw1", 5), ("4,5", "gw2", 4)],
)
def test_each_worker_takes_a_device_of_its_own(device, worker, number):
    assert pick_device(device, {} if worker is None else {"PYTEST_XDIST_WORKER": worker}) == number
    if worker is not None:
        assert pick_device(device, {"CONFORMANCE_WORKER": worker.removeprefix("gw")}) == number


@pytest.mark.parametrize("worker", ["x", "-1", "1.0"])
def test_a_process_whose_number_is_none_takes_no_device(worker):
    with pytest.raises(NoDevice, match=r"CONFORMANCE_WORKER is .*unset it"):
        pick_device("0,1", {"CONFORMANCE_WORKER": worker})


@pytest.mark.parametrize("device", ["", ",", "npu", "-1", "0;1"])
def test_a_device_that_is_no_number_is_refused(device):
    with pytest.raises(NoDevice, match="neither a device id nor a list"):
        pick_device(device, {})


def test_packages_and_driver_are_read_from_their_version_files(tmp_path):
    for path, text in {
        "share/info/runtime/version.info": "Version=9.1.0\nversion_dir=9.1\n",
        "share/info/ops-nn/version.info": "Version = 9.1.1\n",
        "ascend/driver/version.info": "package_version=1\nVersion=25.0\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    record = tmp_path / "install.info"
    record.write_text(f"Driver_Install_Path_Param={tmp_path / 'ascend'}\n")
    library = Library("x.so", 1)
    installation = Installation(Place(tmp_path / "lib64"), library, library, ())
    assert version_facts(installation) == {
        "cann": "9.1.0",
        "version of ops-nn": "9.1.1",
        "version of runtime": "9.1.0",
    }
    assert driver_facts(record) == {"driver": "25.0"}
    assert driver_facts(tmp_path / "gone") == {}
