#pragma once
// Is a program well-formed? Front-ends and passes are held to this in tests,
// and the text form after parsing.

#include <string>
#include <vector>

#include "ir/fuse.h"
#include "ir/ir.h"

namespace dt::ir {

// What is wrong, one message each ("clause 2, b3: %7 is used but ... "); empty
// when the program is well-formed. At most kMaxMessages.
constexpr std::size_t kMaxMessages = 20;
std::vector<std::string> verify(const Program& program);
std::vector<std::string> verify(const Program& program, const Fused& fused);

}  // namespace dt::ir
