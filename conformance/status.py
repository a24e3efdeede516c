"""aclnn return codes: the one table of names and numbers."""

from __future__ import annotations

SUCCESS = 0
PREFIX = "ACLNN_ERR_"
CODES: dict[str, int] = {
    "SUCCESS": SUCCESS,
    "PARAM_NULLPTR": 161001,
    "PARAM_INVALID": 161002,
    "RUNTIME_ERROR": 361001,
    "INNER": 561000,
    "INNER_INFERSHAPE_ERROR": 561001,
    "INNER_TILING_ERROR": 561002,
    "INNER_FIND_KERNEL_ERROR": 561003,
    "INNER_CREATE_EXECUTOR": 561101,
    "INNER_NOT_TRANS_EXECUTOR": 561102,
    "INNER_NULLPTR": 561103,
    "INNER_WRONG_ATTR_INFO_SIZE": 561104,
    "INNER_KEY_CONFLICT": 561105,
    "INNER_INVALID_IMPL_MODE": 561106,
    "INNER_OPP_PATH_NOT_FOUND": 561107,
    "INNER_LOAD_JSON_FAILED": 561108,
    "INNER_JSON_VALUE_NOT_FOUND": 561109,
    "INNER_JSON_FORMAT_INVALID": 561110,
    "INNER_JSON_DTYPE_INVALID": 561111,
    "INNER_OPP_KERNEL_PKG_NOT_FOUND": 561112,
    "INNER_OP_FILE_INVALID": 561113,
    "INNER_ATTR_NUM_OUT_OF_BOUND": 561114,
    "INNER_ATTR_LEN_NOT_ENOUGH": 561115,
    "INNER_INPUT_NUM_IN_JSON_TOO_LARGE": 561116,
    "INNER_INPUT_JSON_IS_NULL": 561117,
    "INNER_STATIC_WORKSPACE_INVALID": 561118,
    "INNER_STATIC_BLOCK_DIM_INVALID": 561119,
}
NAMES: dict[int, str] = {number: name for name, number in CODES.items()}


def status_name(number: int) -> str:
    """Name and number for people: ``PARAM_INVALID (161002)``; an unknown number stands alone."""
    name = NAMES.get(number)
    return f"{name} ({number})" if name else str(number)
