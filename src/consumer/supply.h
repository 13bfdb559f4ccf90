#pragma once
// Numbers of the machine in records: "%{load1}.2f" of printf().
//
// The probe cannot know them, and they are wanted as of the moment of the output. So they are
// written into a record when it is taken, before anything is made of it: all forms of output have
// the same number, and so does a recording, which is printed much later, on another machine.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "consumer/value/format.h"
#include "record/layout.h"

namespace dt::consumer {

// Asked for each number of a record.
using SupplyNumber = std::function<std::int64_t(record::Supply which)>;
// Asked once for each record, so that its numbers are of one moment.
using BeginSupply = std::function<SupplyNumber()>;

// A number of the machine, and where it is in a record.
struct SuppliedField {
  std::uint32_t offset = 0;
  record::Supply which = record::Supply::kNone;
};

// Adds the fields of one action that its format makes numbers of the machine.
void add_supplied(std::vector<SuppliedField>& out, const record::Layout& layout,
                  const record::Action& action, const Format& format);

// Writes the numbers into a copy of the record.
std::vector<std::uint8_t> with_supplied(std::span<const std::uint8_t> bytes,
                                        std::span<const SuppliedField> fields,
                                        const SupplyNumber& number);

}  // namespace dt::consumer
