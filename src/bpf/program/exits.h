#pragma once
// Exits: which clauses begin with the question whether their firing has called exit().

#include <vector>

#include "enabling/plan.h"
#include "ir/fused.h"
#include "ir/ir.h"

namespace dt::bpf {

// Whether its clauses run after an exit() too, as those of END do.
bool outlives_exit(const enabling::ProgramPlan& plan);

// By part and clause (FunctionSpec::ends_on_exit): true behind a clause that calls exit(), or that
// may fault when a clause of ERROR calls it. Of what parts before it did, a part asks once, at its
// beginning. The firings of other probes look at the same state before their first clause.
std::vector<std::vector<bool>> ends_on_exit(const ir::Program& program, const enabling::Plan& plan,
                                            const std::vector<ir::Fused>& parts);

}  // namespace dt::bpf
