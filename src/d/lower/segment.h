#pragma once
// Segment: what a clause records between two ifs that record, and in each of their branches.

#include <vector>

#include "d/lower/part.h"
#include "record/layout.h"

namespace dt::d::lowering {

class Segment : Part {
 public:
  explicit Segment(Context& context) : Part(context) {}

  // Another one begins.
  void begin() {
    layout_ = {};
    fields_.clear();
  }
  record::Layout& layout() { return layout_; }
  // The values of the layout's fields.
  const std::vector<ValueId>& values() const { return fields_; }

  // Records a value.
  void add(record::FieldType type, ValueId value);
  void add_string(ValueId value);

 private:
  record::Layout layout_;
  std::vector<ValueId> fields_;
};

}  // namespace dt::d::lowering
