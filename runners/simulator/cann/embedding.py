"""The bridge library's C source: a cffi-embedded module that starts ``bridge`` in whatever interpreter there is.

In a Python process the running interpreter is used; in any other an interpreter is started that finds the
packages of the one which built the tree. ``ACLNN_SIM_PYTHONPATH`` (paths separated by colons) replaces
the list of places built in.
"""

from __future__ import annotations

import contextlib
import io
import site
import sys
import sysconfig
from pathlib import Path
from typing import Any

import cffi

import runners

MODULE = "aclnn_simulator_embedded"
PATH_VARIABLE = "ACLNN_SIM_PYTHONPATH"
SOURCE = Path(__file__).with_name("source")

_INIT = """
import importlib.util, os, site, sys
if importlib.util.find_spec("runners") is None or importlib.util.find_spec("numpy") is None:
    given = os.environ.get({variable!r})
    places = given.split(os.pathsep) if given else {places!r}
    before = list(sys.path)
    for place in places:
        site.addsitedir(place)
    sys.path[:] = [place for place in sys.path if place not in before] + before
from {module} import ffi
from runners.simulator.cann.bridge import connect
connect(ffi)
"""

_PRELUDE = """
#include "bridge.h"
#define EXPORTED __attribute__((visibility("default")))
EXPORTED const char aclnn_simulator_python[] = "{version}";
EXPORTED const char aclnn_simulator_home[] = "{home}";
EXPORTED int aclnn_simulator_has_interpreter(void) {{ return Py_IsInitialized(); }}
"""


def places() -> list[str]:
    """Folders in which a started interpreter finds our packages and those we need."""
    project = str(Path(str(runners.__file__)).resolve().parent.parent)
    return list(dict.fromkeys([*site.getsitepackages(), sysconfig.get_path("purelib"), project]))


def bridge_source() -> str:
    """C source of the bridge library for the running interpreter."""
    ffi = cffi.FFI()
    ffi.cdef(_declarations("bridge.h"))
    ffi.embedding_api(_declarations("bridge_functions.h").replace('extern "Python" {', "").rstrip().rstrip("}"))
    ffi.embedding_init_code(_INIT.format(variable=PATH_VARIABLE, places=places(), module=MODULE))
    version = "{}.{}.".format(*sys.version_info[:2])
    ffi.set_source(MODULE, _PRELUDE.format(version=version, home=sys.base_prefix))
    return _emitted(ffi)


def _emitted(ffi: Any) -> str:
    """What cffi writes to a file, without the line it prints about that."""
    text = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()):
        ffi.emit_c_code(text)
    return text.getvalue()


def _declarations(name: str) -> str:
    lines = (SOURCE / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("#"))
