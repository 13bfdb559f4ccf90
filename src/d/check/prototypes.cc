#include "d/check/prototypes.h"

#include <fmt/core.h>

#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"

namespace dt::d {

namespace {

std::string_view kind_of(const Declarator::Part& part) {
  return part.kind == Declarator::Part::Kind::kFunction ? "function" : "associative array";
}

}  // namespace

// "int f(x)": a name where a type should be.
bool Prototypes::is_old_style(const TypeName& parameter, const std::string& name) {
  const TypeSpec& spec = parameter.spec;
  return name.empty() && spec.tag == TypeSpec::Tag::kNone && spec.module.empty() &&
         spec.longs == 0 && !spec.base.empty() && spec.base != "int" && spec.base != "char" &&
         spec.base != "void" && spec.base != "string" && parameter.declarator.parts.empty() &&
         !world_.types.find(types::Tag::kNone, spec.base);
}

// What holds of a parameter whatever its type: its class and its name.
bool Prototypes::is_formed(const Declarator::Part& part, std::size_t index) {
  const TypeName& parameter = *part.types[index];
  const Storage storage = parameter.spec.storage;
  const bool is_function = part.kind == Declarator::Part::Kind::kFunction;
  if (storage != Storage::kNone && !(is_function && storage == Storage::kRegister)) {
    error("D_DECL_PARMCLASS", parameter.spec.span,
          "inappropriate storage class for function or associative array parameter");
    return false;
  }
  const std::string& name = part.names[index];
  for (std::size_t i = 0; i < index; ++i) {
    if (!name.empty() && part.names[i] == name) {
      Diagnostic& d = error("D_DECL_PROTO_NAME", parameter.span,
                            fmt::format("parameter is declared more than once: {}", name));
      d.notes.push_back({part.types[i]->span, "first declared here"});
      return false;
    }
  }
  if (is_function && is_old_style(parameter, name)) {
    error("D_DECL_IDENT", parameter.span, "old-style declaration or incorrect type specified")
        .hint = fmt::format("the parameters of a {} are declared by their types", kind_of(part));
    return false;
  }
  return true;
}

// Whether a parameter may have its type.
bool Prototypes::may_be(const Declarator::Part& part, std::size_t index, TypeId type) {
  const bool is_function = part.kind == Declarator::Part::Kind::kFunction;
  const TypeName& parameter = *part.types[index];
  const std::string& name = part.names[index];
  const auto refuse = [&](const char* tag) {
    error(tag, parameter.span,
          fmt::format("{} prototype may not use parameter of type {}: {}, parameter #{}",
                      kind_of(part), rules_.name(type), name.empty() ? "(anonymous)" : name,
                      index + 1));
    return false;
  };
  if (rules_.is_void(type)) {
    if (!is_function) {
      return refuse("D_DECL_PROTO_VOID");
    }
    if (!name.empty()) {
      error("D_DECL_PROTO_NAME", parameter.span,
            fmt::format("void parameter may not have a name: {}", name));
      return false;
    }
    if (part.types.size() > 1 || part.variadic) {
      error("D_DECL_PROTO_VOID", parameter.span,
            "void must be sole parameter in a function declaration");
      return false;
    }
    return true;
  }
  if (rules_.is_dynamic(type) || (!is_function && !may_be_key(type))) {
    return refuse("D_DECL_PROTO_TYPE");
  }
  return true;
}

}  // namespace dt::d
