#pragma once
// Declarations of variables and names of types.

#include <cstdint>
#include <string>
#include <unordered_set>

#include "d/check/part.h"

namespace dt::ir {
enum class Scope : std::uint8_t;
}

namespace dt::d {

struct Declaration;
struct Declarator;
struct TypeSpec;

class Inlines;
class Objects;
class Tables;
class TypeNames;

class Declarations : Part {
 public:
  Declarations(Context& context, TypeNames& types, Tables& tables, Inlines& inlines,
               Objects& objects)
      : Part(context), types_(types), tables_(tables), inlines_(inlines), objects_(objects) {}

  void declare_all(const Declaration& declaration);

 private:
  bool declare(const TypeSpec& spec, const Declarator& declarator, TypeId base);
  void set_unknown(const TypeSpec& spec, const Declarator& declarator);
  void declare_typedef(const Declarator& declarator, TypeId type);
  bool may_be_variable(const Declarator& declarator, ir::Scope scope, TypeId type);

  TypeNames& types_;
  Tables& tables_;
  Inlines& inlines_;
  Objects& objects_;
  // The typedefs of the script: no variable can have such a name. (A variable can have the name of
  // a type of the kernel or of a library.)
  std::unordered_set<std::string> typedefs_;
};

}  // namespace dt::d
