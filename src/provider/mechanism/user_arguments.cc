// See user_arguments.h.

#include "provider/mechanism/user_arguments.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace dt::provider {
namespace {

using types::Kind;
using types::TypeId;

types::Tag tag_of(Kind kind) {
  switch (kind) {
    case Kind::kStruct:
    case Kind::kForward:
      return types::Tag::kStruct;
    case Kind::kUnion:
      return types::Tag::kUnion;
    case Kind::kEnum:
      return types::Tag::kEnum;
    default:
      return types::Tag::kNone;
  }
}

bool is_word(const types::Catalog& types, TypeId id) {
  const Kind kind = types.head(id).kind;
  return (kind == Kind::kInt || kind == Kind::kEnum || kind == Kind::kPointer) &&
         types.size_of(id) <= 8;
}

// Where the word begins, which is there: not "s" in "struct s".
std::size_t word_in(const std::string& text, const std::string& word) {
  std::size_t at = text.rfind(word);
  const auto is_part = [&](std::size_t i) {
    return i < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  while (at > 0 && (is_part(at - 1) || is_part(at + word.size()))) at = text.rfind(word, at - 1);
  return at;
}

// What C itself does not know is named with its object: the kernel may have another
// type of that name.
probe::Argument named(const types::Catalog& types, TypeId id, const std::string& module) {
  std::string text = types.name(id);
  TypeId inner = id;
  while (types.at(inner).kind == Kind::kPointer) inner = types.at(inner).target;
  const types::Type& type = types.at(inner);
  const types::Tag tag = tag_of(type.kind);
  if (!type.name.empty() && !types.find(tag, type.name, "C") &&
      types.find(tag, type.name, module)) {
    text.insert(word_in(text, type.name), module + "`");
  }
  return {std::move(text), true};
}

}  // namespace

std::optional<std::vector<probe::Argument>> user_arguments(const probe::Description& probe,
                                                           const types::Catalog& types) {
  // "pid12`libc.so.6": of that process only.
  const std::string module = fmt::format("{}`{}", probe.provider, probe.module);
  const auto object = types.find_object(probe.function, module);
  if (!object) return std::nullopt;
  const types::Type& type = types.resolved(object->type);
  if (type.kind != Kind::kFunction || type.is_variadic) return std::nullopt;
  const bool has_result = types.head(type.target).kind != Kind::kVoid;
  const Kind result = types.head(type.target).kind;
  std::vector<probe::Argument> arguments;
  if (probe.name == "return") {
    if (has_result && !is_word(types, type.target)) return std::nullopt;
    arguments.push_back({"int"});
    if (has_result) arguments.push_back(named(types, type.target, module));
    return arguments;
  }
  // What does not fit registers is returned where a hidden first argument points.
  if (result == Kind::kStruct || result == Kind::kUnion || result == Kind::kArray) {
    return std::nullopt;
  }
  for (const types::Member& parameter : type.members) {
    if (!is_word(types, parameter.type)) return std::nullopt;
    arguments.push_back(named(types, parameter.type, module));
  }
  return arguments;
}

}  // namespace dt::provider
