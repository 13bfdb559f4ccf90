#pragma once
// Macro variables: $0 $1 ... (what the person typed after the script), and
// $target, $pid and similar (what the world knows), and options that the
// script declares (d/syntax/script_declaration.h). `$$x` is the same text as
// a string; that distinction is the lexer's.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "d/syntax/world.h"
#include "front/script_option.h"
#include "support/integer_text.h"

namespace dt::d {

using support::IntegerText;
using support::parse_integer;

class Macros {
 public:
  // [n] of `references` becomes true when $n is asked for.
  Macros(const World& world, std::vector<bool>& references)
      : world_(world), references_(references), default_args_(world.default_args) {}

  struct Value {
    std::string text;
    bool missing = false;             // default_args stands in for it: 0 or ""
    bool is_string = false;           // whatever it looks like
    std::string in_description = {};  // in a probe description, where that differs
  };
  // `name` is what follows $ or $$: digits or a word. nullopt: not defined.
  std::optional<Value> find(std::string_view name);
  // The same in an expression, where $target is 0 if there is neither -c nor -p.
  std::optional<Value> find_in_expression(std::string_view name);
  // An option of the script: $NAME is its value from here on. An error says why it cannot be, or
  // what is wrong with the value that the caller gave.
  Status declare(const front::ScriptOption& option);
  // What to say about a `name` that find() does not know, and what to do.
  static std::string undefined_text(std::string_view name);
  static std::string undefined_hint(std::string_view name);

  bool default_args() const { return default_args_; }
  void set_default_args(bool on) { default_args_ = on; }

 private:
  void define(const std::string& name, front::ScriptValue&& value);
  const World& world_;
  std::vector<bool>& references_;
  std::map<std::string, Value, std::less<>> declared_;
  std::size_t arguments_ = 0;  // declared by position
  bool default_args_;
};

}  // namespace dt::d
