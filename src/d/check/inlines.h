#pragma once
// Inlines: constants, expressions, and functions of their parameters.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "d/check/expansion.h"
#include "d/check/part.h"

namespace dt::d {

struct Inline;

class Expander;
class LibraryUse;
class Tables;
class TypeNames;
class Versions;

class Inlines : Part {
 public:
  Inlines(Context& context, TypeNames& types, Expander& expander, Tables& tables,
          LibraryUse& libraries, Versions& versions)
      : Part(context),
        types_(types),
        expander_(expander),
        tables_(tables),
        libraries_(libraries),
        versions_(versions) {}

  // A definition of the program.
  void define(const Inline& definition);
  // An inline of the program, or of a library that is loaded for it; nullptr when there is none.
  InlineInfo* find(const std::string& name);
  // NAME, or NAME[arguments] with the arguments from args[first_argument] on.
  void use(Expr* e, InlineInfo& info, std::size_t first_argument);
  // Takes over what a library defines; false when the name is taken.
  bool add_of_library(const Inline& definition);
  void forget(const std::string& name) { inlines_.erase(name); }
  bool contains(const std::string& name) const { return inlines_.contains(name); }
  bool is_of_program(const std::string& name) const;
  // The inline of this name when the program's version of D has it; nullptr otherwise.
  InlineInfo* visible(const std::string& name);
  std::vector<std::string_view> names() const;
  // Checks the definitions of libraries that nothing has used.
  void check_unused();

 private:
  // Types, parameters and, with its parameters unbound, the value.
  void check_definition(InlineInfo& info);
  void check_elsewhere(InlineInfo& info);
  bool parameters(InlineInfo& info);
  bool value_fits(const InlineInfo& info, const Expr* value);
  bool argument(const InlineInfo& info, std::size_t index, Expr*& argument);

  TypeNames& types_;
  Expander& expander_;
  Tables& tables_;
  LibraryUse& libraries_;
  Versions& versions_;
  std::unordered_map<std::string, InlineInfo> inlines_;
};

}  // namespace dt::d
