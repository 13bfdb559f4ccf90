#include "d/lower/segment.h"

#include "d/syntax/ast.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using record::FieldKind;
using record::FieldType;

void Segment::add(FieldType type, ValueId value) {
  layout_.fields.push_back({type, 0});
  fields_.push_back(value);
}

void Segment::add_string(ValueId value) {
  add({FieldKind::kString, b_->type_of(value).size, false}, value);
}

}  // namespace dt::d::lowering
