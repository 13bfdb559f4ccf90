// See environment.h.

#include "runtime/environment.h"

#include <unistd.h>

#include <algorithm>

namespace dt::runtime {
namespace {

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

}  // namespace

// In order, so that a later change of one variable replaces an earlier one. A change without '='
// removes.
Environment::Environment(std::span<const std::string> changes) {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    variables_.emplace_back(*variable);
  }
  for (const std::string& change : changes) {
    std::erase_if(variables_, [&change](const std::string& variable) {
      return name_of(variable) == name_of(change);
    });
    if (change.find('=') != std::string::npos) {
      variables_.push_back(change);
    }
  }
}

std::optional<std::string_view> Environment::value(std::string_view name) const {
  for (const std::string_view variable : variables_) {
    if (name_of(variable) == name && variable.size() > name.size()) {
      return variable.substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

}  // namespace dt::runtime
