#pragma once
// Parameters as they are declared: of associative arrays, inlines, functions.

#include <cstddef>
#include <string>

#include "d/check/part.h"
#include "d/syntax/ast.h"

namespace dt::d {

class Prototypes : Part {
 public:
  explicit Prototypes(Context& context) : Part(context) {}

  // What holds of a parameter whatever its type: its class and its name.
  bool is_formed(const Declarator::Part& part, std::size_t index);
  // Whether the parameter may have this type.
  bool may_be(const Declarator::Part& part, std::size_t index, TypeId type);

 private:
  // "int f(x)": a name where a type should be.
  bool is_old_style(const TypeName& parameter, const std::string& name);
};

}  // namespace dt::d
