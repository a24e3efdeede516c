// aclTensor: creation, getters, and the address that may change.
#include <algorithm>
#include <atomic>
#include <string>

#include "device_side.h"
#include "objects.h"

namespace simulator {
namespace {

constexpr uint64_t most_dims = 25;
std::atomic<uint64_t> last_serial{0};

std::vector<int64_t> dims(const int64_t *values, uint64_t count) {
    return values == nullptr ? std::vector<int64_t>()
                             : std::vector<int64_t>(values, values + std::min(count, most_dims));
}

std::vector<int64_t> contiguous(const std::vector<int64_t> &shape) {
    std::vector<int64_t> strides(shape.size(), 1);
    for (size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
    return strides;
}

int bits_of(aclDataType dtype) {
    switch (dtype) {
        case ACL_UINT1:
            return 1;
        case ACL_INT4:
        case ACL_FLOAT4_E2M1:
        case ACL_FLOAT4_E1M2:
            return 4;
        case ACL_FLOAT6_E2M3:
        case ACL_FLOAT6_E3M2:
            return 6;
        default:
            return static_cast<int>(8 * aclDataTypeSize(dtype));
    }
}

aclnnStatus copy_out(const aclTensor *tensor, std::vector<int64_t> aclTensor::*field, int64_t **values,
                     uint64_t *count) {
    if (tensor == nullptr || values == nullptr || count == nullptr)
        return refuse(null_pointer, "a null pointer (tensor getter)");
    if (!is_live(tensor)) return refuse(inner_error, "not a live aclTensor (tensor getter)");
    const std::vector<int64_t> &from = tensor->*field;
    *values = new int64_t[from.size()];
    std::copy(from.begin(), from.end(), *values);
    *count = from.size();
    return OK;
}

template <class Value>
aclnnStatus give(const aclTensor *tensor, Value *to, Value aclTensor::*field) {
    if (tensor == nullptr || to == nullptr) return refuse(null_pointer, "a null pointer (tensor getter)");
    if (!is_live(tensor)) return refuse(inner_error, "not a live aclTensor (tensor getter)");
    *to = tensor->*field;
    return OK;
}

}  // namespace

int64_t bytes_of(aclDataType dtype, int64_t elements) { return (elements * bits_of(dtype) + 7) / 8; }

aclnnStatus refuse(aclnnStatus status, const std::string &text) {
    const char family = std::to_string(status)[0];
    report(family == '1'   ? "AclNN_Parameter_Error(EZ1001)"
           : family == '3' ? "AclNN_Runtime_Error(EZ9903)"
                           : "AclNN_Inner_Error(EZ9999)",
           text);
    return status;
}

}  // namespace simulator

using namespace simulator;

extern "C" {

aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t *stride,
                           int64_t offset, aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum,
                           void *tensorData) {
    if ((viewDims == nullptr && viewDimsNum > 0) || (storageDims == nullptr && storageDimsNum > 0)) {
        refuse(null_pointer, "dims are null although their number is not 0 (aclCreateTensor)");
        return nullptr;
    }
    std::unique_ptr<aclTensor> tensor(new aclTensor);
    tensor->serial = ++last_serial;
    tensor->dtype = dataType;
    tensor->format = format;
    tensor->offset = offset;
    tensor->shape = dims(viewDims, viewDimsNum);
    tensor->strides = stride == nullptr ? contiguous(tensor->shape) : dims(stride, viewDimsNum);
    tensor->storage = dims(storageDims, storageDimsNum);
    tensor->data = tensorData;
    return Registry<aclTensor>::only().add(std::move(tensor));
}

aclnnStatus aclDestroyTensor(const aclTensor *tensor) {
    if (tensor == nullptr || Registry<aclTensor>::only().take(tensor) != nullptr) return OK;
    return refuse(inner_error, "not a live aclTensor (aclDestroyTensor)");
}

aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum) {
    return copy_out(tensor, &aclTensor::shape, viewDims, viewDimsNum);
}

aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims, uint64_t *storageDimsNum) {
    return copy_out(tensor, &aclTensor::storage, storageDims, storageDimsNum);
}

aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue, uint64_t *stridesNum) {
    return copy_out(tensor, &aclTensor::strides, stridesValue, stridesNum);
}

aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset) {
    return give(tensor, offset, &aclTensor::offset);
}

aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format) {
    return give(tensor, format, &aclTensor::format);
}

aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType) {
    return give(tensor, dataType, &aclTensor::dtype);
}

aclnnStatus aclInitTensor(aclTensor *tensor, const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
                          const int64_t *stride, int64_t offset, aclFormat format, const int64_t *storageDims,
                          uint64_t storageDimsNum, void *tensorDataAddr) {
    if (tensor == nullptr) return refuse(null_pointer, "tensor is null (aclInitTensor)");
    if (!is_live(tensor)) return refuse(inner_error, "not a live aclTensor (aclInitTensor)");
    if (viewDims != nullptr && viewDimsNum > 0) tensor->shape = dims(viewDims, viewDimsNum);
    if (storageDims != nullptr && storageDimsNum > 0) tensor->storage = dims(storageDims, storageDimsNum);
    tensor->strides = stride == nullptr ? contiguous(tensor->shape) : dims(stride, tensor->shape.size());
    tensor->dtype = dataType;
    tensor->format = format;
    tensor->offset = offset;
    if (tensorDataAddr != nullptr) tensor->data = tensorDataAddr;
    return OK;
}

aclnnStatus aclSetRawTensorAddr(aclTensor *tensor, void *addr) {
    if (tensor == nullptr) return refuse(null_pointer, "tensor is null (aclSetRawTensorAddr)");
    if (!is_live(tensor)) return refuse(inner_error, "not a live aclTensor (aclSetRawTensorAddr)");
    tensor->data = addr;
    return OK;
}

aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr) { return give(tensor, addr, &aclTensor::data); }
}
