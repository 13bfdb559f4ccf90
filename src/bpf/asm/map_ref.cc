// See map_ref.h.

#include "bpf/asm/reg.h"
#include "support/check.h"

namespace dt::bpf {

const char* map_name(MapKind kind) {
  switch (kind) {
    case MapKind::kGlobals:
      return "globals";
    case MapKind::kRodata:
      return "rodata";
    case MapKind::kPercpu:
      return "percpu";
    case MapKind::kScratch:
      return "scratch";
    case MapKind::kRegion:
      return "region";
    case MapKind::kRing:
      return "ring";
    case MapKind::kTls:
      return "tls";
    case MapKind::kAgg:
      return "agg";
    case MapKind::kStacks:
      return "stacks";
    case MapKind::kAssoc:
      return "assoc";
    case MapKind::kUnwind:
      return "unwind";
    case MapKind::kKept:
      return "kept";
    case MapKind::kFollowed:
      return "followed";
  }
  DT_UNREACHABLE();
}

}  // namespace dt::bpf
