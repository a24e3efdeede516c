/* What crosses between C and Python. Read by the C++ compiler and, less its preprocessor lines, by cffi. */
#pragma once
#include <stdint.h>

/* A tensor without its bytes; extents and offset count elements. */
typedef struct {
    int32_t present;
    int32_t dtype;
    int32_t format;
    int32_t rank;
    int32_t storage_rank;
    int64_t offset;
    const int64_t *shape;
    const int64_t *strides;
    const int64_t *storage;
} BridgeTensor;

/* One argument of phase 1; the contract says of what kind. `present` is 0 for a null pointer. `count` tensors lie at
   `tensors`; int64_t, float, one byte a bool, text, or the bytes of a scalar of type `dtype` at `elements`. */
typedef struct {
    int32_t present;
    int32_t dtype;
    int64_t integer;
    double real;
    uint64_t count;
    const void *elements;
    const BridgeTensor *tensors;
} BridgeArgument;

/* Bytes a tensor may touch: from `address` to the end of its allocation. */
typedef struct {
    void *address;
    uint64_t size;
} BridgeSpan;

/* What Python answers. `call` names the prepared call in later requests; after a launch, 0 says it is used up.
   `idle` says that the call touches no memory. */
typedef struct {
    int32_t status;
    int32_t idle;
    uint64_t call;
    uint64_t workspace;
    char text[1024];
} BridgeAnswer;
