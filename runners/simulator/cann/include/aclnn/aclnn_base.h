/* Handles and status type of the aclnn interface. C++ only, as the original is. */
#ifndef ACLNN_SIMULATOR_ACLNN_BASE_H
#define ACLNN_SIMULATOR_ACLNN_BASE_H

#include <cstdint>
#include <cstdlib>

#include "acl/acl_base.h"

#ifndef ACLNN_API
#define ACLNN_API __attribute__((visibility("default")))
#endif

typedef struct aclTensor aclTensor;
typedef struct aclScalar aclScalar;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclTensorList aclTensorList;
typedef struct aclScalarList aclScalarList;
typedef struct aclOpExecutor aclOpExecutor;

typedef int32_t aclnnStatus;
constexpr aclnnStatus OK = 0;

#endif
