#pragma once
// Variables: global, thread-local and clause-local variables.
//
//   global      a place in the globals' value
//   thread      a place in the thread's storage, which is found once a clause;
//               a thread without storage reads 0 and gets storage at its first
//               store of anything else
//   clause      those that are left in memory: integers in a register, strings
//               in the scratch frame behind a register that holds their
//               address (of zeros until the first store)
//   arrays      hash maps: arrays.h

#include <cstdint>
#include <map>
#include <vector>

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::ir {
struct Variable;
}

namespace dt::bpf {

class Arrays;
class ThreadStorage;

class Variables : SelectionPart {
 public:
  struct Local {  // a clause-local variable in memory
    Reg reg;      // its value, or the address of the string
    std::uint32_t frame_offset = ir::kNone;
    bool is_shared = false;                // of several parts: at frame_offset, and nowhere else
    std::vector<ir::BlockId> points = {};  // where it is known to be in the frame
  };

  Variables(const Core& core, ThreadStorage& tls, Arrays& arrays);

  void variable(const ir::Inst& inst);
  // At the start of a firing every clause-local variable is 0 or "".
  void prepare_locals();
  // The clause-local variable in the frame, zeros when nothing was stored yet.
  void need_local(const ir::Inst& inst, const ir::Type& type);
  Local& local(std::uint32_t variable) { return locals_.at(variable); }

 private:
  void load_scalar(const ir::Inst& inst, const ir::Variable& variable);
  void store_scalar(const ir::Inst& inst, const ir::Variable& variable);
  void load_local(const ir::Inst& inst);
  void store_local(const ir::Inst& inst, const ir::Variable& variable);
  void load_thread(const ir::Inst& inst);
  void store_thread(const ir::Inst& inst, const ir::Variable& variable);
  std::uint32_t shared_offset(std::uint32_t variable) const;

  ThreadStorage& tls_;
  Arrays& arrays_;
  std::map<std::uint32_t, Local> locals_;
};

}  // namespace dt::bpf
