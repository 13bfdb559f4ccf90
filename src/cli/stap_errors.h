#pragma once
// Which of a script's errors are shown.
//
// Errors of one kind mostly have one cause: without -v, the first of each kind is shown, and the
// number of the others.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "dtrace/record.h"

namespace dt::cli {

struct ShownErrors {
  std::string text;  // each with the empty line behind it
  std::string rest;  // "Number of similar error messages suppressed: 3.\n..."; may be empty
};

// `total`: of those that there are, which may be more than `all`. Warnings stand first, and are no
// errors.
ShownErrors shown_errors(std::span<const dtrace::Diagnostic> all, std::size_t total,
                         bool is_verbose, bool has_warnings = true);

// What the errors of a message have in common with those of the same kind: its lines that begin
// with "parse error" or "semantic error", without names, numbers and what is similar.
std::string kind_of_error(std::string_view text);

}  // namespace dt::cli
