#include "fake.h"
#include <stdlib.h>
#include <string.h>

static void *made(void *object) { fake_live(1); return object; }

int aclDestroyTensor(const Tensor *tensor) {
    if (tensor) { fake_live(-1); free((void *)tensor); }
    return 0;
}

Tensor *aclCreateTensor(const int64_t *dims, uint64_t rank, int dtype, const int64_t *strides, int64_t offset,
                        int format, const int64_t *storage, uint64_t storage_rank, void *data) {
    if (rank > MAX_DIMS || (storage == NULL && storage_rank)) return NULL;
    Tensor *tensor = made(calloc(1, sizeof(Tensor)));
    memcpy(tensor->dims, dims, rank * sizeof(int64_t));
    memcpy(tensor->strides, strides, rank * sizeof(int64_t));
    tensor->rank = rank; tensor->storage_rank = storage_rank; tensor->offset = offset;
    tensor->dtype = dtype; tensor->format = format; tensor->data = data;
    return tensor;
}

Scalar *aclCreateScalar(void *value, int dtype) {
    Scalar *scalar = made(calloc(1, sizeof(Scalar)));
    scalar->dtype = dtype;
    memcpy(scalar->bytes, value, 16);
    return scalar;
}

int aclDestroyScalar(const Scalar *scalar) { fake_live(-1); free((void *)scalar); return 0; }

static Array *array(const void *items, uint64_t size, uint64_t width) {
    Array *made_array = made(malloc(sizeof(Array)));
    made_array->size = size;
    made_array->items = malloc(size * width + 1);
    memcpy(made_array->items, items, size * width);
    return made_array;
}

static int destroy(const Array *gone) { fake_live(-1); free(gone->items); free((void *)gone); return 0; }

Array *aclCreateIntArray(const int64_t *items, uint64_t size) { return array(items, size, sizeof *items); }
Array *aclCreateFloatArray(const float *items, uint64_t size) { return array(items, size, sizeof *items); }
Array *aclCreateBoolArray(const bool *items, uint64_t size) { return array(items, size, sizeof *items); }
Array *aclCreateTensorList(const Tensor *const *items, uint64_t size) { return array(items, size, sizeof *items); }
int aclDestroyIntArray(const Array *gone) { return destroy(gone); }
int aclDestroyFloatArray(const Array *gone) { return destroy(gone); }
int aclDestroyBoolArray(const Array *gone) { return destroy(gone); }

int aclDestroyTensorList(const Array *list) {
    for (uint64_t i = 0; i < list->size; i++) aclDestroyTensor(((const Tensor **)list->items)[i]);
    return destroy(list);
}

static int set_address(Executor *executor, size_t index, const Tensor *expected, Tensor *tensor, void *data) {
    if (!executor->repeatable) return 561000;
    if (index != 0 || tensor != expected) return 161002;
    tensor->data = data;
    return 0;
}

int aclSetInputTensorAddr(Executor *executor, size_t index, Tensor *tensor, void *data) {
    return set_address(executor, index, executor->self, tensor, data);
}

int aclSetOutputTensorAddr(Executor *executor, size_t index, Tensor *tensor, void *data) {
    return set_address(executor, index, executor->out, tensor, data);
}

int aclSetAclOpExecutorRepeatable(Executor *executor) { executor->repeatable = true; return 0; }
int aclDestroyAclOpExecutor(Executor *executor) { fake_live(-1); free(executor); return 0; }
