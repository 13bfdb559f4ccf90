#pragma once
// Regular expressions: s =~ "a(b|c)*". They are those of POSIX (extended), and match the longest of
// the leftmost texts; the library of C does exactly that. References back to what matched are
// refused: only they make matching slow.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace dt::stap {

// What is wrong with it; empty: nothing.
std::string check_pattern(const std::string& text);

class Pattern {
 public:
  explicit Pattern(const std::string& text);  // one that was checked
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  // The whole text that matches, then those of the groups; empty: none does.
  std::vector<std::string> match(const std::string& text) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace dt::stap
