// See maps.h.
//
// A look-up gives a pointer to the value or NULL, and the verifier insists on a test before it is
// followed. A new element is added with BPF_NOEXIST and looked up again: of two CPUs that add the
// same key, one succeeds, and both then update the same element.

#include "bpf/select/maps.h"

#include <linux/bpf.h>

#include "bpf/select/context.h"
#include "bpf/select/failures.h"

namespace dt::bpf {

Maps::Maps(FunctionContext& f, Failures& failures) : f_(f), e_(f.e), failures_(failures) {}

Reg Maps::lookup(MapRef map, Place key) {
  return e_.call(BPF_FUNC_map_lookup_elem, {e_.map(map), f_.address(key)});
}

Reg Maps::found_or_added(MapRef map, Place key, First first, record::Drop lost, Label skip,
                         const std::function<void()>& added) {
  const Label absent = e_.label(), have = e_.label();
  const Reg element = lookup(map, key);
  e_.jump_if_imm(Cond::kEq, element, 0, absent);
  e_.bind(have);
  f_.cold.push_back([=, this] {
    e_.bind(absent);
    // Another one may add it first: either way it is there afterwards.
    const Reg status = e_.call(
        BPF_FUNC_map_update_elem,
        {e_.map(map), f_.address(key), f_.address(f_.rodata(first.at)), e_.imm(BPF_NOEXIST)});
    const Label other = e_.label();
    if (added || first.is_all) e_.jump_if_imm(Cond::kNe, status, 0, other);
    if (added) added();
    if (first.is_all) e_.jump(skip);
    e_.bind(other);
    e_.mov(element, lookup(map, key));
    e_.jump_if_imm(Cond::kNe, element, 0, have);
    failures_.drop(lost);
    e_.jump(skip);
  });
  return element;
}

}  // namespace dt::bpf
