// See part.h.

#include "bpf/select/part.h"

#include "bpf/select/context.h"

namespace dt::bpf {

SelectionPart::SelectionPart(const Core& core)
    : f_(core.f),
      unit_(core.f.unit),
      e_(core.f.e),
      facts_(core.facts),
      failures_(core.failures),
      storage_(core.storage),
      values_(core.values),
      bytes_(core.bytes),
      keys_(core.keys) {}

}  // namespace dt::bpf
