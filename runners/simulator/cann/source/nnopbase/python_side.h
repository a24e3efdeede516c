// The Python simulator behind the bridge library, loaded at the first call that needs it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bridge.h"

namespace simulator {

// A call that phase 1 prepared; the Python side forgets it when the last owner is gone.
class PreparedCall {
  public:
    explicit PreparedCall(uint64_t number) : number_(number) {}
    ~PreparedCall();
    PreparedCall(const PreparedCall &) = delete;
    PreparedCall &operator=(const PreparedCall &) = delete;

    BridgeAnswer launch(bool workspace_is_null) const;
    BridgeAnswer execute(const BridgeSpan *tensors, uint64_t count, const BridgeSpan &workspace) const;
    BridgeAnswer repeat() const;

  private:
    uint64_t number_;
};
using PreparedCallPointer = std::shared_ptr<PreparedCall>;

// Phase 1 in Python. No C lock may be held: the interpreter's lock is taken in here.
BridgeAnswer prepare(const char *api, const BridgeArgument *arguments, uint64_t count);

}  // namespace simulator
