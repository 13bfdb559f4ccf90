#pragma once
// What tracemem() and pcap() have recorded.

#include "consumer/value/value.h"
#include "record/layout.h"

namespace dt::consumer {

bool is_memory(record::ActionKind kind);
// The bytes of the action's first field; if there is a second field, it says how many of them.
Bytes memory_of(const record::Layout& layout, const record::Action& action, Bytes record);

}  // namespace dt::consumer
