#pragma once
// FunctionContext: what the collaborators that write the code of one function share: the function,
// what is known about it (analysis.h), and where in it the code that is being written stands.

#include <functional>
#include <string>
#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/routine/unit.h"
#include "bpf/select/analysis.h"
#include "bpf/select/function_spec.h"
#include "bpf/select/value.h"
#include "ir/fused.h"

namespace dt::bpf {

struct FunctionContext {
  FunctionContext(Unit& in_unit, FunctionSpec function, const ir::Fused& fused_clauses);

  Unit& unit;
  Emitter& e;
  FunctionSpec spec;
  const ir::Fused& fused;
  const ir::Function& fn;
  const Analysis analysis;
  std::vector<Label> labels;                // of the blocks
  Label exit;                               // where what the function holds is released
  std::uint32_t position = 0;               // instructions and terminators, counted
  ir::BlockId block = 0;                    // at work
  std::vector<std::function<void()>> cold;  // code for the end of the clause

  // The script asks for what cannot be generated.
  void refuse(ir::Refusal::Code code, const ir::Inst& asks, std::string detail = {});

  const enabling::ClauseBinding& binding() const;
  const ir::Type& type_of(ir::ValueId id) const { return analysis.types[id]; }
  std::uint32_t last_use(ir::ValueId id) const { return analysis.last_use[id]; }

  Reg address(Place place);
  Place rodata(std::uint32_t offset);

  // Whether what was obtained in the block `from` is there in the current one.
  bool usable(ir::BlockId from) const;

  // The first usable one of `points`, which are in the order of their blocks;
  // nullptr when there is none. Only the entry's, at the front, and this
  // clause's, at the back, are looked at: there may be ten thousand clauses.
  template <typename Point, typename BlockOf>
  const Point* find_usable(const std::vector<Point>& points, const BlockOf& block_of) const {
    std::size_t front = 0;
    for (; front < points.size(); ++front) {
      const ir::BlockId at = block_of(points[front]);
      if (fused.block_clause[at] != ir::kNone) break;
      if (usable(at)) return &points[front];
    }
    for (std::size_t back = points.size(); back-- > front;) {
      const ir::BlockId at = block_of(points[back]);
      if (fused.block_clause[at] != fused.block_clause[block]) break;
      if (usable(at)) return &points[back];
    }
    return nullptr;
  }
  bool known_since(const std::vector<ir::BlockId>& points) const {
    return find_usable(points, [](ir::BlockId at) { return at; }) != nullptr;
  }
};

}  // namespace dt::bpf
