#pragma once
// Inlines and translators, as the checker keeps them.
//
// Both are expressions with parameters. A use is the body's tree once more,
// checked where it is used, with each parameter bound to an argument that is
// computed once, before the body. A member that no one uses costs nothing, and
// what a body cannot name on this kernel is an error of the use only.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "d/syntax/ast.h"
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
  bool is_library = false;
};

struct TranslatorInfo {
  const Translator* definition = nullptr;
  Definition state = Definition::kPending;
  types::TypeId output;  // a struct or union
  types::TypeId input;
  bool is_library = false;
};

// args[n] of a probe: what the provider passes as argument `source`, a `native`,
// is (translated to) a `type`.
struct ProbeArgument {
  types::TypeId type;
  types::TypeId native;
  std::uint32_t source = 0;
};

struct DeclaredProbe {
  Span span;
  std::vector<ProbeArgument> arguments;
  std::string key;  // equal for equal arguments
};
using DeclaredProvider = std::map<std::string, DeclaredProbe>;  // by probe name

}  // namespace dt::d
