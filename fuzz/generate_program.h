#pragma once
// What fuzzers of the languages do with a program that a front-end has made.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bpf/program/generate.h"
#include "enabling/plan.h"
#include "ir/passes.h"
#include "ir/verify.h"
#include "support/check.h"
#include "testing/bpf/trial.h"

namespace dt::bpf {

inline void check_verified(const ir::Program& program) {
  const std::vector<std::string> wrong = ir::verify(program);
  DT_CHECK(wrong.empty(), "{}", wrong.empty() ? "" : wrong.front());
}

// Through all stages behind a front-end: a well-formed program, or an error that says something.
inline void generate_whole(ir::Program program, const probe::Catalog& probes) {
  check_verified(program);
  ir::optimize(program);
  check_verified(program);
  enabling::Plan plan = enabling::enable(program, probes);
  if (!plan.unmatched.empty()) {
    return;
  }
  Memory memory = plan_memory(program, plan, trial_machine(2));
  for (std::size_t i = 0; i < plan.programs.size(); ++i) {
    WordPrologue prologue;
    Result<GeneratedProgram> made = generate({program, plan, i, prologue, memory});
    DT_CHECK(made.ok() || !made.error().text.empty());
    if (made.ok()) take(std::move(*made), i, plan.schema, memory);
  }
}

}  // namespace dt::bpf
