/* A dozen functions of CANN's ABI over host memory, with operators that misbehave in known ways. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_DIMS = 8, MAX_PARAMETERS = 8 };

typedef struct {
    int64_t dims[MAX_DIMS], strides[MAX_DIMS], offset;
    uint64_t rank, storage_rank;
    int dtype, format;
    char *data;
} Tensor;

typedef struct { int dtype; char bytes[16]; } Scalar;
typedef struct { uint64_t size; void *items; } Array;

typedef struct Executor Executor;
struct Executor {
    int (*run)(Executor *, void *workspace);
    const Tensor *self, *out;
    uint64_t size;
    double values[16];
    int count;
    bool repeatable;
};

void fake_live(int change);             /* objects, executors and allocations that nobody gave back yet */
int fake_live_count(void);
int fake_stream_count(void);            /* streams that nobody destroyed yet */
void fake_say(const char *text);        /* what aclGetRecentErrMsg returns next */
void fake_break_stream(int status);     /* what synchronising returns, and everything else until a reset */
void fake_die(void);                    /* no reset helps any more */
