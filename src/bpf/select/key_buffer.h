#pragma once
// KeyBuffer: where keys are built; each one overwrites the one before.

#include <cstdint>
#include <utility>
#include <vector>

#include "bpf/select/value.h"
#include "record/field.h"

namespace dt::bpf {

class Emitter;
class Storage;
struct FunctionContext;
struct Unit;

class KeyBuffer {
 public:
  // The key that is in the key buffer, to be used again for the next
  // aggregation of the block with the same keys.
  struct BuiltKey {
    ir::BlockId block = ir::kNone;
    std::vector<ir::ValueId> values;
    std::vector<record::Field> fields;
    bool drained = false;
  };

  KeyBuffer(FunctionContext& f, Storage& storage);

  Place key_slot(std::uint32_t bytes);
  // What may be over once the program has waited: a key's generation.
  void forget_waiting();
  const BuiltKey& built() const { return built_key_; }
  void is_built(BuiltKey key) { built_key_ = std::move(key); }
  void forget() { built_key_ = {}; }

 private:
  Unit& unit_;
  Emitter& e_;
  Storage& storage_;
  std::uint32_t key_frame_offset_ = ir::kNone;  // the key buffer in the frame
  std::uint32_t key_frame_bytes_ = 0;
  BuiltKey built_key_;
};

}  // namespace dt::bpf
