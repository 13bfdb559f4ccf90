#pragma once
// Numbers of firings (record/layout.h): where they come from and how they get into records.

#include "bpf/asm/emitter.h"
#include "bpf/layout/memory.h"
#include "record/wire.h"

namespace dt::bpf {

// Where the number of the firing stands in the fault subprogram's second parameter.
constexpr std::int32_t kNumberShift = 48;

// The tag of a record; `number` is not valid where firings have none.
void store_tag(Emitter& e, Reg record, record::Kind kind, Reg number);

// The subprogram that gives a firing its number, as the bits of a tag; never 0.
void emit_number_function(Emitter& e, Label name, const Memory& memory);

}  // namespace dt::bpf
