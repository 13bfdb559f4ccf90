// The types of a catalogue as C: what -x ctypes and -x dtypes write.
//
// C wants a type declared before it is used by value, and accepts a forward declaration for a
// pointer. So definitions are written in the order of their dependencies by value, and everything
// else is declared in front.

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "types/catalog_state.h"

namespace dt::types {
namespace {

constexpr int kMaxNesting = 16;
constexpr std::string_view kUserlandWord = "userland ";

class CWriter {
 public:
  CWriter(const Catalog& catalog, const Catalog::State& state) : catalog_(catalog), state_(state) {
    for (const auto& [key, copy] : state.qualified) {
      originals_.emplace(copy, TypeId(static_cast<std::uint32_t>(key >> 32)));
    }
    for (const NameMap* all : {state.names, state.script_names}) {
      for (const NameMap& names : std::span(all, std::size(state.names))) {
        for (const auto& [name, id] : names) declared_.insert(id);
      }
    }
  }

  std::string write(bool of_script) {
    std::vector<TypeId> wanted;
    for (std::uint32_t i = state_.builtin_count; i < state_.types.size(); ++i) {
      const TypeId id(i);
      const Type& type = state_.types[i];
      const bool has_text =
          is_aggregate(type.kind) || type.kind == Kind::kEnum || type.kind == Kind::kTypedef;
      if (!has_text || type.name.empty() || originals_.contains(id)) continue;
      if (declared_.contains(id) == of_script) wanted.push_back(id);
    }
    for (const TypeId id : wanted) {
      if (is_aggregate(at(id).kind)) out_ += head(at(id)) + ";\n";
    }
    for (const TypeId id : wanted) need(id, is_complete(id), 0);
    return std::move(out_);
  }

 private:
  static bool is_aggregate(Kind kind) {
    return kind == Kind::kStruct || kind == Kind::kUnion || kind == Kind::kForward;
  }
  const Type& at(TypeId id) const { return state_.types[id.value]; }
  // Only what was asked for has members; what was not stays a name.
  bool is_complete(TypeId id) const {
    return at(id).kind != Kind::kForward && !state_.pending.contains(id);
  }

  static std::string head(const Type& type) {
    if (type.kind == Kind::kEnum) return type.name.empty() ? "enum" : "enum " + type.name;
    const bool is_union = type.kind == Kind::kUnion || type.is_union_forward;
    std::string text = is_union ? "union" : "struct";
    return type.name.empty() ? text : text + ' ' + type.name;
  }

  // Writes what a declaration of this type must follow: names of types, and the
  // members of those that it has by value (`whole`).
  void need(TypeId id, bool whole, int depth) {
    if (depth > kMaxDepth) return;
    id = original(id);
    const Type& type = at(id);
    switch (type.kind) {
      case Kind::kPointer:
        need(type.target, false, depth + 1);
        break;
      case Kind::kArray:
        need(type.target, true, depth + 1);
        break;
      case Kind::kFunction:
        need(type.target, false, depth + 1);
        for (const Member& parameter : type.members) need(parameter.type, false, depth + 1);
        break;
      case Kind::kTypedef:
        need(type.target, whole, depth + 1);
        if (done_.insert(id).second) {
          out_ += "typedef " + declaration(type.target, type.name, 0) + ";\n";
        }
        break;
      case Kind::kEnum:
        if (!type.name.empty() && done_.insert(id).second) out_ += body(id, 0) + ";\n";
        break;
      case Kind::kStruct:
      case Kind::kUnion:
        if (type.name.empty()) {
          need_members(id, depth);  // it is written where it is used
        } else if (whole && done_.insert(id).second) {
          need_members(id, depth);
          out_ += fmt::format("{}; /* {} bytes */\n", body(id, 0), type.size);
        }
        break;
      case Kind::kVoid:
      case Kind::kInt:
      case Kind::kFloat:
      case Kind::kForward:
      case Kind::kString:
      case Kind::kStack:
      case Kind::kSymbol:
      case Kind::kUserSymbol:
        break;
    }
  }

  void need_members(TypeId id, int depth) {
    // A copy: more types may arrive.
    const std::vector<Member> members = catalog_.at(id).members;
    for (const Member& member : members) need(member.type, true, depth + 1);
  }

  TypeId original(TypeId id) const {
    for (auto copy = originals_.find(id); copy != originals_.end(); copy = originals_.find(id)) {
      id = copy->second;
    }
    return id;
  }

  std::string body(TypeId id, int nesting) {
    const Type& type = catalog_.at(original(id));
    std::string text = head(type) + " {\n";
    const std::string indent(static_cast<std::size_t>(nesting) + 1, '\t');
    for (const Enumerator& one : type.enumerators) {
      text += fmt::format("{}{} = {},\n", indent, one.name, one.value);
    }
    for (const Member& member : type.members) {
      text += indent + declaration(member.type, member.name, nesting + 1);
      if (member.bit_size != 0) text += fmt::format(" : {}", member.bit_size);
      text += fmt::format("; /* {} */\n", member.bit_offset / 8);
    }
    return text + indent.substr(1) + "}";
  }

  // The type around a name; a type without a name is written out.
  std::string declaration(TypeId id, const std::string& name, int nesting) {
    TypeId base = id;
    for (int depth = 0; depth < kMaxDepth; ++depth) {
      const Type& type = at(base);
      if (type.kind != Kind::kPointer && type.kind != Kind::kArray) break;
      base = type.target;
    }
    std::string text = catalog_.declaration(id, name);
    for (std::size_t at_word = text.find(kUserlandWord); at_word != std::string::npos;
         at_word = text.find(kUserlandWord)) {
      text.erase(at_word, kUserlandWord.size());  // which is no word of C
    }
    const bool is_anonymous =
        at(base).name.empty() && (is_aggregate(at(base).kind) || at(base).kind == Kind::kEnum);
    constexpr std::string_view kBody = " {...}";
    const std::size_t at_body = text.find(kBody);
    if (!is_anonymous || at_body == std::string::npos || nesting > kMaxNesting) return text;
    const std::string word = head(at(base));
    const std::string whole = body(base, nesting);
    return text.replace(at_body, kBody.size(), whole.substr(word.size()));
  }

  const Catalog& catalog_;
  const Catalog::State& state_;
  std::unordered_map<TypeId, TypeId> originals_;  // of qualified copies
  std::unordered_set<TypeId> declared_, done_;
  std::string out_;
};

}  // namespace

std::string Catalog::c_text(bool of_script) const {
  return CWriter(*this, *state_).write(of_script);
}

}  // namespace dt::types
