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
SOURCE = Path(__file__).with_name("source")

_INIT = f"""
from {MODULE} import ffi
from runners.simulator.cann.bridge import connect
connect(ffi)
"""

_PRELUDE = """
#include <string.h>
#include "bridge.h"
#define EXPORTED __attribute__((visibility("default")))
EXPORTED const char aclnn_simulator_python[] = "{version}";
EXPORTED const char aclnn_simulator_home[] = "{home}";
EXPORTED const char aclnn_simulator_places[] = "{places}";
EXPORTED int aclnn_simulator_has_interpreter(void) {{ return Py_IsInitialized(); }}
/* Makes packages at these places, separated by colons, importable in a running interpreter, after its own. */
EXPORTED void aclnn_simulator_add_places(const char *places) {{
    PyGILState_STATE state = PyGILState_Ensure();
    /* Before Python 3.12 cffi uses this type's version tag as a lock and asserts that it is clear; a lookup sets it. */
    PyType_Modified(&PyCapsule_Type);
    PyObject *path = PySys_GetObject("path");
    while (path != NULL && *places != '\\0') {{
        size_t length = strcspn(places, ":");
        PyObject *place = PyUnicode_DecodeFSDefaultAndSize(places, (Py_ssize_t)length);
        if (place == NULL || PyList_Append(path, place) != 0) PyErr_Clear();
        Py_XDECREF(place);
        places += length + (places[length] == ':');
    }}
    PyGILState_Release(state);
}}
"""


def places() -> list[str]:
    """Folders in which an interpreter finds our packages and those we need."""
    project = str(Path(str(runners.__file__)).resolve().parent.parent)
    return list(dict.fromkeys([*site.getsitepackages(), sysconfig.get_path("purelib"), project]))


def bridge_source() -> str:
    """C source of the bridge library for the running interpreter."""
    ffi = cffi.FFI()
    ffi.cdef(declarations("bridge.h"))
    ffi.embedding_api(declarations("bridge_functions.h"))
    ffi.embedding_init_code(_INIT)
    version = "{}.{}.".format(*sys.version_info[:2])
    ffi.set_source(MODULE, _PRELUDE.format(version=version, home=sys.base_prefix, places=":".join(places())))
    return _emitted(ffi)


def _emitted(ffi: Any) -> str:
    """What cffi writes to a file, without the line it prints about that."""
    text = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()):
        ffi.emit_c_code(text)
    return text.getvalue()


def declarations(name: str) -> str:
    """C declarations of a header in ``source``, less its preprocessor lines."""
    lines = (SOURCE / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("#"))
