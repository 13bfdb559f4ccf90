#pragma once
// =~ and !~, and what matched() gives of the last match.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stap/meaning/pattern.h"
#include "stap/syntax/tree.h"

namespace dt::stap {

class Matches {
 public:
  // Whether the text matches the pattern of the expression; then it is the last match.
  bool match(const Expr& expr, const std::string& text);
  // The last match, and its groups.
  const std::vector<std::string>& groups() const { return groups_; }

 private:
  std::map<const Expr*, std::unique_ptr<Pattern>> patterns_;
  std::vector<std::string> groups_;
};

}  // namespace dt::stap
