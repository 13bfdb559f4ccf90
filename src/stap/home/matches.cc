// See matches.h.

#include "stap/home/matches.h"

#include <utility>

namespace dt::stap {

bool Matches::match(const Expr& expr, const std::string& text) {
  std::unique_ptr<Pattern>& pattern = patterns_[&expr];
  if (pattern == nullptr) pattern = std::make_unique<Pattern>(expr.kids[1]->text);
  std::vector<std::string> found = pattern->match(text);
  const bool is_there = !found.empty();
  if (is_there) groups_ = std::move(found);
  return is_there;
}

}  // namespace dt::stap
