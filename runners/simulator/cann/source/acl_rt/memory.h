// Tracked memory: who owns an address, and how far it reaches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace simulator {

enum class Place { device, host };

// Where an address lies: in no block (known false), or `offset` bytes into one with `reach` bytes to its end.
struct Span {
    bool known = false;
    bool freed = false;
    Place place = Place::host;
    size_t offset = 0;
    size_t reach = 0;
    std::string text;
};

Span span_at(const void *address);
// 64-byte aligned bytes filled with a pattern; null when the device or the host has no more.
void *allocate(size_t size, Place place, int32_t device);
// False for an address that is not the start of a live block of that place.
bool release(void *pointer, Place place);
size_t free_bytes(int32_t device);
size_t total_bytes();

}  // namespace simulator
