#pragma once
// Maps: elements of hash maps.

#include <cstdint>
#include <functional>

#include "bpf/select/value.h"
#include "record/drop.h"

namespace dt::bpf {

class Emitter;
class Failures;
struct FunctionContext;

class Maps {
 public:
  // What a new element has, in rodata, and whether nothing is to be added to that.
  struct First {
    std::uint32_t at = 0;
    bool is_all = false;
  };

  Maps(FunctionContext& f, Failures& failures);

  Reg lookup(MapRef map, Place key);
  // The element of the key, made when it is not there; goes to `skip` when it was made and
  // that is all, or, counting the drop, when there is no room. `added` is generated where a new one
  // was made.
  Reg found_or_added(MapRef map, Place key, First first, record::Drop lost, Label skip,
                     const std::function<void()>& added = {});

 private:
  FunctionContext& f_;
  Emitter& e_;
  Failures& failures_;
};

}  // namespace dt::bpf
