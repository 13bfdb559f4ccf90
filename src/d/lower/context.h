#pragma once
// Context: what the parts of the lowering share.

#include "d/lower/scratch_pointers.h"
#include "d/meaning/type_meaning.h"
#include "ir/ir.h"

namespace dt::ir {
class FunctionBuilder;
}

namespace dt::d {
struct Checked;
struct World;
}  // namespace dt::d

namespace dt::d::lowering {

class ExpressionLowerer;

struct Context {
  const Checked& checked;
  World& world;
  ExpressionLowerer& expressions;
  TypeRules rules;
  ScratchPointers scratch_pointers{checked, rules};
  ir::Program program = {};
  ir::FunctionBuilder* builder = nullptr;  // of the clause that is being lowered
};

}  // namespace dt::d::lowering
