#pragma once
// Aggregations: keys, value and increment.

#include "d/lower/upper_part.h"
#include "record/field.h"

namespace dt::d::lowering {

class ScratchMemory;

class Aggregations : UpperPart {
 public:
  Aggregations(const Core& core, ScratchMemory& scratch) : UpperPart(core), scratch_(scratch) {}

  void lower(const Expr* e);

 private:
  ValueId key(const Expr* e, const record::FieldType& type);
  ValueId stack(const Expr* e, const record::FieldType& type);
  ValueId address(const Expr* e);

  ScratchMemory& scratch_;
};

}  // namespace dt::d::lowering
