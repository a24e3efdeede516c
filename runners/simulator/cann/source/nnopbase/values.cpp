// Scalars, arrays and lists.
#include <cstring>

#include "objects.h"

namespace simulator {
namespace {

template <class Object, class Element>
Object *create(const Element *values, uint64_t size) {
    std::unique_ptr<Object> object(new Object);
    if (values != nullptr) object->values.assign(values, values + size);
    return Registry<Object>::only().add(std::move(object));
}

template <class Object>
aclnnStatus destroy(const Object *object, const char *function) {
    if (object == nullptr || Registry<Object>::only().take(object) != nullptr) return OK;
    return refuse(inner_error, std::string("not a live object (") + function + ")");
}

template <class Object>
aclnnStatus size_of(const Object *object, uint64_t *size, const char *function) {
    if (object == nullptr || size == nullptr)
        return refuse(null_pointer, std::string("a null pointer (") + function + ")");
    if (!is_live(object)) return refuse(inner_error, std::string("not a live object (") + function + ")");
    *size = object->values.size();
    return OK;
}

// A list owns its elements.
template <class List, class Element>
aclnnStatus destroy_list(const List *list, const char *function) {
    if (list == nullptr) return OK;
    const std::unique_ptr<List> taken = Registry<List>::only().take(list);
    if (taken == nullptr) return refuse(inner_error, std::string("not a live list (") + function + ")");
    for (const Element *element : taken->values) Registry<Element>::only().take(element);
    return OK;
}

bool holds_scalar(aclDataType dtype) {
    const int number = dtype;
    return (number >= 0 && number <= 4) || (number >= 6 && number <= 12) || number == 16 || number == 17 ||
           number == 27 || (number >= 34 && number <= 41);
}

}  // namespace
}  // namespace simulator

using namespace simulator;

extern "C" {

aclScalar *aclCreateScalar(void *value, aclDataType dataType) {
    if (value == nullptr || !holds_scalar(dataType)) {
        refuse(value == nullptr ? null_pointer : invalid_parameter, "no value or no scalar type (aclCreateScalar)");
        return nullptr;
    }
    std::unique_ptr<aclScalar> scalar(new aclScalar{});
    scalar->dtype = dataType;
    scalar->size = static_cast<uint64_t>(bytes_of(dataType, 1));
    std::memcpy(scalar->bytes, value, scalar->size);
    return Registry<aclScalar>::only().add(std::move(scalar));
}

aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size) { return create<aclIntArray>(value, size); }

aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size) { return create<aclFloatArray>(value, size); }

aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size) { return create<aclBoolArray>(value, size); }

aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size) {
    return create<aclTensorList>(value, size);
}

aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size) {
    return create<aclScalarList>(value, size);
}

aclnnStatus aclDestroyScalar(const aclScalar *scalar) { return destroy(scalar, "aclDestroyScalar"); }

aclnnStatus aclDestroyIntArray(const aclIntArray *array) { return destroy(array, "aclDestroyIntArray"); }

aclnnStatus aclDestroyFloatArray(const aclFloatArray *array) { return destroy(array, "aclDestroyFloatArray"); }

aclnnStatus aclDestroyBoolArray(const aclBoolArray *array) { return destroy(array, "aclDestroyBoolArray"); }

aclnnStatus aclDestroyTensorList(const aclTensorList *array) {
    return destroy_list<aclTensorList, aclTensor>(array, "aclDestroyTensorList");
}

aclnnStatus aclDestroyScalarList(const aclScalarList *array) {
    return destroy_list<aclScalarList, aclScalar>(array, "aclDestroyScalarList");
}

aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size) {
    return size_of(array, size, "aclGetIntArraySize");
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray *array, uint64_t *size) {
    return size_of(array, size, "aclGetFloatArraySize");
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size) {
    return size_of(array, size, "aclGetBoolArraySize");
}

aclnnStatus aclGetTensorListSize(const aclTensorList *tensorList, uint64_t *size) {
    return size_of(tensorList, size, "aclGetTensorListSize");
}

aclnnStatus aclGetScalarListSize(const aclScalarList *scalarList, uint64_t *size) {
    return size_of(scalarList, size, "aclGetScalarListSize");
}
}
