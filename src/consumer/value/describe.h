#pragma once
// A record as text for -xdump=records: what is on the wire, unresolved.
//
//     clause epid=3 cpu=0 syscall::openat:entry
//       trace int32 42
//       printf "%s" string16 "bash"

#include <string>

#include "consumer/value/text.h"
#include "record/layout.h"
#include "record/schema.h"

namespace dt::consumer {

std::string describe_record(const record::Schema& schema, Bytes bytes);

// "syscall::openat:entry"; "?" for a probe that the schema does not have.
std::string probe_name(const record::ProbeNames* names);

// Why `bytes` cannot be a record of this schema; empty when they can.
std::string find_flaw(const record::Schema& schema, Bytes bytes);

// Whether fields are within the layout and actions within its fields.
bool is_sound(const record::Layout& layout);

}  // namespace dt::consumer
