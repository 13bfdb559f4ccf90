#pragma once
// Aggregations: keys, value and increment.

#include "d/lower/part.h"
#include "record/field.h"

namespace dt::d::lowering {

class MemoryStores;
class ScratchMemory;

class Aggregations : Part {
 public:
  Aggregations(Context& context, MemoryStores& memory_stores, ScratchMemory& scratch)
      : Part(context), memory_stores_(memory_stores), scratch_(scratch) {}

  void lower(const Expr* e);

 private:
  ValueId key(const Expr* e, const record::FieldType& type);
  ValueId stack(const Expr* e, const record::FieldType& type);
  ValueId address(const Expr* e);

  MemoryStores& memory_stores_;
  ScratchMemory& scratch_;
};

}  // namespace dt::d::lowering
