// See frame_layout.h.

#include "bpf/stack/frame_layout.h"

#include "bpf/stack/python.h"
#include "bpf/stack/unwind.h"

namespace dt::bpf {

std::uint32_t frame_begin(const Machine& machine) {
  if (!machine.unwind.are_known()) return 8;
  static_assert(kPythonOffset == 8 + kUnwindCacheBytes);
  return kPythonOffset + (machine.unwind.with_sources ? kPythonBytes : 0);
}

}  // namespace dt::bpf
