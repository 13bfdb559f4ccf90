// See thread_storage.h.
//
// Variables of a thread (self->x) are in task storage, which the kernel frees with the task: no
// entry outlives its thread, unlike in a hash by thread number, where numbers are used again. The
// first write of a thread allocates its entry; reading does not, so that a predicate on self->x
// costs threads nothing that never set it.

#include "bpf/select/thread_storage.h"

#include <linux/bpf.h>

#include "bpf/select/context.h"
#include "bpf/select/facts.h"

namespace dt::bpf {

ThreadStorage::ThreadStorage(FunctionContext& f, Facts& facts) : f_(f), e_(f.e), facts_(facts) {}

void ThreadStorage::begin() {
  tls_ = e_.reg();
  e_.mov_imm(tls_, 0);
}

void ThreadStorage::need_tls(bool create) {
  const bool known = f_.known_since(tls_points_);
  if (known && !create) return;
  const Label have = e_.label();
  const Reg current = facts_.task();
  if (!tls_points_.empty()) e_.jump_if_imm(Cond::kNe, tls_, 0, have);
  const Reg found =
      e_.call(BPF_FUNC_task_storage_get, {e_.map({MapKind::kTls, 0}), current, e_.imm(0),
                                          e_.imm(create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0)});
  e_.mov(tls_, found);
  e_.bind(have);
  if (!known) tls_points_.push_back(f_.block);
}

}  // namespace dt::bpf
