#pragma once
// What tracemem() and pcap() have recorded.

#include "consumer/value.h"
#include "record/layout.h"

namespace dt::consumer {

bool is_memory(record::ActionKind kind);
// Of the action's first field as many bytes as its second one says, if there is one.
Bytes memory_of(const record::Layout& layout, const record::Action& action, Bytes record);

}  // namespace dt::consumer
