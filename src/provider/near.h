#pragma once
// "Did you mean": descriptions near a pattern that matched nothing.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "probe/probe.h"

namespace dt::provider {

class Suggestions {
 public:
  explicit Suggestions(const probe::Pattern& pattern) : pattern_(pattern) {}

  void consider(const probe::Description& description);
  // The nearest first, among equals in the order of consideration; fields that
  // the pattern leaves out are left out.
  std::vector<probe::Description> best(std::size_t count) const;

 private:
  struct Near {
    std::size_t distance;
    probe::Description description;
  };
  using Distances = std::unordered_map<std::string, std::size_t>;
  static std::size_t field_distance(const std::string& wanted, const std::string& has,
                                    Distances& known);

  const probe::Pattern& pattern_;
  Distances known_[4];  // a field's texts repeat: 500 calls have 1 provider
  std::vector<Near> near_;
};

}  // namespace dt::provider
