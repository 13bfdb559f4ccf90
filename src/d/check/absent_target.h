#pragma once
// Clauses that compile and do not do what they seem to do: predicates that are never true because
// no process was given (pid == $target), returns that do not happen (syscall::exit_group:return),
// system calls in whose place programs make newer ones (syscall::open:entry), numbers that are
// written as if they were texts (trace('hello')), and stacks that are deeper than the kernel's
// (ustack(500)).

#include <string>
#include <utility>
#include <vector>

#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/source.h"

namespace dt::d {

// What there is to say of such returns.
std::vector<std::string> remarks_on_returns(const std::vector<Unit>& units);

// What there is to say of such calls where the program does not name the newer one, and what to do.
std::vector<std::pair<std::string, std::string>> remarks_on_calls(const std::vector<Unit>& units,
                                                                  const World& world);

// What there is to say of such predicates, and what to do; nothing when there is a process.
std::vector<std::pair<std::string, std::string>> remarks_on_target(const std::vector<Unit>& units,
                                                                   const Sources& sources,
                                                                   const World& world);

// What there is to say of each such trace(), and what to write.
std::vector<std::pair<std::string, std::string>> remarks_on_characters(
    const std::vector<Unit>& units, const Sources& sources);

// What there is to say of each such stack.
std::vector<std::string> remarks_on_stacks(const std::vector<Unit>& units);

}  // namespace dt::d
