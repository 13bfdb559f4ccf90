#pragma once
// Macro variables: $0 $1 ... (what the person typed after the script), and
// $target, $pid and the like (what the world knows). `$$x` is the same text as
// a string; that distinction is the lexer's.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "d/syntax/world.h"

namespace dt::d {

// A number as C writes it, without suffixes: 10, 0x1f, 017.
struct IntegerText {
  enum class Status : std::uint8_t { kOk, kBadDigit, kOverflow } status = Status::kOk;
  std::uint64_t value = 0;
  std::size_t bad = 0;  // kBadDigit: where
};
IntegerText parse_integer(std::string_view digits);

class Macros {
 public:
  // [n] of `references` becomes true when $n is asked for.
  Macros(const World& world, std::vector<bool>& references)
      : world_(world), references_(references), default_args_(world.default_args) {}

  struct Value {
    std::string text;
    bool missing = false;  // default_args stands in for it: 0 or ""
  };
  // `name` is what follows $ or $$: digits or a word. nullopt: not defined.
  std::optional<Value> find(std::string_view name);
  // The same in an expression, where $target is 0 if there is neither -c nor -p.
  std::optional<Value> find_in_expression(std::string_view name);
  // What to say about a `name` that find() does not know, and what to do.
  static std::string undefined_text(std::string_view name);
  static std::string undefined_hint(std::string_view name);

  bool default_args() const { return default_args_; }
  void set_default_args(bool on) { default_args_ = on; }

 private:
  const World& world_;
  std::vector<bool>& references_;
  bool default_args_;
};

}  // namespace dt::d
