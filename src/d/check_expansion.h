#pragma once
// Inlines and translators, as the checker keeps them.
//
// Both are expressions with parameters. A use is the body's tree once more,
// checked where it is used, with each parameter bound to an argument that is
// computed once, before the body. A member that no one uses costs nothing, and
// what a body cannot name on this kernel is an error of the use only.

#include <cstdint>
#include <string>
#include <vector>

#include "d/ast.h"
#include "types/type.h"

namespace dt::d {

struct BodyParameter {
  std::string name;
  types::TypeId type;
};

// A parameter within a body: `argument` is null while a definition is checked.
struct Binding {
  std::string name;
  types::TypeId type;
  std::uint32_t slot = 0;
  Expr* argument = nullptr;
};

enum class Definition : std::uint8_t { kPending, kChecking, kGood, kBad };

struct InlineInfo {
  const Inline* definition = nullptr;
  Definition state = Definition::kPending;
  types::TypeId type;
  std::vector<BodyParameter> parameters;
};

struct TranslatorInfo {
  const Translator* definition = nullptr;
  Definition state = Definition::kPending;
  types::TypeId output;  // a struct or union
  types::TypeId input;
};

}  // namespace dt::d
