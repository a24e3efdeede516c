// Device and pinned host memory: host bytes that are bounds-tracked.
//
// Freed blocks stay in quarantine for a while, so that a stale pointer is recognised as one and not as the next
// owner's.
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "memory.h"
#include "state.h"

namespace simulator {
namespace {

constexpr size_t alignment = 64;
constexpr size_t slack = 32;
// NaN in every float type: reading memory nobody wrote shows.
constexpr int unwritten_byte = 0xFF;
constexpr size_t quarantine_bytes = size_t{64} << 20;
constexpr size_t quarantine_blocks = 4096;
constexpr size_t device_bytes = size_t{64} << 30;

struct Block {
    size_t size;
    Place place;
    int32_t device;
    bool freed;
};

struct Memory {
    std::mutex lock;
    std::map<uintptr_t, Block> blocks;
    std::deque<uintptr_t> quarantine;
    size_t quarantined = 0;
    std::map<int32_t, size_t> in_use;
};

Memory &memory() {
    static Memory &only = *new Memory;
    return only;
}

size_t real_size(size_t size) { return (size + alignment - 1) / alignment * alignment + alignment; }

using Found = std::map<uintptr_t, Block>::iterator;

// Block whose bytes, slack included, hold the address. The lock is held by the caller.
Found block_at(Memory &all, uintptr_t address) {
    Found found = all.blocks.upper_bound(address);
    if (found == all.blocks.begin()) return all.blocks.end();
    --found;
    return address < found->first + found->second.size + slack ? found : all.blocks.end();
}

void retire(Memory &all, Found found) {
    found->second.freed = true;
    if (found->second.place == Place::device) all.in_use[found->second.device] -= found->second.size;
    all.quarantine.push_back(found->first);
    all.quarantined += found->second.size;
    while (all.quarantined > quarantine_bytes || all.quarantine.size() > quarantine_blocks) {
        const Found oldest = all.blocks.find(all.quarantine.front());
        all.quarantine.pop_front();
        all.quarantined -= oldest->second.size;
        std::free(reinterpret_cast<void *>(oldest->first));
        all.blocks.erase(oldest);
    }
}

std::string describe(const Block &block) {
    const char *kind = block.place == Place::device ? "device" : "pinned host";
    return std::string(block.freed ? "freed " : "") + kind + " allocation of " + std::to_string(block.size) + " bytes";
}

}  // namespace

Span span_at(const void *address) {
    Memory &all = memory();
    const uintptr_t at = reinterpret_cast<uintptr_t>(address);
    const std::lock_guard<std::mutex> hold(all.lock);
    const Found found = block_at(all, at);
    if (found == all.blocks.end()) return {};
    const uintptr_t end = found->first + found->second.size;
    return {true,
            found->second.freed,
            found->second.place,
            at - found->first,
            at < end ? end - at : 0,
            describe(found->second)};
}

bool device_range(const void *address, int64_t low, int64_t high, size_t *reach, std::string *why) {
    const char *first = static_cast<const char *>(address) + low;
    const Span start = span_at(first);
    *reach = 0;
    if (address == nullptr) {
        *why = "a null address";
    } else if (!start.known) {
        *why = "an address outside every device allocation";
    } else if (start.freed || start.place != Place::device) {
        *why = "a " + start.text;
    } else if (start.reach < static_cast<size_t>(high - low)) {
        *why = "bytes " + std::to_string(start.offset) + " to " + std::to_string(start.offset + (high - low)) +
               " of a " + start.text;
    } else {
        *reach = start.reach + static_cast<size_t>(low);
        return true;
    }
    return false;
}

void *allocate(size_t size, Place place, int32_t device) {
    Memory &all = memory();
    const std::lock_guard<std::mutex> hold(all.lock);
    const size_t used = place == Place::device ? all.in_use[device] : 0;
    if (size > device_bytes - used) return nullptr;
    void *bytes = std::aligned_alloc(alignment, real_size(size));
    if (bytes == nullptr) return nullptr;
    std::memset(bytes, unwritten_byte, real_size(size));
    all.blocks[reinterpret_cast<uintptr_t>(bytes)] = {size, place, device, false};
    if (place == Place::device) all.in_use[device] += size;
    return bytes;
}

bool release(void *pointer, Place place) {
    Memory &all = memory();
    const std::lock_guard<std::mutex> hold(all.lock);
    const Found found = all.blocks.find(reinterpret_cast<uintptr_t>(pointer));
    if (found == all.blocks.end() || found->second.freed || found->second.place != place) return false;
    retire(all, found);
    return true;
}

void release_device_memory(int32_t device) {
    Memory &all = memory();
    const std::lock_guard<std::mutex> hold(all.lock);
    std::vector<uintptr_t> theirs;
    for (const auto &entry : all.blocks) {
        const Block &block = entry.second;
        if (!block.freed && block.place == Place::device && block.device == device) theirs.push_back(entry.first);
    }
    for (const uintptr_t base : theirs) retire(all, all.blocks.find(base));
}

size_t free_bytes(int32_t device) {
    Memory &all = memory();
    const std::lock_guard<std::mutex> hold(all.lock);
    return device_bytes - all.in_use[device];
}

size_t total_bytes() { return device_bytes; }

}  // namespace simulator
