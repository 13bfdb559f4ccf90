// See key_buffer.h.
//
// One buffer for the keys of all look-ups of a function, as only one is needed at a time. What was
// built in it last is remembered, so that the next look-up with the same key need not build it
// again.

#include "bpf/select/key_buffer.h"

#include "bpf/select/context.h"
#include "bpf/select/storage.h"

namespace dt::bpf {

KeyBuffer::KeyBuffer(FunctionContext& f, Storage& storage)
    : unit_(f.unit), e_(f.e), storage_(storage) {}

Place KeyBuffer::key_slot(std::uint32_t bytes) {
  if (bytes <= unit_.budget.key) return {e_.stack_address(storage_.key_region()), 0};
  storage_.need_frame();
  if (key_frame_bytes_ < bytes) {
    key_frame_offset_ = storage_.reserve_frame(bytes);
    key_frame_bytes_ = bytes;
  }
  return storage_.at(storage_.frame(), key_frame_offset_);
}

void KeyBuffer::forget_waiting() {
  if (unit_.waits) built_key_ = {};
}

}  // namespace dt::bpf
