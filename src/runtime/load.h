#pragma once

#include <functional>
#include <memory>

#include "kernel/kernel.h"
#include "provider/mechanism/attachment.h"
#include "support/fd.h"
#include "support/result.h"

namespace dt::bpf {
struct Object;
}

namespace dt::runtime {

using provider::Role;

// A program to load.
struct Load {
  const bpf::Object* object = nullptr;
  kernel::ProgramSpec spec;
  Role role = Role::kAttached;
  // Called by attach() for Role::kAttached: provider::Provider::attach.
  std::function<Result<std::unique_ptr<provider::Attachment>>(const Fd&, kernel::Kernel&)> attach;
  bool runs_under_locks = false;  // provider::Provider::runs_under_locks
  int turn = 0;                   // provider::Provider::turn
};

}  // namespace dt::runtime
