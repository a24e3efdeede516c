// What the generated stubs are made of: a description of an API, and one argument for each parameter of phase 1.
#pragma once

#include <cstddef>
#include <cstdint>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"

namespace simulator __attribute__((visibility("default"))) {

    struct Parameter {
        const char *name;
        bool required;
    };

    // `simulated` is false for an API that is only declared: it checks its pointers and then says so.
    struct Api {
        const char *name;
        const Parameter *parameters;
        size_t count;
        bool simulated;
    };

    struct Argument {
        enum class Kind {
            tensor,
            tensor_list,
            scalar,
            scalar_list,
            int_array,
            float_array,
            bool_array,
            string,
            integer,
            real,
            boolean
        };
        Kind kind;
        const void *pointer;
        int64_t integer;
        double real;
        bool is_pointer() const { return kind < Kind::integer; }
    };

    inline Argument argument(const aclTensor *value) { return {Argument::Kind::tensor, value, 0, 0}; }
    inline Argument argument(const aclTensorList *value) { return {Argument::Kind::tensor_list, value, 0, 0}; }
    inline Argument argument(const aclScalar *value) { return {Argument::Kind::scalar, value, 0, 0}; }
    inline Argument argument(const aclScalarList *value) { return {Argument::Kind::scalar_list, value, 0, 0}; }
    inline Argument argument(const aclIntArray *value) { return {Argument::Kind::int_array, value, 0, 0}; }
    inline Argument argument(const aclFloatArray *value) { return {Argument::Kind::float_array, value, 0, 0}; }
    inline Argument argument(const aclBoolArray *value) { return {Argument::Kind::bool_array, value, 0, 0}; }
    inline Argument argument(const char *value) { return {Argument::Kind::string, value, 0, 0}; }
    inline Argument argument(bool value) { return {Argument::Kind::boolean, nullptr, value, 0}; }
    inline Argument argument(int8_t value) { return {Argument::Kind::integer, nullptr, value, 0}; }
    inline Argument argument(int32_t value) { return {Argument::Kind::integer, nullptr, value, 0}; }
    inline Argument argument(int64_t value) { return {Argument::Kind::integer, nullptr, value, 0}; }
    inline Argument argument(uint64_t value) {
        return {Argument::Kind::integer, nullptr, static_cast<int64_t>(value), 0};
    }
    inline Argument argument(aclDataType value) { return {Argument::Kind::integer, nullptr, value, 0}; }
    inline Argument argument(float value) { return {Argument::Kind::real, nullptr, 0, value}; }
    inline Argument argument(double value) { return {Argument::Kind::real, nullptr, 0, value}; }

    aclnnStatus phase_1(const Api &api, const Argument *arguments, uint64_t *workspaceSize, aclOpExecutor **executor);
    aclnnStatus phase_2(const Api &api, void *workspace, aclOpExecutor *executor, aclrtStream stream);

}  // namespace simulator
