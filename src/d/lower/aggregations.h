#pragma once
// Aggregations: keys, value and increment.

#include "d/lower/part.h"
#include "record/field.h"

namespace dt::d::lowering {

class Fields;

class Aggregations : Part {
 public:
  Aggregations(Context& context, Fields& fields) : Part(context), fields_(fields) {}

  void lower(const Expr* e);

 private:
  ValueId key(const Expr* e, const record::FieldType& type);

  Fields& fields_;
};

}  // namespace dt::d::lowering
