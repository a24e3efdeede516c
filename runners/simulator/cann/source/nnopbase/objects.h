// What the opaque handles stand for. Every live object is registered, so that a stale or foreign handle is recognised.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "aclnn/acl_meta.h"

struct aclTensor {
    uint64_t serial;
    aclDataType dtype;
    aclFormat format;
    int64_t offset;
    std::vector<int64_t> shape;
    std::vector<int64_t> strides;
    std::vector<int64_t> storage;
    void *data;
};

struct aclScalar {
    aclDataType dtype;
    uint64_t size;
    unsigned char bytes[16];
};

struct aclIntArray {
    std::vector<int64_t> values;
};

struct aclFloatArray {
    std::vector<float> values;
};

struct aclBoolArray {
    std::vector<uint8_t> values;
};

struct aclTensorList {
    std::vector<const aclTensor *> values;
};

struct aclScalarList {
    std::vector<const aclScalar *> values;
};

namespace simulator {

constexpr aclnnStatus null_pointer = 161001;
constexpr aclnnStatus invalid_parameter = 161002;
constexpr aclnnStatus runtime_error = 361001;
constexpr aclnnStatus inner_error = 561000;
constexpr aclnnStatus inner_null_pointer = 561103;

// Reports a text under the class that goes with the status, and returns the status.
aclnnStatus refuse(aclnnStatus status, const std::string &text);

// Live objects of one type.
template <class Object>
class Registry {
  public:
    static Registry &only() {
        static Registry &registry = *new Registry;
        return registry;
    }

    Object *add(std::unique_ptr<Object> object) {
        const std::lock_guard<std::mutex> hold(lock_);
        live_.insert(object.get());
        return object.release();
    }

    bool has(const Object *object) {
        const std::lock_guard<std::mutex> hold(lock_);
        return live_.count(object) != 0;
    }

    // The object, now the caller's; null when it is not live.
    std::unique_ptr<Object> take(const Object *object) {
        const std::lock_guard<std::mutex> hold(lock_);
        return std::unique_ptr<Object>(live_.erase(object) != 0 ? const_cast<Object *>(object) : nullptr);
    }

  private:
    std::mutex lock_;
    std::unordered_set<const Object *> live_;
};

template <class Object>
bool is_live(const Object *object) {
    return Registry<Object>::only().has(object);
}

// Bytes of so many elements, sub-byte types packed and rounded up.
int64_t bytes_of(aclDataType dtype, int64_t elements);

}  // namespace simulator
