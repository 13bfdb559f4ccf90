#pragma once
// Follow: follows the current thread's pointers by plain loads.
//
// The verifier knows the type of the current task and of every pointer to a
// structure that is loaded from it (types/walk.h), and lets a program load
// through them. Such a load gives 0 where nothing is mapped. So a loaded value that
// is not 0 is the word in memory. Where the loaded value is 0, the program calls
// bpf_probe_read(), which fails where nothing is mapped, and reads user memory, too:
//
//          value = *(followed + offset)
//          if value == 0 goto ask
//   have:  ...
//   ask:   bpf_probe_read(&word, size, plain + offset), or a fault
//          value = word; goto have
//
// What the helper has read is no pointer to the verifier. Where the next load is
// all that is done with it, that load is by the helper, too; otherwise it is kept
// twice, as the pointer that the verifier knows, 0 where it came from the helper
// and tested by each load from it, and as a plain number. The loads from
// the task itself cannot fail. Names of 16 bytes are loaded as two words.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "bpf/select/part.h"
#include "bpf/select/value.h"
#include "types/type_id.h"

namespace dt::bpf {

class Follow : SelectionPart {
 public:
  explicit Follow(const Core& core) : SelectionPart(core) {}

  // Finds the loads that can be plain, from the definitions to the uses.
  void find_followed();
  bool is_followed_load(const ir::Inst& inst) const;
  // An addition that is made by the loads from its result.
  bool is_followed_address(const ir::Inst& inst) const;
  void follow_curthread(const ir::Inst& inst);
  // A name of 16 bytes, up to its NUL. Its second word is only looked at when the
  // first one has none, so a 0 there is as doubtful as in the first.
  void follow_name(const ir::Inst& inst);
  void follow(const ir::Inst& inst);

 private:
  struct Followed {
    std::optional<types::TypeId> structure;  // that it points to
    bool is_load = false;                    // a plain load of what follows
    ir::ValueId base = ir::kNone;
    std::int32_t offset = 0;
    bool is_pointer = false;  // to the verifier
    std::uint32_t loads = 0;  // plain ones, from what it points to
    Label ask = {};           // where the helper is asked instead
    Reg pointer = {};         // as the verifier knows it, or 0
  };
  std::pair<ir::ValueId, std::int64_t> base_of(ir::ValueId address) const;
  void find_plain_uses();
  void ask_instead(const ir::Inst& inst, Label ask, const std::function<void(Place)>& take);
  ir::ValueId only_load_from(const ir::Inst& inst) const;
  Label ask_label(Followed& load);
  void check_base(const Followed& load, Label ask);

  std::map<ir::ValueId, Followed> followed_;
  std::vector<bool> used_plainly_;  // by value; empty when nothing is followed
};

}  // namespace dt::bpf
