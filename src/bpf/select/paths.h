#pragma once
// Paths: the text of a struct path, d_path().
//
// Probes may not call the kernel's d_path(), so its walk is done here: from the
// dentry up to the root of its mount, from there on at the mount's place in its
// parent, up to the process's root or to a mount that is its own parent. The
// names are put before one another, from the end of a buffer:
//
//      0                       offset            4096
//      |                       | /usr/bin/env    | NUL
//
// What the walk keeps is in memory, not in registers: the verifier then knows
// nothing of it. The steps are a routine (path_code.cc), called until the walk
// has ended.

#include "bpf/routine/path_code.h"
#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class Paths : SelectionPart {
 public:
  explicit Paths(const Core& core) : SelectionPart(core) {}

  void path(const ir::Inst& inst);

 private:
  void path_start(const ir::Inst& inst, const PathCode& walk);
  void path_special(const PathCode& walk, Label ordinary, Label done);
  void path_climb(const PathCode& walk, Place words);
};

}  // namespace dt::bpf
