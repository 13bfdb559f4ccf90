#pragma once
// Words that several messages of the checker share.

#include <cstddef>
#include <string>
#include <string_view>

namespace dt::d {

struct Expr;

// The name of an aggregation behind its @: nothing for @, which is called "_" inside.
std::string shown_name(const std::string& name);

// The operator of a write: "=", "+=", "++".
std::string write_text(const Expr* e);

// "2 args passed, 1 expected": DTrace's words for a wrong count.
std::string prototype_mismatch(std::string_view name, std::string_view brackets,
                               std::string_view what, std::size_t passed, std::size_t expected,
                               bool at_least);

}  // namespace dt::d
