// Element sizes and half precision as the runtime's helpers convert it: saturating, without infinities and NaN.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "acl/acl_rt.h"

extern "C" {

size_t aclDataTypeSize(aclDataType dataType) {
    switch (dataType) {
        case ACL_STRING:
        case ACL_DT_UNDEFINED:
            return 0;
        case ACL_BOOL:
        case ACL_INT8:
        case ACL_UINT8:
        case ACL_HIFLOAT8:
        case ACL_FLOAT8_E5M2:
        case ACL_FLOAT8_E4M3FN:
        case ACL_FLOAT8_E8M0:
        case ACL_INT4:
        case ACL_UINT1:
            return 1;
        case ACL_FLOAT16:
        case ACL_BF16:
        case ACL_INT16:
        case ACL_UINT16:
            return 2;
        case ACL_FLOAT:
        case ACL_INT32:
        case ACL_UINT32:
        case ACL_COMPLEX32:
            return 4;
        case ACL_COMPLEX128:
            return 16;
        default:
            return 8;  // the four- and six-bit floats too, as the original has it
    }
}

float aclFloat16ToFloat(aclFloat16 value) {
    const int exponent = (value >> 10) & 0x1F, fraction = value & 0x3FF;
    const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                          : std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
    return (value & 0x8000) != 0 ? -magnitude : magnitude;
}

aclFloat16 aclFloatToFloat16(float value) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
    const uint32_t magnitude = bits & 0x7FFFFFFF;
    if (magnitude >= 0x477FF000) return sign | 0x7BFF;
    const float absolute = std::fabs(value);
    const int exponent = absolute < 0x1p-14F ? -14 : std::ilogb(absolute);
    const uint32_t steps = static_cast<uint32_t>(std::nearbyint(std::ldexp(absolute, 10 - exponent)));
    return static_cast<aclFloat16>(sign | (steps + (static_cast<uint32_t>(exponent + 14) << 10)));
}
}
