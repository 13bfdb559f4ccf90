#pragma once
// The environment of a started program: ours, with changes. Ours stays as it is, as a
// library may not change its caller's.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dt::runtime {

class Environment {
 public:
  // Each change is NAME=value to set, or NAME to remove; later ones win.
  explicit Environment(std::span<const std::string> changes = {});

  std::optional<std::string_view> value(std::string_view name) const;
  const std::vector<std::string>& variables() const { return variables_; }

 private:
  std::vector<std::string> variables_;  // NAME=value
};

}  // namespace dt::runtime
