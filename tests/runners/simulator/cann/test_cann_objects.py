"""aclTensor, scalars, arrays and lists: creation, getters, destruction."""

import pytest

PROGRAM = """
int main() {
    const int64_t dims[] = {2, 3, 4}, strides[] = {1, 2, 6}, storage[] = {24};
    int64_t *values = nullptr, offset = 0;
    uint64_t count = 0;
    aclFormat format;
    aclDataType dtype;
    void *address = nullptr;
    aclTensor *t = aclCreateTensor(dims, 3, ACL_FLOAT16, nullptr, 5, ACL_FORMAT_NCL, storage, 1, nullptr);
    aclGetViewStrides(t, &values, &count);
    show("strides computed", values[0] * 100 + values[1] * 10 + values[2]);
    delete[] values;
    aclGetStorageShape(t, &values, &count);
    show("storage", values[0] * 10 + count);
    delete[] values;
    show("offset", aclGetViewOffset(t, &offset) + offset);
    show("format", aclGetFormat(t, &format) + format);
    show("dtype", aclGetDataType(t, &dtype) + dtype);
    SHOW(aclGetViewShape(nullptr, &values, &count));
    SHOW(aclGetViewShape(t, nullptr, &count));
    SHOW(aclGetFormat(t, nullptr));
    show("set address", aclSetRawTensorAddr(t, &count));
    show("get address", aclGetRawTensorAddr(t, &address) + (address == &count));
    SHOW(aclSetRawTensorAddr(nullptr, &count));
    SHOW(aclInitTensor(nullptr, dims, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 3, nullptr));
    show("init", aclInitTensor(t, dims, 2, ACL_INT8, strides, 0, ACL_FORMAT_ND, nullptr, 0, nullptr));
    aclGetViewStrides(t, &values, &count);
    show("strides given", values[0] * 10 + values[1]);
    delete[] values;
    aclGetRawTensorAddr(t, &address);
    show("address kept", address == &count);
    show("no dims", aclCreateTensor(nullptr, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr) == nullptr);
    aclTensor *scalar = aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr);
    aclGetViewShape(scalar, &values, &count);
    show("rank 0", count);
    delete[] values;
    std::vector<int64_t> many(40, 1);
    aclTensor *deep = aclCreateTensor(many.data(), 40, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, many.data(), 40, nullptr);
    aclGetViewShape(deep, &values, &count);
    show("most dims", count);
    delete[] values;
    show("destroy", aclDestroyTensor(t));
    show("destroy twice", aclDestroyTensor(t));
    SHOW(aclDestroyTensor(nullptr));
    float number = 2;
    aclScalar *s = aclCreateScalar(&number, ACL_FLOAT);
    show("scalar", s != nullptr);
    show("null scalar", aclCreateScalar(nullptr, ACL_FLOAT) == nullptr);
    show("string scalar", aclCreateScalar(&number, ACL_STRING) == nullptr);
    show("destroy scalar", aclDestroyScalar(s));
    aclIntArray *ints = aclCreateIntArray(dims, 3), *none = aclCreateIntArray(nullptr, 0);
    show("ints", aclGetIntArraySize(ints, &count) + count);
    show("no ints", aclGetIntArraySize(none, &count) + count);
    SHOW(aclGetIntArraySize(nullptr, &count));
    aclFloatArray *reals = aclCreateFloatArray(&number, 1);
    show("floats", aclGetFloatArraySize(reals, &count) + count);
    bool flags[] = {true, false};
    aclBoolArray *bools = aclCreateBoolArray(flags, 2);
    show("bools", aclGetBoolArraySize(bools, &count) + count);
    show("arrays", aclDestroyIntArray(ints) + aclDestroyIntArray(none));
    show("other arrays", aclDestroyFloatArray(reals) + aclDestroyBoolArray(bools));
    const aclTensor *members[] = {scalar, deep};
    aclTensorList *list = aclCreateTensorList(members, 2);
    show("list", aclGetTensorListSize(list, &count) + count);
    show("destroy list", aclDestroyTensorList(list));
    show("elements went with it", aclDestroyTensor(scalar));
    const aclScalar *numbers[] = {aclCreateScalar(&number, ACL_FLOAT)};
    aclScalarList *scalars = aclCreateScalarList(numbers, 1);
    show("scalars", aclGetScalarListSize(scalars, &count) + count);
    show("destroy scalars", aclDestroyScalarList(scalars));
    show("init library", aclnnInit("/no/such/file") + aclnnFinalize());
}
"""
EXPECTED = {
    "strides computed": 12 * 100 + 4 * 10 + 1,
    "storage": 241,
    "offset": 5,
    "format": 47,
    "dtype": 1,
    "aclGetViewShape(nullptr, &values, &count)": 161001,
    "aclGetViewShape(t, nullptr, &count)": 161001,
    "aclGetFormat(t, nullptr)": 161001,
    "set address": 0,
    "get address": 1,
    "aclSetRawTensorAddr(nullptr, &count)": 161001,
    "aclInitTensor(nullptr, dims, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 3, nullptr)": 161001,
    "init": 0,
    "strides given": 12,
    "address kept": 1,
    "no dims": 1,
    "rank 0": 0,
    "most dims": 25,
    "destroy": 0,
    "destroy twice": 561000,
    "aclDestroyTensor(nullptr)": 0,
    "scalar": 1,
    "null scalar": 1,
    "string scalar": 1,
    "destroy scalar": 0,
    "ints": 3,
    "no ints": 0,
    "aclGetIntArraySize(nullptr, &count)": 161001,
    "floats": 1,
    "bools": 2,
    "arrays": 0,
    "other arrays": 0,
    "list": 2,
    "destroy list": 0,
    "elements went with it": 561000,
    "scalars": 1,
    "destroy scalars": 0,
    "init library": 0,
}


@pytest.fixture(scope="module")
def answers(programs):
    return programs.answers(PROGRAM)


@pytest.mark.parametrize(("step", "answer"), EXPECTED.items())
def test_objects(answers, step, answer):
    assert answers[step] == str(answer)
