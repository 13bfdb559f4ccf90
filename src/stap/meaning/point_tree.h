#pragma once
// The probe points of the language and the aliases as one tree of words: what may follow where in a
// point, so that of one that is misspelt the error says which words there are.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stap/meaning/program.h"

namespace dt::stap {

class PointTree {
 public:
  // The points of the language.
  PointTree();

  // An alias: "vfs.read.return".
  void add_alias(std::string_view name) { add(name, true); }

  // A system call: "open".
  void add_call(std::string_view name);

  struct Misfit {
    std::string text;           // "probe point mismatch (similar: begin, end)"
    std::size_t component = 0;  // the one that is wrong
  };
  // What is wrong with the words of a point. None: they are those of a point.
  std::optional<Misfit> misfit(const ProbePoint& point) const;

 private:
  // What stands in the parentheses behind a word.
  enum class Given : std::uint8_t { kNothing, kNumber, kString };
  struct Node;
  using Key = std::pair<std::string, Given>;
  struct Node {
    std::map<Key, Node> below;
    bool is_end = false;
    bool is_call = false;  // a system call, behind which SystemTap has points of their own
    // It is in no list of what may follow: SystemTap has it not, or by another name.
    bool is_unlisted = true;
  };

  static Given given(const Component& one);
  Node& add(std::string_view form, bool is_listed);
  static std::string follow(const Node& node);
  static std::vector<std::string_view> words(const Node& node);

  Node root_;
};

}  // namespace dt::stap
